package embedded

import (
	"context"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Get implements reqlog.Store. A log that was never annotated and has no span is
// read from the journal alone.
func (s *Store) Get(ctx context.Context, workspace, id int64) (*reqlog.Log, error) {
	l, err := s.first(ctx, workspace, id)
	if err != nil || !s.isAnnotated(id) && l.SpanID == "" {
		return l, err
	}
	if _, err := s.catchUp(ctx); err != nil {
		return nil, err
	}
	return l, s.addLater(ctx, []*reqlog.Log{l})
}

// first returns a log of the workspace as it was originally written.
func (s *Store) first(ctx context.Context, workspace, id int64) (*reqlog.Log, error) {
	r, err := s.record(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	return decodeLog(r)
}

func (s *Store) isAnnotated(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.annotated.has(id)
}

// items returns the logs with the ids in their present state, without bodies,
// and the ids of those that are damaged.
func (s *Store) items(ctx context.Context, workspace int64, ids []int64) (logs []*reqlog.Log, damaged []int64, err error) {
	logs = make([]*reqlog.Log, 0, len(ids))
	for _, id := range ids {
		l, err := s.first(ctx, workspace, id)
		if fault.Is(err, fault.Damaged) || fault.Is(err, fault.NotFound) { // the table knows it
			damaged = append(damaged, id)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		l.Input, l.Output, l.Parameters = nil, nil, nil
		logs = append(logs, l)
	}
	return logs, damaged, s.addLater(ctx, logs)
}

// addLater sets what is not in the records of the logs: their current notes and
// their traces.
func (s *Store) addLater(ctx context.Context, logs []*reqlog.Log) error {
	if err := s.addNotes(ctx, logs); err != nil {
		return err
	}
	return s.addTraces(ctx, logs)
}

// addNotes sets the current notes of annotated logs.
func (s *Store) addNotes(ctx context.Context, logs []*reqlog.Log) error {
	var ids []int64
	for _, l := range logs {
		if s.isAnnotated(l.ID) {
			ids = append(ids, l.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	notes, err := s.notes(ctx, ids)
	for _, l := range logs {
		if current, ok := notes[l.ID]; ok {
			l.Notes = current
		}
	}
	return err
}

// notes returns the current notes of those of the logs that were annotated.
func (s *Store) notes(ctx context.Context, ids []int64) (map[int64]reqlog.Notes, error) {
	encoded, err := s.table.Notes(ctx, ids)
	if err != nil {
		return nil, s.tableError(err)
	}
	found := make(map[int64]reqlog.Notes, len(encoded))
	for id, notes := range encoded {
		if found[id], err = decodeNotes([]byte(notes)); err != nil {
			return nil, err
		}
	}
	return found, nil
}
