package embedded

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// applyRows is the number of operations that are worth a transaction of their
// own. Setting one up takes as long as appending a thousand rows.
const applyRows = 4000

// maxApplyRows bounds a transaction, so that a reader waiting for the first of
// many operations does not wait for all.
const maxApplyRows = 6000

// applyLoop moves durable operations into the table and the text index until
// the store is closed and nothing is pending.
func (s *Store) applyLoop() {
	defer close(s.stopped)
	idle := time.NewTimer(0)
	defer idle.Stop()
	for ended := false; !ended; {
		err := guard.Run("log store", func() error {
			ended = s.applyNext(idle)
			return nil
		})
		if err != nil {
			s.settle(err) // nobody waits for what may never come
			ended = s.pauseAfterPanic(idle)
		}
	}
}

// pauseAfterPanic waits before the store tries again, and reports whether it is
// stopping.
func (s *Store) pauseAfterPanic(idle *time.Timer) (stopping bool) {
	idle.Reset(checkpointIdle)
	signal(s.wake)
	select {
	case <-s.stopping:
		return true // the journal keeps what is pending for the next start
	case <-time.After(checkpointIdle):
		return false
	}
}

// applyNext waits for something to do, does it, and reports whether the store is
// stopping.
func (s *Store) applyNext(idle *time.Timer) (stopping bool) {
	select {
	case <-s.wake:
		s.gather()
	case <-idle.C:
		if !s.save(context.Background(), 1) {
			idle.Reset(checkpointIdle)
		}
		return false
	case cause := <-s.damage:
		s.mend(context.Background(), cause)
	case <-s.textDamage:
		s.mendText(context.Background())
	case <-s.found:
		s.assess(context.Background())
		return false
	case task := <-s.tasks:
		s.taskDone <- guard.Run("log store", task)
		return false
	case <-s.stopping:
		s.applyPending()
		return true
	}
	s.applyPending()
	s.save(context.Background(), table.CheckpointRows)
	idle.Reset(checkpointIdle)
	return false
}

// checkpointIdle is how long the store must be idle before all rows are written
// to the table's file, so that a start after a crash has less to apply.
const checkpointIdle = 3 * time.Second

// save writes the table to its file if at least so many rows are unsaved. If
// that fails, the table is reopened and brought up to date, so that reads go on.
// It reports whether nothing is left to do.
func (s *Store) save(ctx context.Context, rows int) bool {
	err := s.usable()
	if err == nil && s.table.Unsaved() < rows {
		return true
	}
	if err == nil && !s.roomToSave() {
		return false
	}
	if err == nil {
		err = s.table.Checkpoint(ctx)
	}
	if err == nil {
		return s.table.Unsaved() < rows
	}
	err = s.rebuild(ctx, err)
	s.settle(err)
	return err == nil
}

// usable returns why the last attempt to apply failed, or nil.
func (s *Store) usable() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.applyErr
}

// gather gives further operations a moment to join the same transaction,
// unless a reader is waiting.
func (s *Store) gather() {
	select {
	case <-s.urgent: // for operations applied since
	default:
	}
	s.mu.Lock()
	hurry := s.hurried()
	delay := applyDelay
	if time.Since(s.lastRead) < readMemory {
		delay = readDelay
	}
	s.mu.Unlock()
	if hurry {
		return
	}
	select {
	case <-s.urgent:
	case <-s.stopping:
	case <-time.After(delay):
	}
}

// hurried reports whether somebody waits for what is pending, or it is worth a
// transaction of its own. The caller holds mu.
func (s *Store) hurried() bool { return s.wanted > s.applied || len(s.pending) >= applyRows }

// gathers reports whether something is pending that can wait for more to share its
// transaction.
func (s *Store) gathers() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.stopping:
		return false
	default:
		return len(s.pending) > 0 && !s.hurried()
	}
}

// applyPending applies what is pending, until nothing is or the rest can wait. It
// retries what fails: it is durable, so it must not be dropped.
func (s *Store) applyPending() {
	for pause := 100 * time.Millisecond; ; {
		s.mu.Lock()
		operations := upTo(s.pending, maxApplyRows)
		s.mu.Unlock()
		if len(operations) == 0 {
			return
		}
		err := s.applyOrRebuild(context.Background(), operations)
		s.settle(err)
		if err == nil && s.gathers() {
			signal(s.wake) // for what came meanwhile
			return
		}
		if err == nil {
			continue
		}
		s.log.Error("cannot apply logs to the table", "error", err, "pending", len(operations))
		select {
		case <-s.stopping:
			return // the journal keeps them for the next start
		case <-time.After(pause):
			pause = min(2*pause, 5*time.Second)
		}
	}
}

// upTo returns the first operations that change at most so many rows together,
// or the first alone.
func upTo(operations []operation, rows int) []operation {
	for i := range operations {
		if rows -= operations[i].rows(); rows < 0 {
			return operations[:max(i, 1)]
		}
	}
	return operations
}

// applyOrRebuild applies the operations, and rebuilds the table if that fails.
func (s *Store) applyOrRebuild(ctx context.Context, operations []operation) error {
	err := s.apply(ctx, operations)
	if err == nil {
		return nil
	}
	return s.rebuild(ctx, err)
}

// rebuild reopens the table, because some errors leave it unusable, or replaces
// it if it is damaged, and brings it up to date from the journal.
func (s *Store) rebuild(ctx context.Context, cause error) error {
	s.log.Warn("the log table failed and is opened again", "error", cause)
	s.setRebuilding(true)
	defer s.setRebuilding(false)
	state, err := s.table.Restore(ctx, cause)
	if err != nil {
		return err
	}
	return s.replay(ctx, state, func(*operation) {})
}

