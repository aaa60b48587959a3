package embedded

import (
	"context"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// recover brings the table, which is in this state, and the text index up to
// the end of the journal.
func (s *Store) recover(ctx context.Context, state table.State) error {
	if end := s.journal.End(); state.Next.Block > end || state.Next.Block == end && state.Next.Slot > 0 {
		return fmt.Errorf("the log table in %s knows more than the journal beside it: restore both from one backup, or delete %s to build it anew", s.dir, table.FileName)
	}
	s.adopt(state)
	if err := s.recoverText(ctx, s.blocks.lastID); err != nil {
		return err
	}
	err := s.replay(ctx, state.Next, func(op operation) {
		if op.log != nil {
			s.blocks.add(op.ID, op.place.Block)
			s.owners.add(op.log.Workspace)
		} else {
			s.annotated.add(op.ID)
		}
	})
	if err == nil && s.indexed > s.blocks.lastID {
		return fmt.Errorf("the text index in %s knows more than the journal beside it: restore both from one backup, or delete the folder %s to build it anew", s.dir, textFolder)
	}
	return err
}

// adopt takes over what the table knows about the journal.
func (s *Store) adopt(state table.State) {
	s.blocks, s.annotated, s.owners = blockIndex{}, nil, owners{}
	for _, b := range state.Blocks {
		s.blocks.add(b.FirstID, b.Position)
	}
	s.blocks.lastID = max(s.blocks.lastID, state.LastID)
	for _, id := range state.Annotated {
		s.annotated.add(id)
	}
	if state.LastID > 0 {
		s.owners.add(state.Lowest)
		s.owners.add(state.Highest)
	}
}

// recoverText adds the logs that the table has and the text index lacks.
func (s *Store) recoverText(ctx context.Context, lastID int64) error {
	from := s.text.Last()
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
			parts, err := r.parts()
			if err != nil {
				return err
			}
			if err := s.addText(r.id(), string(parts[partInputText]), string(parts[partOutputText]), string(parts[partThinkingText])); err != nil {
				return err
			}
			progress(r.id())
		}
	}
	return nil
}

// replay applies the records from a place on; note is called for each before.
func (s *Store) replay(ctx context.Context, from journal.Place, note func(operation)) error {
	s.next = from
	var operations []operation
	flush := func() error {
		if len(operations) == 0 {
			return nil
		}
		err := s.apply(ctx, operations)
		operations = operations[:0]
		if err == nil && s.table.Unsaved() >= table.CheckpointRows {
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
		for slot, raw := range block.Records {
			if block.Position == from.Block && int64(slot) < from.Slot {
				continue
			}
			op, err := decodeOperation(record(raw), journal.Place{Block: block.Position, Slot: int64(slot)})
			if err != nil {
				return fmt.Errorf("journal block %d: %w", block.Position, err)
			}
			note(op)
			operations = append(operations, op)
			progress(op.ID)
		}
		if len(operations) >= applyRows {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
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
		op.Annotation, err = decodeAnnotation(r)
	default:
		err = fmt.Errorf("%w: kind %d is not known to this version", errRecord, r.kind())
	}
	return op, err
}

// reporter logs every few seconds how far a long recovery has come.
func (s *Store) reporter(what string) func(id int64) {
	next := time.Now().Add(3 * time.Second)
	return func(id int64) {
		if now := time.Now(); now.After(next) {
			next = now.Add(3 * time.Second)
			s.log.Info("recovering from the journal", "part", what, "at_log", id)
		}
	}
}
