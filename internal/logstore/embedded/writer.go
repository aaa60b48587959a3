package embedded

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/admission"
	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// maxPendingBytes bounds what is durable but not yet applied, so that memory
// stays bounded if DuckDB falls behind. Writes wait when it is reached; large
// ones wait from half of it on, as Backlog says.
const maxPendingBytes = 128 << 20

// retryAfter is when clients should try again if writes are rejected.
const retryAfter = 5 * time.Second

// writer makes batches durable, one after the other: it admits spans, finds out what
// deletions remove, encodes, appends to the journal, and only then adds to the queue.
// Its lock is held during all of that, so that the order in the queue is that of the
// journal.
type writer struct {
	journal *journal.Journal
	table   *table.Table
	index   *index
	queue   *queue
	disk    *disk
	alarms  *alarms

	mu      sync.Mutex
	closed  bool // writes are rejected
	encoder encoder
}

// write is requests.Store.Write.
func (w *writer) write(ctx context.Context, batch reqlog.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return fault.Busy(retryAfter, nil, "The server is shutting down")
	}
	spans, err := w.admitSpans(ctx, batch.Spans)
	if err != nil {
		return err
	}
	if err := w.resolveDeletions(ctx, batch.Deletions); err != nil {
		return err
	}
	e := &w.encoder
	defer e.reset()
	if err := e.batch(batch, spans); err != nil {
		return err
	}
	if len(e.records) > 0 {
		err = w.commit(e.records, e.operations)
	}
	if err == nil {
		spans.Report(batch.Spans)
	}
	return err
}

// encoder collects the journal records of a batch, and the operations to apply
// once they are durable. Its memory is used again for the next batch.
type encoder struct {
	buffer     []byte // with the records
	records    [][]byte
	operations []operation
}

// maxKept is the size of the largest buffer that is kept for the next batch.
const maxKept = 8 << 20

func (e *encoder) reset() {
	clear(e.operations)
	e.buffer, e.records, e.operations = e.buffer[:0], e.records[:0], e.operations[:0]
	if cap(e.buffer) > maxKept {
		*e = encoder{}
	}
}

func (e *encoder) batch(batch reqlog.Batch, spans *admission.Admission) error {
	logs := batch.Logs
	if len(spans.Logs) > 0 { // ids must rise in the journal
		logs = slices.Concat(logs, spans.Logs)
		slices.SortFunc(logs, func(a, b *reqlog.Log) int { return cmp.Compare(a.ID, b.ID) })
	}
	for _, l := range logs {
		record, err := appendLog(e.buffer, l)
		if err != nil {
			return err
		}
		e.add(record, operation{log: l, Change: reqlog.Change{Workspace: l.Workspace, ID: l.ID}})
	}
	for _, c := range batch.Changes {
		encoded, err := document.EncodeAnnotation(c.Annotation)
		if err != nil {
			return err
		}
		e.add(append(appendHeader(e.buffer, recordAnnotation, c.ID, c.Workspace), encoded...), operation{Change: c})
	}
	for _, span := range spans.Spans {
		key := span.Key()
		e.add(appendSpan(e.buffer, span, key), operation{span: span, Change: reqlog.Change{Workspace: span.Workspace, ID: key}})
	}
	for _, c := range spans.Closures {
		record, err := appendClosure(e.buffer, &c)
		if err != nil {
			return err
		}
		e.add(record, operation{closure: &c})
	}
	for _, c := range batch.Prices {
		e.add(appendPriceChange(e.buffer, &c), operation{prices: &c})
	}
	for _, d := range batch.Deletions {
		e.add(appendDeletion(e.buffer, &d), operation{deletion: &d})
	}
	return nil
}

// add adds an operation and its record, which was appended to the buffer. Earlier
// records stay where they are when the buffer moves.
func (e *encoder) add(buffer []byte, op operation) {
	record := buffer[len(e.buffer):len(buffer):len(buffer)]
	op.size = len(record)
	e.buffer = buffer
	e.records = append(e.records, record)
	e.operations = append(e.operations, op)
}

// commit makes the records durable and queues the operations.
func (w *writer) commit(records [][]byte, operations []operation) error {
	if err := w.ready(); err != nil {
		return err
	}
	positions, err := w.journal.Append(records)
	if err != nil {
		return fault.Busy(retryAfter, err, "Cannot write to the data folder: %s", reason(err))
	}
	w.queue.append(operations, positions)
	return nil
}

// ready waits for room in memory and checks for room on the disk.
func (w *writer) ready() error {
	if err := w.queue.waitForRoom(); err != nil {
		return fault.Busy(retryAfter, err, "Cannot write to the data folder: %s", reason(err))
	}
	return w.disk.check()
}

// admitSpans decides what to store of the batches. The table is asked only for
// closed traces and logs that may be stored.
func (w *writer) admitSpans(ctx context.Context, batches []*reqlog.SpanBatch) (*admission.Admission, error) {
	known := admission.Known{Closed: map[int64]bool{}, LogIDs: map[int64]int64{}}
	closures, logs := admission.Keys(batches)
	closures, logs = w.index.known(closures), w.index.known(logs)
	if len(closures)+len(logs) > 0 {
		if _, err := w.queue.await(ctx); err != nil {
			return nil, err
		}
		if err := w.table.LookUp(ctx, closures, logs, known.Closed, known.LogIDs); err != nil {
			return nil, w.alarms.tableError(err)
		}
	}
	return admission.Admit(batches, known), nil
}

// resolveDeletions finds out what deletions remove, so that their records say it.
func (w *writer) resolveDeletions(ctx context.Context, deletions []reqlog.Deletion) error {
	if len(deletions) == 0 {
		return nil
	}
	if _, err := w.queue.await(ctx); err != nil {
		return err
	}
	for i := range deletions {
		d := &deletions[i]
		d.SpanKeys, d.ClosureKeys = slices.Clone(d.SpanKeys), slices.Clone(d.ClosureKeys)
		if err := w.table.Resolve(ctx, d); err != nil {
			return w.alarms.tableError(err)
		}
	}
	return nil
}

// rotate begins a new file of the journal.
func (w *writer) rotate() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return errStopping()
	}
	return w.journal.Rotate()
}

// close rejects later writes.
func (w *writer) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
}

// healthy returns why writes are currently rejected, or nil.
func (w *writer) healthy() error {
	if err := w.queue.err(); err != nil {
		return err
	}
	return w.disk.check()
}
