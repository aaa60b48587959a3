package embedded

import (
	"context"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// queue has the operations that are durable and not yet applied, in the order of the
// journal, and everybody who waits for them: the writer adds to it, the applier takes
// from it, readers wait until what they may see is applied. An operation is noted in
// the index under the queue's lock, so that who knows how much is pending knows the
// last log as well.
type queue struct {
	index *index

	mu       sync.Mutex
	pending  []operation
	bytes    int64  // of the pending operations
	appended uint64 // operations ever made durable
	applied  uint64 // operations ever applied
	wanted   uint64 // number of operations that readers wait for, like applied
	lastRead time.Time
	failure  error // why the last attempt to apply failed, or nil
	// rebuilding makes reads wait while the table or the text index lacks logs
	// that it had.
	rebuilding bool

	progress chan struct{} // closed, and made anew, whenever one of the above changes
	wake     chan struct{} // something is pending
	urgent   chan struct{} // a reader waits for it, or there is a lot
}

func newQueue(index *index) *queue {
	return &queue{index: index, progress: make(chan struct{}), wake: make(chan struct{}, 1), urgent: make(chan struct{}, 1)}
}

// append adds operations that are durable at the positions of these blocks.
func (q *queue) append(operations []operation, positions []journal.Position) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range operations {
		op := &operations[i]
		op.place.Block = positions[i]
		if i > 0 && positions[i] == positions[i-1] {
			op.place.Slot = operations[i-1].place.Slot + 1
		}
		q.index.note(op)
		q.bytes += int64(op.size)
	}
	q.pending = append(q.pending, operations...)
	q.appended += uint64(len(operations))
	signal(q.wake)
	if len(q.pending) >= applyRows {
		signal(q.urgent)
	}
}

// await waits until everything that was durable when it was called has been
// applied, and returns the id of the last such log. If applying fails, reads go
// on without the rest, which is safe in the journal, and writes are rejected.
func (q *queue) await(ctx context.Context) (lastID int64, err error) {
	q.mu.Lock()
	target, lastID := q.appended, q.index.lastID()
	q.wanted = max(q.wanted, target)
	q.lastRead = time.Now()
	for q.rebuilding || q.applied < target && q.failure == nil {
		progress := q.progress
		q.mu.Unlock()
		signal(q.urgent)
		select {
		case <-progress:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		q.mu.Lock()
	}
	q.mu.Unlock()
	return lastID, nil
}

// all waits while something is rebuilt, and returns what is pending and the last log.
func (q *queue) all(ctx context.Context) (pending []operation, lastID int64, err error) {
	q.mu.Lock()
	for q.rebuilding {
		progress := q.progress
		q.mu.Unlock()
		select {
		case <-progress:
		case <-ctx.Done():
			return nil, 0, ctx.Err()
		}
		q.mu.Lock()
	}
	defer q.mu.Unlock()
	return q.pending, q.index.lastID(), nil
}

// logs returns the pending logs and the last log that is applied. It reports false if
// there are more than the limit, if other operations are pending, such as an
// annotation, or if the table cannot be asked without waiting.
func (q *queue) logs(limit int) (logs []*reqlog.Log, upTo int64, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.rebuilding || q.failure != nil || len(q.pending) > limit {
		return nil, 0, false
	}
	upTo = q.index.lastID()
	for i := range q.pending {
		op := &q.pending[i]
		if op.log == nil {
			return nil, 0, false
		}
		logs, upTo = append(logs, op.log), min(upTo, op.ID-1)
	}
	return logs, upTo, true
}

// head returns the first pending operations that change at most so many rows.
func (q *queue) head(rows int) []operation {
	q.mu.Lock()
	defer q.mu.Unlock()
	return upTo(q.pending, rows)
}

// between returns the pending operations of the blocks from one position up to
// another.
func (q *queue) between(from, to journal.Position) (found []operation) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, op := range q.pending {
		if from <= op.place.Block && op.place.Block < to {
			found = append(found, op)
		}
	}
	return found
}

// owner returns the workspace of a pending log, 0 if it is not pending.
func (q *queue) owner(id int64) int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, op := range q.pending {
		if op.log != nil && op.ID == id {
			return op.Workspace
		}
	}
	return 0
}

// setRebuilding makes reads wait during a rebuild.
func (q *queue) setRebuilding(rebuilding bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.rebuilding = rebuilding
	q.tell()
}

// settle removes the operations before a place, which are applied, records why
// applying failed, if it did, and wakes everyone who waits. A rebuild applies
// everything in the journal, which can be more than was requested.
func (q *queue) settle(next journal.Place, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.failure = err
	count := 0
	for count < len(q.pending) && q.pending[count].place.Before(next) {
		q.bytes -= int64(q.pending[count].size)
		count++
	}
	q.pending = q.pending[count:]
	if len(q.pending) == 0 {
		q.pending = nil // release the array and its logs
	}
	q.applied += uint64(count)
	q.tell()
}

// tell wakes everyone who waits for progress. The caller holds mu.
func (q *queue) tell() {
	close(q.progress)
	q.progress = make(chan struct{})
}

// err returns why the last attempt to apply failed, or nil.
func (q *queue) err() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.failure
}

const (
	// applyDelay is how long an operation waits for others to share its
	// transaction while there are no readers: larger transactions cost less.
	applyDelay = 250 * time.Millisecond
	// readDelay is the same if there was a read within readMemory, so that the
	// next one waits for less.
	readDelay  = 40 * time.Millisecond
	readMemory = time.Second
)

// delay returns how long what is pending may wait for more to share its transaction,
// 0 if somebody waits for it.
func (q *queue) delay() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.hurried():
		return 0
	case time.Since(q.lastRead) < readMemory:
		return readDelay
	default:
		return applyDelay
	}
}

// hurried reports whether somebody waits for what is pending, or it is worth a
// transaction of its own. The caller holds mu.
func (q *queue) hurried() bool { return q.wanted > q.applied || len(q.pending) >= applyRows }

// gathers reports whether something is pending that can wait for more to share its
// transaction.
func (q *queue) gathers() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.pending) > 0 && !q.hurried()
}

// waitForRoom waits until there is room in memory for further operations, and returns
// why there will be none, or nil.
func (q *queue) waitForRoom() error {
	q.mu.Lock()
	for q.bytes > maxPendingBytes && q.failure == nil {
		progress := q.progress
		q.mu.Unlock()
		<-progress
		q.mu.Lock()
	}
	defer q.mu.Unlock()
	return q.failure
}

// backlog returns how full the queue is: at 1, large writes wait.
func (q *queue) backlog() float64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.failure != nil {
		return 0 // writes fail instead of waiting
	}
	return float64(q.bytes) / (maxPendingBytes / 2)
}

// measure adds the state of the queue to that of the store.
func (q *queue) measure(stats *Stats) {
	q.mu.Lock()
	defer q.mu.Unlock()
	stats.PendingOperations, stats.PendingBytes, stats.AppliedOperations = len(q.pending), q.bytes, q.applied
}
