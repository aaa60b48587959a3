package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
)

// recover brings the table, which is in this state, and the text index up to
// the end of the journal.
func (u *upkeep) recover(ctx context.Context, state table.State) error {
	if err := u.checkEnd(state.Next); err != nil {
		return err
	}
	state, err := u.adoptKeys(ctx, state)
	if err != nil {
		return err
	}
	if err := u.texts.recover(ctx, u.index.lastID()); err != nil {
		return err
	}
	if err := u.replay(ctx, state, u.index.note); err != nil {
		return err
	}
	return u.checkLastID()
}

// adoptKeys adopts the state and the keys of the table. It reads more of the
// table than opening it does, and replaces it if that finds damage.
func (u *upkeep) adoptKeys(ctx context.Context, state table.State) (table.State, error) {
	u.index.adopt(state)
	damage := u.table.Keys(ctx, u.index.addKey)
	if damage == nil {
		return state, nil
	}
	u.log.Warn("the log table failed and is opened again", "error", damage)
	state, err := u.table.Restore(ctx, damage)
	if err != nil {
		return state, err
	}
	u.index.adopt(state)
	return state, u.table.Keys(ctx, u.index.addKey)
}

// checkEnd compares the end of the journal with the place up to which the table
// has applied it. Bytes after the last intact block that the table contains were
// acknowledged, so they are damage and not an interrupted write.
func (u *upkeep) checkEnd(next journal.Place) error {
	end := u.journal.End()
	if !(journal.Place{Block: end}).Before(next) {
		return nil
	}
	if next.Block < end+journal.Position(u.journal.Tail()) {
		u.journal.KeepTail()
		return nil
	}
	return fmt.Errorf("the journal in %s ends before what the log table has applied from it: %w", u.dir, errShortJournal)
}

// checkLastID compares the journal with the text index. The index may know logs
// of damaged blocks; their ids must not be used again.
func (u *upkeep) checkLastID() error {
	if u.texts.last <= u.index.lastID() {
		return nil
	}
	if u.journal.Tail() == 0 && len(u.journal.Damage()) == 0 {
		return fmt.Errorf("the journal in %s ends before what the text index has read from it: %w", u.dir, errShortJournal)
	}
	u.journal.KeepTail()
	u.index.raise(u.texts.last)
	return nil
}

// errShortJournal says how to proceed without losing anything.
var errShortJournal = errors.New("it was restored from an older backup or has lost its end. " +
	"Restore the whole data folder from one backup; or, to go on with what the journal has, " +
	"copy the data folder and run promptuary repair, which lists the logs that are missing")

// replay applies the records that the table, which is in this state, lacks. It
// calls note for each of them first. Damaged blocks are left out, unless their
// operations are still pending.
func (u *upkeep) replay(ctx context.Context, state table.State, note func(*operation)) error {
	from, lastID := state.Next, state.LastID
	u.place = from
	var operations []operation
	rows := 0
	flush := func() error {
		if len(operations) == 0 {
			return nil
		}
		err := u.apply(ctx, operations)
		operations, rows = operations[:0], 0
		if err == nil && u.table.Unsaved() >= table.CheckpointRows && u.disk.roomToSave() {
			err = u.table.Checkpoint(ctx)
		}
		return err
	}
	progress := reporter(u.log, "log table")
	for block, err := range u.journal.Scan(from.Block) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		found, err := u.operationsOf(block)
		if err != nil {
			return err
		}
		for i := range found {
			op := &found[i]
			if op.place.Before(from) {
				continue
			}
			if u.until != nil && !op.place.Before(*u.until) {
				return flush()
			}
			if op.log != nil && op.ID <= lastID {
				u.log.Error("a log is out of order in the journal and is left out", "id", op.ID, "after", lastID)
				continue
			}
			lastID = max(lastID, op.lastID())
			note(op)
			operations = append(operations, *op)
			rows += op.rows()
			progress(op.ID)
		}
		if rows >= applyRows {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// operationsOf returns the operations of a block. Those of a block that cannot be
// read are still known if they are pending. Then the table gets them, so that it
// knows whose logs are damaged.
func (u *upkeep) operationsOf(block journal.Block) ([]operation, error) {
	if block.Damaged {
		return u.queue.between(block.Position, block.Next), nil
	}
	return decodeBlock(block)
}

// reporter returns a function that logs the progress of a long recovery.
func reporter(log *slog.Logger, what string) func(id int64) {
	next := time.Now().Add(3 * time.Second)
	return func(id int64) {
		if now := time.Now(); now.After(next) {
			next = now.Add(3 * time.Second)
			log.Info("recovering from the journal", "part", what, "at_log", id)
		}
	}
}
