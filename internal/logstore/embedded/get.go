package embedded

import (
	"context"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Get implements reqlog.Store. A log that was never changed and has no span is
// read from the journal alone.
func (s *Store) Get(ctx context.Context, workspace, id int64) (*reqlog.Log, error) {
	l, err := s.reader().first(ctx, workspace, id)
	if err != nil || !s.hasLater(l) {
		return l, err
	}
	if _, err := s.catchUp(ctx); err != nil {
		return nil, err
	}
	return l, s.addLater(ctx, []*reqlog.Log{l})
}

func (s *Store) isChanged(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed.has(id)
}

// hasLater reports whether something of the log may not be in its record: see
// addLater.
func (s *Store) hasLater(l *reqlog.Log) bool { return s.isChanged(l.ID) || l.SpanID != "" }

// firsts returns the logs with the ids as they were originally written, without
// bodies, and the ids of those that are damaged.
func (s *Store) firsts(ctx context.Context, workspace int64, ids []int64) (logs []*reqlog.Log, damaged []int64, err error) {
	reader := s.reader()
	logs = make([]*reqlog.Log, 0, len(ids))
	for _, id := range ids {
		l, err := reader.first(ctx, workspace, id)
		if s.isDeleted(id) {
			continue // since the table was asked
		}
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
	return logs, damaged, nil
}

// addLater sets what is not in the records of the logs: their current notes and
// prices, and their traces.
func (s *Store) addLater(ctx context.Context, logs []*reqlog.Log) error {
	if err := s.addChanges(ctx, logs); err != nil {
		return err
	}
	return s.addTraces(ctx, logs)
}

// addChanges sets the current notes and prices of logs that were changed.
func (s *Store) addChanges(ctx context.Context, logs []*reqlog.Log) error {
	var ids []int64
	for _, l := range logs {
		if s.isChanged(l.ID) {
			ids = append(ids, l.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	current, err := s.current(ctx, ids)
	for _, l := range logs {
		changed := current[l.ID]
		if changed.notes != nil {
			l.Notes = *changed.notes
		}
		if changed.price != nil {
			l.Price = *changed.price
		}
	}
	return err
}

// changes are the current notes and price of a log, nil if it still has those
// that it was written with.
type changes struct {
	notes *reqlog.Notes
	price *reqlog.Price
}

// current returns what was changed of those of the logs that were changed.
func (s *Store) current(ctx context.Context, ids []int64) (map[int64]changes, error) {
	rows, err := s.table.Changed(ctx, ids)
	if err != nil {
		return nil, s.tableError(err)
	}
	found := make(map[int64]changes, len(rows))
	for id, row := range rows {
		c := changes{price: row.Price}
		if row.Notes != nil {
			notes, err := document.DecodeNotes([]byte(*row.Notes))
			if err != nil {
				return nil, err
			}
			c.notes = &notes
		}
		found[id] = c
	}
	return found, nil
}
