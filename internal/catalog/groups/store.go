// Package groups keeps the groups that request logs can be put into.
package groups

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// Store keeps groups as requests.Groups promises.
type Store struct{ db *engine.DB }

// New returns the store of groups of a database.
func New(db *engine.DB) *Store { return &Store{db} }

var _ requests.Groups = (*Store)(nil)

// CreateGroup adds a group of requests.
func (s *Store) CreateGroup(ctx context.Context, workspaceID int64) (int64, error) {
	id, err := engine.Transact(ctx, s.db, func(ctx context.Context) (int64, error) {
		return engine.ExecOne(ctx, s.db, engine.ScanInt, table.RequestGroup.Insert(`
(workspace_id, created_at)
VALUES ($1, $2)
RETURNING id`), workspaceID, s.db.Now())
	})
	return engine.Wrap(id, engine.Missing(err, "Workspace %d not found", workspaceID), "create group")
}

// GroupExists reports whether the workspace has the group.
func (s *Store) GroupExists(ctx context.Context, workspaceID, id int64) (bool, error) {
	count, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM request_group
WHERE workspace_id = $1
AND id = $2`, workspaceID, id)
	if err != nil {
		return false, fmt.Errorf("look up group: %w", err)
	}
	return count > 0, nil
}
