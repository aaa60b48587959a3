package embedded

import (
	"context"
	"errors"
	"sync"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// reclaimer removes what was deleted from the files, one run at a time, in the goroutine
// of who asks for it. It writes files again beside the running store; what changes the
// table it has the applier do.
type reclaimer struct {
	journal *journal.Journal
	table   *table.Table
	texts   *texts
	queue   *queue
	writer  *writer
	applier *applier
	upkeep  *upkeep
	disk    *disk
	alarms  *alarms

	mu       sync.Mutex // held during a run
	stopping <-chan struct{}
}

// reclaim is requests.Store.Reclaim. It writes the files of the journal and of the
// text index again that have something that was deleted, one at a time, and then
// lets the table forget that they had. If it is interrupted, the table still knows:
// the journal has the records of deletions.
func (c *reclaimer) reclaim(ctx context.Context, progress reqlog.ReclaimProgress) (done reqlog.Reclaimed, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if progress == nil {
		progress = func(float64, reqlog.Reclaimed) {}
	}
	if isClosed(c.stopping) {
		return done, errStopping()
	}
	upTo := c.journal.End()
	if _, err := c.queue.await(ctx); err != nil {
		return done, err
	}
	deleted, err := c.table.Deleted(ctx)
	if err != nil {
		return done, c.alarms.tableError(err)
	}
	if deleted.Empty() {
		progress(1, done)
		return done, nil
	}
	gone, damaged, err := c.newGone(deleted)
	if err != nil {
		return done, reclaimError(err)
	}
	if err := c.reclaimJournal(ctx, gone, &done, progress); err != nil {
		return done, reclaimError(err)
	}
	if err := c.reclaimText(ctx, gone, &done, progress); err != nil {
		return done, err
	}
	if err := c.forget(ctx, upTo, &done); err != nil {
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
func (c *reclaimer) reclaimText(ctx context.Context, gone *gone, done *reqlog.Reclaimed, progress reqlog.ReclaimProgress) error {
	text, before := c.texts.current(), *done
	use := func(removed textindex.Removed) {
		*done = before
		done.Add(reqlog.Reclaimed{Files: int64(removed.Segments), BytesBefore: removed.Before, BytesAfter: removed.After})
		progress(textPart, *done)
	}
	removed, err := text.Remove(&gone.logs, &gone.texts, use, func() bool { return isClosed(c.stopping) || ctx.Err() != nil })
	use(removed)
	if err != nil {
		return reclaimError(errors.Join(err, c.alarms.textError(text)))
	}
	if text != c.texts.current() {
		return fault.Busy(retryAfter, nil, "The text index has been rebuilt. Please retry")
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

// reclaimJournal writes the segments of the journal again that have something that
// is gone.
func (c *reclaimer) reclaimJournal(ctx context.Context, gone *gone, done *reqlog.Reclaimed, progress reqlog.ReclaimProgress) error {
	numbers := c.journal.Segments()
	for i, number := range numbers {
		if err := ctx.Err(); err != nil {
			return err
		}
		if isClosed(c.stopping) {
			return errStopping()
		}
		if i == len(numbers)-1 {
			if err := c.rotate(number, gone); err != nil {
				return err
			}
		}
		if !c.journal.IsLast(number) {
			r, err := c.journal.Rewrite(number, gone.keep)
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

// forget writes a table that has forgotten what is in no file any more, and that has
// no values of deleted logs, and puts it in the place of the other one.
func (c *reclaimer) forget(ctx context.Context, upTo journal.Position, done *reqlog.Reclaimed) error {
	size, err := c.table.Size()
	if err != nil {
		return err
	}
	if !c.disk.roomToCopy(size) {
		return fault.Busy(retryAfter, nil, "The disk of the data folder is too full to write the log table again")
	}
	if err := c.applier.do(ctx, func() error { return c.upkeep.forgetRows(ctx, upTo) }); err != nil {
		return c.alarms.tableError(err)
	}
	before, err := c.table.Size()
	if err != nil {
		return err
	}
	if err := c.table.Copy(ctx); err != nil {
		return c.alarms.tableError(err)
	}
	if err := c.applier.do(ctx, func() error { return c.upkeep.replace(ctx) }); err != nil {
		return c.alarms.tableError(err)
	}
	after, err := c.table.Size()
	done.Add(reqlog.Reclaimed{Files: 1, BytesBefore: before, BytesAfter: after})
	return err
}

// rotate begins a new segment if the last one has something that is gone.
func (c *reclaimer) rotate(number int64, gone *gone) error {
	changes, err := c.journal.Changes(number, gone.keep)
	if err != nil || !changes {
		return err
	}
	return c.writer.rotate()
}
