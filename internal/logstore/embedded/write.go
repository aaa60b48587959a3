package embedded

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/admission"
	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// operation is a durable change that is not yet in the table and the text index:
// a new log, a span, the end of a trace, a change of prices, a deletion, or an
// annotation of an older log.
type operation struct {
	// At most one of these is set; an annotation has none.
	log     *reqlog.Log
	span    *reqlog.Span
	closure *reqlog.Closure
	prices  *reqlog.PriceChange
	// deletion deletes logs or their texts.
	deletion *reqlog.Deletion
	// Change is the annotation. Its Workspace and ID are also those of a log, and ID
	// is the key of a span.
	reqlog.Change
	size  int
	place journal.Place
	// replaces says that the table may have the span already.
	replaces bool
}

// annotates reports whether the operation is an annotation.
func (op *operation) annotates() bool {
	return op.log == nil && op.span == nil && op.closure == nil && op.prices == nil && op.deletion == nil
}

// maxPendingBytes bounds what is durable but not yet applied, so that memory
// stays bounded if DuckDB falls behind. Writes wait when it is reached; large
// ones wait from half of it on, as Backlog says.
const maxPendingBytes = 128 << 20

// retryAfter is when clients should try again if writes are rejected.
const retryAfter = 5 * time.Second

// Write implements reqlog.Store.
func (s *Store) Write(ctx context.Context, batch reqlog.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.closed {
		return fault.Busy(retryAfter, nil, "The server is shutting down")
	}
	spans, err := s.admitSpans(ctx, batch.Spans)
	if err != nil {
		return err
	}
	if err := s.resolveDeletions(ctx, batch.Deletions); err != nil {
		return err
	}
	e := &s.encoder
	defer e.reset()
	if err := e.batch(batch, spans); err != nil {
		return err
	}
	if len(e.records) > 0 {
		err = s.commit(e.records, e.operations)
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

// rows is how many rows of the table the operation changes at most.
func (op *operation) rows() int {
	switch {
	case op.deletion != nil:
		return 1 + len(op.deletion.Logs) + len(op.deletion.SpanKeys)
	case op.prices == nil:
		return 1
	case len(op.prices.Prices) > 0:
		return len(op.prices.Prices)
	default:
		return int(min(op.prices.Last-op.prices.First+1, maxApplyRows))
	}
}

// Backlog implements reqlog.Store.
func (s *Store) Backlog() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.applyErr != nil {
		return 0 // writes fail instead of waiting
	}
	return float64(s.bytes) / (maxPendingBytes / 2)
}

// Exists implements reqlog.Store.
func (s *Store) Exists(ctx context.Context, workspace, id int64) error {
	_, err := s.reader().record(ctx, workspace, id)
	return err
}

// commit makes the records durable and queues the operations.
func (s *Store) commit(records [][]byte, operations []operation) error {
	if err := s.ready(); err != nil {
		return err
	}
	positions, err := s.journal.Append(records)
	if err != nil {
		return fault.Busy(retryAfter, err, "Cannot write to the data folder: %s", reason(err))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range operations {
		op := &operations[i]
		op.place.Block = positions[i]
		if i > 0 && positions[i] == positions[i-1] {
			op.place.Slot = operations[i-1].place.Slot + 1
		}
		s.note(op)
		s.bytes += int64(op.size)
	}
	s.pending = append(s.pending, operations...)
	s.appended += uint64(len(operations))
	signal(s.wake)
	if len(s.pending) >= applyRows {
		signal(s.urgent)
	}
	return nil
}

// note remembers what can be asked before the operation is applied. The caller
// holds mu.
func (s *Store) note(op *operation) {
	switch {
	case op.log != nil:
		s.blocks.add(op.ID, op.place.Block)
		s.owners.add(op.log.Workspace)
		s.seen.add(reqlog.LogKey(op.log.Workspace, op.log.SpanID))
	case op.span != nil:
		op.replaces = s.seen.add(op.ID)
	case op.closure != nil:
		s.seen.add(op.closure.Key())
	case op.prices != nil:
		for _, p := range op.prices.Prices {
			s.changed.add(p.ID)
		}
	case op.deletion != nil:
		s.noteDeletion(op.deletion)
	default:
		s.changed.add(op.ID)
	}
}

// ready waits for room in memory and checks for room on the disk.
func (s *Store) ready() error {
	s.mu.Lock()
	for s.bytes > maxPendingBytes && s.applyErr == nil {
		progress := s.progress
		s.mu.Unlock()
		<-progress
		s.mu.Lock()
	}
	err := s.applyErr
	s.mu.Unlock()
	if err != nil {
		return fault.Busy(retryAfter, err, "Cannot write to the data folder: %s", reason(err))
	}
	return s.roomOnDisk()
}

// roomOnDisk returns why there is no room for further logs, nil if there is.
func (s *Store) roomOnDisk() error {
	if s.opts.MinFreeMB < 0 {
		return nil
	}
	free, err := s.freeMB()
	if err != nil {
		return fault.Busy(retryAfter, err, "Cannot write to the data folder: %s", reason(err))
	}
	if free < uint64(s.opts.MinFreeMB) {
		return fault.Busy(retryAfter, nil, "The disk of the data folder is full: %d MB are free, %d MB must stay free", free, s.opts.MinFreeMB)
	}
	return nil
}

// minSaveMB is the free space without which no checkpoint is tried, even if
// writes are not rejected on a full disk.
const minSaveMB = 4

// roomToSave reports whether there is room for a checkpoint, for which a part of
// the disk is kept free. Trying without room would make the table unusable, fail
// reads, and keep a server from starting on a full disk.
func (s *Store) roomToSave() bool {
	free, err := s.freeMB()
	return err == nil && free >= uint64(max(s.opts.MinFreeMB/4, minSaveMB))
}

func (s *Store) freeMB() (uint64, error) {
	var stat unix.Statfs_t
	err := unix.Statfs(s.dir, &stat)
	return stat.Bavail * uint64(stat.Bsize) >> 20, err
}

// reason returns the cause if an operator can fix it, and no internal details.
func reason(err error) string {
	for _, known := range []error{unix.ENOSPC, unix.EDQUOT, unix.EROFS, unix.EACCES, unix.EPERM, unix.EIO, unix.EMFILE, unix.EFBIG} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return "the storage engine refuses writes"
}
