// Package installation keeps what identifies the installation that a catalog
// belongs to.
package installation

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
)

// Store keeps the identity of the installation.
type Store struct{ db *engine.DB }

// New returns the store of a database.
func New(db *engine.DB) *Store { return &Store{db} }

// ID returns the id of the installation, and whether a server has used the
// catalog before. If so, the id is still empty in a catalog of an earlier
// version.
func (s *Store) ID(ctx context.Context) (id string, used bool, err error) {
	id, err = engine.QueryOne(ctx, s.db, engine.ScanString, `
SELECT id
FROM installation`)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("read the installation: %w", err)
	}
	return id, true, nil
}

// SetID gives an id to an installation that has none, and returns the id that
// the installation has now. Any number of processes may do so concurrently: one
// of them succeeds, and all get its id.
func (s *Store) SetID(ctx context.Context, id string) (string, error) {
	return engine.Transact(ctx, s.db, func(ctx context.Context) (string, error) {
		_, err := engine.Exec(ctx, s.db, table.Installation.Insert(`
(one, id)
VALUES (1, $1)
ON CONFLICT (one) DO UPDATE SET id = excluded.id
WHERE installation.id = ''`), id)
		if err != nil {
			return "", fmt.Errorf("set the installation: %w", err)
		}
		current, _, err := s.ID(ctx)
		return current, err
	})
}
