package catalog

import (
	"context"
	"fmt"
)

// CreateGroup adds a group that requests can be put in and returns its id.
// The fault is NotFound when the workspace is unknown.
func (c *Catalog) CreateGroup(ctx context.Context, workspaceID int64) (int64, error) {
	id, err := inTx(ctx, c, func(ctx context.Context) (int64, error) {
		return queryOne(ctx, c, scanInt, `
INSERT INTO request_group (workspace_id, created_at)
VALUES ($1, $2)
RETURNING id`, workspaceID, c.now())
	})
	if err != nil {
		return 0, fmt.Errorf("create group: %w", missing(err, "workspace %d not found", workspaceID))
	}
	return id, nil
}

// GroupExists reports whether the workspace has the group.
func (c *Catalog) GroupExists(ctx context.Context, workspaceID, id int64) (bool, error) {
	count, err := queryOne(ctx, c, scanInt, `
SELECT COUNT(*)
FROM request_group
WHERE workspace_id = $1
AND id = $2`, workspaceID, id)
	if err != nil {
		return false, fmt.Errorf("look up group: %w", err)
	}
	return count > 0, nil
}