// setRebuilding makes reads wait during a rebuild.
func (s *Store) setRebuilding(rebuilding bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rebuilding = rebuilding
	s.tell()
}

// settle removes applied operations, records why applying failed, if it did, and
// wakes everyone who waits. A rebuild applies everything in the journal, which
// can be more than was requested.
func (s *Store) settle(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.applyErr = err
	count := 0
	for count < len(s.pending) && s.pending[count].place.Before(s.next) {
		s.bytes -= int64(s.pending[count].size)
		count++
	}
	s.pending = s.pending[count:]
	if len(s.pending) == 0 {
		s.pending = nil // release the array and its logs
	}
	s.applied += uint64(count)
	s.tell()
}

// tell wakes everyone who waits for progress. The caller holds mu.
func (s *Store) tell() {
	close(s.progress)
	s.progress = make(chan struct{})
}

// logsPerPause is the number of logs whose texts are added in about a millisecond.
const logsPerPause = 32

// apply adds the operations to the text index and then, in one transaction, to
// the table. In this order it can be retried: no query finds a log that is only
// in the text index, and it is not added twice.
func (s *Store) apply(ctx context.Context, operations []operation) error {
	for len(operations) > 0 && operations[0].place.Before(s.next) {
		operations = operations[1:] // a rebuild was faster
	}
	if len(operations) == 0 {
		return nil
	}
	for part := range slices.Chunk(operations, logsPerPause) {
		if err := s.addTexts(part); err != nil {
			return err
		}
		runtime.Gosched() // so that commits and short requests are not delayed
	}
	batch, err := s.batch(ctx, operations)
	if err != nil {
		return err
	}
	if err := s.table.Apply(ctx, batch); err != nil {
		return err
	}
	s.next = batch.Next
	return nil
}

// addTexts adds the texts of logs to the text index, unless it has them.
func (s *Store) addTexts(operations []operation) error {
	s.texting.Lock()
	defer s.texting.Unlock()
	for i := range operations {
		op := &operations[i]
		if op.log == nil || op.ID <= s.indexed {
			continue
		}
		texts := textsOf(&op.log.Index)
		if s.isStripped(op.ID) {
			texts = logTexts{}
		}
		if err := s.addText(op.log, texts); err != nil {
			return err
		}
	}
	return nil
}

// addText adds a log's texts to the text index, unless it has them. The caller holds
// texting.
func (s *Store) addText(l *reqlog.Log, texts logTexts) error {
	if l.ID <= s.indexed {
		return nil
	}
	if err := s.text.Load().Add(textindex.Doc{ID: l.ID, Owner: l.Workspace, Time: int64(l.Start)}, texts[:]); err != nil {
		return fmt.Errorf("add log %d to the text index: %w", l.ID, err)
	}
	s.indexed = l.ID
	return nil
}

// batch computes the rows after the operations. Several annotations of one log
// make one row.
func (s *Store) batch(ctx context.Context, operations []operation) (*table.Batch, error) {
	b := &table.Batch{Next: operations[len(operations)-1].place.Next(), Notes: map[int64][]byte{}}
	annotated := map[int64]bool{}
	at := make(map[int64]int, len(operations))
	for i := range operations {
		op := &operations[i]
		if op.log == nil {
			continue
		}
		at[op.ID] = len(b.Rows)
		b.Rows = append(b.Rows, op.log)
		if n := len(b.Blocks); n == 0 || b.Blocks[n-1].Position != op.place.Block {
			b.Blocks = append(b.Blocks, table.Block{FirstID: op.ID, Position: op.place.Block})
		}
	}
	addSpans(b, operations)
	if err := s.loadAnnotated(ctx, b, at, operations); err != nil {
		return nil, err
	}
	for i := range operations {
		op := &operations[i]
		for _, id := range op.rewrites() {
			i, ok := at[id]
			if !ok || b.Rows[i].Workspace != op.owner() {
				continue
			}
			if !annotated[id] {
				// The caller that wrote the log may still read it.
				changed := *b.Rows[i]
				b.Rows[i], annotated[id] = &changed, true
			}
			op.rewrite(b.Rows[i])
		}
		if op.removes() {
			b.Removals = append(b.Removals, op.place.Block)
		}
		if op.deletion != nil {
			b.Deletions = append(b.Deletions, table.Deletion{Deletion: op.deletion, At: op.place.Block})
		}
		b.LastID = max(b.LastID, op.lastID())
	}
	b.Prices = append(b.Prices, priceChanges(operations)...)
	for id := range annotated {
		notes, err := document.EncodeNotes(&b.Rows[at[id]].Notes)
		if err != nil {
			return nil, err
		}
		b.Notes[id] = notes
	}
	return b, nil
}

// addSpans adds the spans and closed traces. Of several spans with the same ids
// the last counts.
func addSpans(b *table.Batch, operations []operation) {
	at := map[int64]int{}
	for i := range operations {
		op := &operations[i]
		switch {
		case op.closure != nil:
			b.Closures = append(b.Closures, *op.closure)
		case op.span != nil:
			row := table.SpanRow{Span: op.span, Key: op.ID, Place: op.place}
			if i, twice := at[row.Key]; twice {
				b.Spans[i] = row
				continue
			}
			at[row.Key] = len(b.Spans)
			b.Spans = append(b.Spans, row)
			if op.replaces {
				b.ReplacedSpans = append(b.ReplacedSpans, row.Key)
			}
		}
	}
}
