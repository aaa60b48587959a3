package duckdb

import (
	"context"
	"database/sql"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// Get implements reqlog.Store. A log that was never annotated is read from the
// journal alone.
func (s *Store) Get(ctx context.Context, workspace, id int64) (*reqlog.Log, error) {
	r, err := s.record(workspace, id)
	if err != nil {
		return nil, err
	}
	l, err := decodeLog(r)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	annotated := s.annotated.has(id)
	s.mu.Unlock()
	if !annotated {
		return l, nil
	}
	if err := s.catchUp(ctx); err != nil {
		return nil, err
	}
	notes, err := s.notes(ctx, []int64{id})
	if err != nil {
		return nil, err
	}
	if current, ok := notes[id]; ok {
		l.Notes = current
	}
	return l, nil
}

// notes returns the present notes of logs as the table has them.
func (s *Store) notes(ctx context.Context, ids []int64) (map[int64]reqlog.Notes, error) {
	found := make(map[int64]reqlog.Notes, len(ids))
	return found, s.table.read(ctx, func(db *sql.DB) error {
		q := newQuery()
		q.write("SELECT id, notes FROM log WHERE id IN ", q.list(ids))
		rows, err := db.QueryContext(ctx, q.text(), q.args...)
		if err != nil {
			return err
		}
		return scanAll(rows, func() error {
			var id int64
			var encoded string
			if err := rows.Scan(&id, &encoded); err != nil {
				return err
			}
			notes, err := decodeNotes([]byte(encoded))
			found[id] = notes
			return err
		})
	})
}
