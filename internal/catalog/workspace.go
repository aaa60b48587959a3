package catalog

import (
	"context"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// DefaultWorkspace is the name of the workspace made on a first start.
const DefaultWorkspace = "default"

// Workspace is one team's space; nothing in it is visible from another.
type Workspace struct {
	ID        int64
	Name      string
	CreatedAt time.Time
}

const workspaceColumns = `id, name, created_at`

func scanWorkspace(r row) (Workspace, error) {
	var w Workspace
	err := r.Scan(&w.ID, &w.Name, at{&w.CreatedAt})
	return w, err
}

// CreateWorkspace adds a workspace. The fault is Conflict when the name is
// taken and Invalid when it is empty or too long.
func (c *Catalog) CreateWorkspace(ctx context.Context, name string) (Workspace, error) {
	created, err := c.insertWorkspace(ctx, name)
	if err != nil {
		return Workspace{}, fmt.Errorf("create workspace: %w", err)
	}
	if len(created) == 0 {
		return Workspace{}, fault.Conflictf("a workspace named %q already exists", name)
	}
	return created[0], nil
}

// EnsureWorkspace returns the workspace of that name and adds it when there
// is none. Any number of processes may do so at once.
func (c *Catalog) EnsureWorkspace(ctx context.Context, name string) (Workspace, error) {
	return inTx(ctx, c, func(ctx context.Context) (Workspace, error) {
		created, err := c.insertWorkspace(ctx, name)
		if err != nil {
			return Workspace{}, fmt.Errorf("ensure workspace: %w", err)
		}
		if len(created) == 1 {
			return created[0], nil
		}
		return c.FindWorkspace(ctx, name)
	})
}

// EnsureDefaultWorkspace returns the oldest workspace; when there is none at
// all it adds the one named DefaultWorkspace.
func (c *Catalog) EnsureDefaultWorkspace(ctx context.Context) (Workspace, error) {
	all, err := c.ListWorkspaces(ctx)
	if err != nil {
		return Workspace{}, err
	}
	if len(all) > 0 {
		return all[0], nil
	}
	return c.EnsureWorkspace(ctx, DefaultWorkspace)
}

// GetWorkspace returns a workspace by id; the fault is NotFound when there is
// none.
func (c *Catalog) GetWorkspace(ctx context.Context, id int64) (Workspace, error) {
	found, err := queryOne(ctx, c, scanWorkspace, `
SELECT `+workspaceColumns+`
FROM workspace
WHERE id = $1`, id)
	if err != nil {
		return Workspace{}, fmt.Errorf("get workspace: %w", notFound(err, "workspace %d not found", id))
	}
	return found, nil
}

// FindWorkspace returns a workspace by its exact name; the fault is NotFound
// when there is none.
func (c *Catalog) FindWorkspace(ctx context.Context, name string) (Workspace, error) {
	found, err := queryOne(ctx, c, scanWorkspace, `
SELECT `+workspaceColumns+`
FROM workspace
WHERE name = $1`, name)
	if err != nil {
		return Workspace{}, fmt.Errorf("find workspace: %w", notFound(err, "workspace %q not found", name))
	}
	return found, nil
}

// ListWorkspaces returns all workspaces, oldest first.
func (c *Catalog) ListWorkspaces(ctx context.Context) ([]Workspace, error) {
	all, err := queryAll(ctx, c, scanWorkspace, `
SELECT `+workspaceColumns+`
FROM workspace
ORDER BY id`)
	if err != nil {
		return nil, fmt.Errorf("list workspaces: %w", err)
	}
	return all, nil
}

// insertWorkspace returns the new workspace, or none when the name is taken.
func (c *Catalog) insertWorkspace(ctx context.Context, name string) ([]Workspace, error) {
	if err := checkLength("the name of a workspace", name, maxName); err != nil {
		return nil, err
	}
	return inTx(ctx, c, func(ctx context.Context) ([]Workspace, error) {
		return queryAll(ctx, c, scanWorkspace, `
INSERT INTO workspace (name, created_at)
VALUES ($1, $2)
ON CONFLICT (name) DO NOTHING
RETURNING `+workspaceColumns, name, c.now())
	})
}
