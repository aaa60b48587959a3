package embedded

import (
	"context"
	"errors"
	"log/slog"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
)

// upkeep keeps the table in step with the journal: it applies operations to it, saves
// it to its file, and opens, rebuilds or replaces it. Only the applying goroutine uses
// it, or who opens the store before there is one; what readers wait for in the meantime is
// said to the queue.
type upkeep struct {
	dir     string
	journal *journal.Journal
	table   *table.Table
	texts   *texts
	index   *index
	queue   *queue
	archive *archive
	disk    *disk
	log     *slog.Logger

	place journal.Place  // the first record that is not applied
	until *journal.Place // if set, later records are not applied
}

// save writes the table to its file if at least so many rows are unsaved. If
// that fails, the table is reopened and brought up to date, so that reads go on.
// It reports whether nothing is left to do.
func (u *upkeep) save(ctx context.Context, rows int) bool {
	err := u.queue.err()
	if err == nil && u.table.Unsaved() < rows {
		return true
	}
	if err == nil && !u.disk.roomToSave() {
		return false
	}
	if err == nil {
		err = u.table.Checkpoint(ctx)
	}
	if err == nil {
		return u.table.Unsaved() < rows
	}
	err = u.rebuild(ctx, err)
	u.settle(err)
	return err == nil
}

// applyOrRebuild applies the operations, and rebuilds the table if that fails.
func (u *upkeep) applyOrRebuild(ctx context.Context, operations []operation) error {
	err := u.apply(ctx, operations)
	if err == nil {
		return nil
	}
	return u.rebuild(ctx, err)
}

// rebuild reopens the table, because some errors leave it unusable, or replaces
// it if it is damaged, and brings it up to date from the journal.
func (u *upkeep) rebuild(ctx context.Context, cause error) error {
	u.log.Warn("the log table failed and is opened again", "error", cause)
	u.queue.setRebuilding(true)
	defer u.queue.setRebuilding(false)
	state, err := u.table.Restore(ctx, cause)
	if err != nil {
		return err
	}
	return u.replay(ctx, state, func(*operation) {})
}

// settle tells the queue how far the table is, and why it is not further.
func (u *upkeep) settle(err error) { u.queue.settle(u.place, err) }

// forgetRows lets the table forget what is in no file any more, and saves it.
func (u *upkeep) forgetRows(ctx context.Context, upTo journal.Position) error {
	if err := u.table.Reclaimed(ctx, upTo, u.index.dropBlocks(u.journal.Has)); err != nil {
		return err
	}
	if _, err := u.table.Save(ctx, false); err != nil {
		return errors.Join(err, u.rebuild(ctx, err))
	}
	return nil
}

// replace puts the copy of the table in its place and applies what has come
// since it was made.
func (u *upkeep) replace(ctx context.Context) error {
	u.queue.setRebuilding(true)
	defer u.queue.setRebuilding(false)
	state, err := u.table.Replace(ctx)
	if err == nil {
		err = u.replay(ctx, state, func(*operation) {})
	}
	if err != nil {
		err = errors.Join(err, u.rebuild(ctx, err))
	}
	u.settle(err)
	return err
}
