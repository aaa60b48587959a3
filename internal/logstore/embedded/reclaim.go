package embedded

import (
	"context"
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Reclaim implements reqlog.Store. It writes the files of the journal and of the
// text index again that have something that was deleted, one at a time, and then
// lets the table forget that they had. If it is interrupted, the table still knows:
// the journal has the records of deletions.
func (s *Store) Reclaim(ctx context.Context, progress reqlog.ReclaimProgress) (done reqlog.Reclaimed, err error) {
	s.reclaiming.Lock()
	defer s.reclaiming.Unlock()
	if progress == nil {
		progress = func(float64, reqlog.Reclaimed) {}
	}
	if s.isStopping() {
		return done, errStopping()
	}
	upTo := s.journal.End()
	if _, err := s.catchUp(ctx); err != nil {
		return done, err
	}
	deleted, err := s.table.Deleted(ctx)
	if err != nil {
		return done, s.tableError(err)
	}
	if deleted.Empty() {
		progress(1, done)
		return done, nil
	}
	gone, damaged, err := s.newGone(deleted)
	if err != nil {
		return done, reclaimError(err)
	}
	if err := s.reclaimJournal(ctx, gone, &done, progress); err != nil {
		return done, reclaimError(err)
	}
	if err := s.reclaimText(ctx, gone, &done, progress); err != nil {
		return done, err
	}
	if err := s.forget(ctx, upTo, &done); err != nil {
		return done, err
	}
	done.DamagedBytes += damaged
	progress(1, done)
	return done, nil
}

// Parts of the progress: at the end of the journal, and of the text index.
const (
	journalPart = 0.9
	textPart    = 0.95
)

// reclaimText writes the files of the text index again that have words that are gone.
func (s *Store) reclaimText(ctx context.Context, gone *gone, done *reqlog.Reclaimed, progress reqlog.ReclaimProgress) error {
	text, before := s.text.Load(), *done
	use := func(removed textindex.Removed) {
		*done = before
		done.Add(reqlog.Reclaimed{Files: int64(removed.Segments), BytesBefore: removed.Before, BytesAfter: removed.After})
		progress(textPart, *done)
	}
	removed, err := text.Remove(&gone.logs, &gone.texts, use, func() bool { return s.isStopping() || ctx.Err() != nil })
	use(removed)
	if err != nil {
		return reclaimError(errors.Join(err, s.textError(text)))
	}
	if text != s.text.Load() {
		return fault.Busy(retryAfter, nil, "The text index was rebuilt meanwhile")
	}
	return nil
}

// reclaimError returns the fault for a failure that can be gone the next time, such
// as a full disk.
func reclaimError(err error) error {
	if fault.Is(err, fault.Unavailable) || errors.Is(err, context.Canceled) {
		return err
	}
	return fault.Busy(retryAfter, err, "Cannot remove deleted requests from the data folder: %s", reason(err))
}

func errStopping() error { return fault.Busy(retryAfter, nil, "The server is shutting down") }

func (s *Store) isStopping() bool {
	select {
	case <-s.stopping:
		return true
	default:
		return false
	}
}

// reclaimJournal writes the segments of the journal again that have something that
// is gone.
func (s *Store) reclaimJournal(ctx context.Context, gone *gone, done *reqlog.Reclaimed, progress reqlog.ReclaimProgress) error {
	numbers := s.journal.Segments()
	for i, number := range numbers {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.isStopping() {
			return errStopping()
		}
		if i == len(numbers)-1 {
			if err := s.rotate(number, gone); err != nil {
				return err
			}
		}
		if !s.journal.IsLast(number) {
			r, err := s.journal.Rewrite(number, gone.keep)
			if err != nil {
				return err
			}
			if r.Blocks > 0 {
				done.Add(reqlog.Reclaimed{Files: 1, BytesBefore: r.Before, BytesAfter: r.After, DamagedBytes: r.Damaged})
			}
		}
		progress(journalPart*float64(i+1)/float64(len(numbers)), *done)
	}
	return nil
}

// rotate begins a new segment if the last one has something that is gone.
func (s *Store) rotate(number int64, gone *gone) error {
	changes, err := s.journal.Changes(number, gone.keep)
	if err != nil || !changes {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.closed {
		return errStopping()
	}
	return s.journal.Rotate()
}

// forget writes a table that has forgotten what is in no file any more, and that has
// no values of deleted logs, and puts it in the place of the other one.
func (s *Store) forget(ctx context.Context, upTo journal.Position, done *reqlog.Reclaimed) error {
	size, err := s.table.Size()
	if err != nil {
		return err
	}
	if !s.roomToCopy(size) {
		return fault.Busy(retryAfter, nil, "The disk of the data folder is too full to write the log table again")
	}
	if err := s.inApplying(ctx, func() error { return s.forgetRows(ctx, upTo) }); err != nil {
		return s.tableError(err)
	}
	before, err := s.table.Size()
	if err != nil {
		return err
	}
	if err := s.table.Copy(ctx); err != nil {
		return s.tableError(err)
	}
	if err := s.inApplying(ctx, func() error { return s.replaceTable(ctx) }); err != nil {
		return s.tableError(err)
	}
	after, err := s.table.Size()
	done.Add(reqlog.Reclaimed{Files: 1, BytesBefore: before, BytesAfter: after})
	return err
}

// forgetRows lets the table forget what is in no file any more, and saves it.
func (s *Store) forgetRows(ctx context.Context, upTo journal.Position) error {
	if err := s.table.Reclaimed(ctx, upTo, s.dropBlocks()); err != nil {
		return err
	}
	if _, err := s.table.Save(ctx, false); err != nil {
		return errors.Join(err, s.rebuild(ctx, err))
	}
	return nil
}

// roomToCopy reports whether a table of this size fits on the disk once more.
func (s *Store) roomToCopy(bytes int64) bool {
	free, err := s.freeMB()
	return err == nil && free >= uint64(bytes>>20)+uint64(max(s.opts.MinFreeMB/4, minSaveMB))
}

// replaceTable puts the copy of the table in its place and applies what has come
// since it was made.
func (s *Store) replaceTable(ctx context.Context) error {
	s.setRebuilding(true)
	defer s.setRebuilding(false)
	state, err := s.table.Replace(ctx)
	if err == nil {
		err = s.replay(ctx, state, func(*operation) {})
	}
	if err != nil {
		err = errors.Join(err, s.rebuild(ctx, err))
	}
	s.settle(err)
	return err
}

// dropBlocks removes the blocks from memory that the journal no longer has, and
// returns them.
func (s *Store) dropBlocks() (dropped []journal.Position) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := blockIndex{lastID: s.blocks.lastID}
	for i, at := range s.blocks.positions {
		if s.journal.Has(at) {
			left.firstIDs, left.positions = append(left.firstIDs, s.blocks.firstIDs[i]), append(left.positions, at)
		} else {
			dropped = append(dropped, at)
		}
	}
	if len(dropped) > 0 {
		s.blocks = left
	}
	return dropped
}

// inApplying calls a task in the applying goroutine, which is the only one that
// changes the table.
func (s *Store) inApplying(ctx context.Context, task func() error) error {
	select {
	case s.tasks <- task:
		return <-s.taskDone
	case <-s.stopping:
		return errStopping()
	case <-ctx.Done():
		return fmt.Errorf("reclaim storage: %w", ctx.Err())
	}
}
