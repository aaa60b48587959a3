package embedded

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// recover brings the table, which is in this state, and the text index up to
// the end of the journal.
func (s *Store) recover(ctx context.Context, state table.State) error {
	if err := s.checkEnd(state.Next); err != nil {
		return err
	}
	state, err := s.adoptKeys(ctx, state)
	if err != nil {
		return err
	}
	if err := s.recoverText(ctx, s.blocks.lastID); err != nil {
		return err
	}
	if err := s.replay(ctx, state, s.note); err != nil {
		return err
	}
	return s.checkLastID()
}

// adoptKeys adopts the state and the keys of the table. It reads more of the
// table than opening it does, and replaces it if that finds damage.
func (s *Store) adoptKeys(ctx context.Context, state table.State) (table.State, error) {
	add := func(key int64) { s.seen.add(key) }
	s.adopt(state)
	damage := s.table.Keys(ctx, add)
	if damage == nil {
		return state, nil
	}
	s.log.Warn("the log table failed and is opened again", "error", damage)
	state, err := s.table.Restore(ctx, damage)
	if err != nil {
		return state, err
	}
	s.adopt(state)
	return state, s.table.Keys(ctx, add)
}

// checkEnd compares the end of the journal with the place up to which the table
// has applied it. Bytes after the last intact block that the table knows were
// acknowledged, so they are damage and not an interrupted write.
func (s *Store) checkEnd(next journal.Place) error {
	end := s.journal.End()
	if !(journal.Place{Block: end}).Before(next) {
		return nil
	}
	if next.Block < end+journal.Position(s.journal.Tail()) {
		s.journal.KeepTail()
		return nil
	}
	return fmt.Errorf("the journal in %s ends before what the log table has applied from it: %w", s.dir, errShortJournal)
}

// checkLastID compares the journal with the text index. The index may know logs
// of damaged blocks; their ids must not be used again.
func (s *Store) checkLastID() error {
	if s.indexed <= s.blocks.lastID {
		return nil
	}
	if s.journal.Tail() == 0 && len(s.journal.Damage()) == 0 {
		return fmt.Errorf("the journal in %s ends before what the text index has read from it: %w", s.dir, errShortJournal)
	}
	s.journal.KeepTail()
	s.blocks.lastID = s.indexed
	return nil
}

// errShortJournal says how to proceed without losing anything.
var errShortJournal = errors.New("it was restored from an older backup or has lost its end. " +
	"Restore the whole data folder from one backup; or, to go on with what the journal has, " +
	"copy the data folder and run promptuary repair, which lists the logs that are missing")

// adopt takes over what the table knows about the journal.
func (s *Store) adopt(state table.State) {
	s.blocks, s.changed, s.owners = blockIndex{}, nil, owners{}
	for _, b := range state.Blocks {
		s.blocks.add(b.FirstID, b.Position)
	}
	s.blocks.lastID = max(s.blocks.lastID, state.LastID)
	for _, id := range state.Changed {
		s.changed.add(id)
	}
	s.hide(&state.Deleted)
	if state.LastID > 0 {
		s.owners.add(state.Lowest)
		s.owners.add(state.Highest)
	}
}

// recoverText adds the logs up to lastID that the text index lacks. Nobody else may
// add any meanwhile.
func (s *Store) recoverText(ctx context.Context, lastID int64) error {
	from := s.text.Load().Last()
	s.indexed = from
	if lastID <= max(from, 0) {
		return nil
	}
	s.log.Info("adding logs to the text index", "after", from, "up_to", lastID)
	start, ok := s.blocks.find(from)
	if !ok {
		start = 0
	}
	progress := s.reporter("text index")
	for block, err := range s.journal.Scan(start) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, raw := range block.Records {
			r := record(raw)
			if !r.valid() || r.kind() != recordLog || r.id() <= from {
				continue
			}
			if r.id() > lastID {
				return nil // replay adds the rest
			}
			if s.isDeleted(r.id()) {
				continue
			}
			parts, err := r.parts()
			if err != nil {
				return err
			}
			l, err := decodeLog(r)
			if err != nil {
				return err
			}
			texts := parts.texts()
			if s.isStripped(r.id()) {
				texts = logTexts{}
			}
			if err := s.addText(l, texts); err != nil {
				return err
			}
			progress(r.id())
		}
	}
	return nil
}

// replay applies the records that the table, which is in this state, lacks. It
// calls note for each of them first. Damaged blocks are left out, unless their
// operations are still pending.
func (s *Store) replay(ctx context.Context, state table.State, note func(*operation)) error {
	from, lastID := state.Next, state.LastID
	s.next = from
	var operations []operation
	rows := 0
	flush := func() error {
		if len(operations) == 0 {
			return nil
		}
		err := s.apply(ctx, operations)
		operations, rows = operations[:0], 0
		if err == nil && s.table.Unsaved() >= table.CheckpointRows && s.roomToSave() {
			err = s.table.Checkpoint(ctx)
		}
		return err
	}
	progress := s.reporter("log table")
	for block, err := range s.journal.Scan(from.Block) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		found, err := s.operationsOf(block)
		if err != nil {
			return err
		}
		for i := range found {
			op := &found[i]
			if op.place.Before(from) {
				continue
			}
			if s.until != nil && !op.place.Before(*s.until) {
				return flush()
			}
			if op.log != nil && op.ID <= lastID {
				s.log.Error("a log is out of order in the journal and is left out", "id", op.ID, "after", lastID)
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
func (s *Store) operationsOf(block journal.Block) ([]operation, error) {
	if block.Damaged {
		return s.pendingBetween(block.Position, block.Next), nil
	}
	return decodeBlock(block)
}

// decodeBlock returns the operations of a block that are not deleted.
func decodeBlock(block journal.Block) ([]operation, error) {
	operations := make([]operation, 0, len(block.Records))
	for slot, raw := range block.Records {
		if len(raw) == 0 {
			continue
		}
		op, err := decodeOperation(record(raw), journal.Place{Block: block.Position, Slot: int64(slot)})
		if err != nil {
			return nil, fmt.Errorf("journal block %d: %w", block.Position, err)
		}
		operations = append(operations, op)
	}
	return operations, nil
}

// pendingBetween returns the pending operations of the blocks from one position
// up to another.
func (s *Store) pendingBetween(from, to journal.Position) (found []operation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, op := range s.pending {
		if from <= op.place.Block && op.place.Block < to {
			found = append(found, op)
		}
	}
	return found
}

func decodeOperation(r record, at journal.Place) (operation, error) {
	if !r.valid() {
		return operation{}, errRecord
	}
	op := operation{Change: reqlog.Change{Workspace: r.workspace(), ID: r.id()}, size: len(r), place: at}
	var err error
	switch r.kind() {
	case recordLog:
		op.log, err = decodeWhole(r)
	case recordAnnotation:
		op.Annotation, err = document.DecodeAnnotation(r[recordHeader:])
	case recordSpan:
		op.span, err = decodeSpan(r)
		op.replaces = true // unless it is known to be new
	case recordClosure:
		op.closure, err = decodeClosure(r)
	case recordPrices:
		op.ID = 0
		op.prices, err = decodePriceChange(r)
	case recordDeletion:
		op.deletion, err = decodeDeletion(r)
	default:
		err = fmt.Errorf("%w: kind %d is not known to this version", errRecord, r.kind())
	}
	return op, err
}

// reporter returns a function that logs the progress of a long recovery.
func (s *Store) reporter(what string) func(id int64) {
	next := time.Now().Add(3 * time.Second)
	return func(id int64) {
		if now := time.Now(); now.After(next) {
			next = now.Add(3 * time.Second)
			s.log.Info("recovering from the journal", "part", what, "at_log", id)
		}
	}
}
