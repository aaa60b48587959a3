package catalog

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/fault"
)

// DefaultWorkspace is the name of the workspace made on a first start.
const DefaultWorkspace = "default"

// Workspace is one team's space; nothing in it is visible from another.
type Workspace = access.Workspace

const workspaceColumns = `workspace.id, workspace.name, workspace.roles_required, workspace.created_at, workspace.disabled_at`

// intoWorkspace returns where the values of workspaceColumns go.
func intoWorkspace(w *Workspace) []any {
	return []any{&w.ID, &w.Name, &w.RolesRequired, at{&w.CreatedAt}, maybeAt{&w.DisabledAt}}
}

func scanWorkspace(r row) (Workspace, error) {
	var w Workspace
	err := r.Scan(intoWorkspace(&w)...)
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
	if err := checkName("the name of a workspace", name); err != nil {
		return nil, err
	}
	return inTx(ctx, c, func(ctx context.Context) ([]Workspace, error) {
		created, err := queryAll(ctx, c, scanWorkspace, `
INSERT INTO workspace (name, created_at)
VALUES ($1, $2)
ON CONFLICT (name) DO NOTHING
RETURNING `+workspaceColumns, name, c.now())
		if err != nil || len(created) == 0 {
			return nil, err
		}
		return created, c.noteWorkspace(ctx, audit.Create, created[0], nil)
	})
}

// noteWorkspace tells the workspace itself and the installation.
func (c *Catalog) noteWorkspace(ctx context.Context, action audit.Action, w Workspace, more detail) error {
	subject := audit.Subject{Kind: audit.SubjectWorkspace, ID: w.ID, Name: w.Name}
	if err := c.note(ctx, &w.ID, action, subject, more); err != nil {
		return err
	}
	return c.note(ctx, nil, action, subject, more)
}

// RenameWorkspace gives a workspace another name and returns it. The fault is
// NotFound when there is none, Conflict when the name is taken, and Invalid
// when it is empty or too long.
func (c *Catalog) RenameWorkspace(ctx context.Context, id int64, name string) (Workspace, error) {
	if err := checkName("the name of a workspace", name); err != nil {
		return Workspace{}, err
	}
	renamed, err := inTx(ctx, c, func(ctx context.Context) (Workspace, error) {
		// Locked, the name that is read is the one that it has until now.
		if err := c.lockTree(ctx, id); err != nil {
			return Workspace{}, err
		}
		before, err := c.GetWorkspace(ctx, id)
		if err != nil {
			return Workspace{}, err
		}
		return c.changeWorkspace(ctx, id, audit.Rename, detail{"before": before.Name}, `name = $2`, name)
	})
	if err != nil {
		return Workspace{}, fmt.Errorf("rename workspace: %w", taken(err, "a workspace named %q already exists", name))
	}
	return renamed, nil
}

// RequireRoles says whether callers without a role may only read, and returns
// the workspace. The fault is NotFound when there is none.
func (c *Catalog) RequireRoles(ctx context.Context, id int64, required bool) (Workspace, error) {
	changed, err := c.changeWorkspace(ctx, id, audit.Change, detail{"roles_required": required}, `roles_required = $2`, flag(required))
	if err != nil {
		return Workspace{}, fmt.Errorf("require roles: %w", err)
	}
	return changed, nil
}

// DisableWorkspace lets nobody in any more and returns the workspace; one that
// was disabled before keeps the time of that. The fault is NotFound when there
// is none.
func (c *Catalog) DisableWorkspace(ctx context.Context, id int64) (Workspace, error) {
	disabled, err := c.changeWorkspace(ctx, id, audit.Disable, nil, `disabled_at = COALESCE(disabled_at, $2)`, c.now())
	if err != nil {
		return Workspace{}, fmt.Errorf("disable workspace: %w", err)
	}
	return disabled, nil
}

// EnableWorkspace undoes DisableWorkspace and returns the workspace. The fault
// is NotFound when there is none.
func (c *Catalog) EnableWorkspace(ctx context.Context, id int64) (Workspace, error) {
	enabled, err := c.changeWorkspace(ctx, id, audit.Enable, nil, `disabled_at = $2`, nil)
	if err != nil {
		return Workspace{}, fmt.Errorf("enable workspace: %w", err)
	}
	return enabled, nil
}

func (c *Catalog) changeWorkspace(
	ctx context.Context, id int64, action audit.Action, more detail, set string, arg any,
) (Workspace, error) {
	return inTx(ctx, c, func(ctx context.Context) (Workspace, error) {
		changed, err := queryOne(ctx, c, scanWorkspace, `
UPDATE workspace
SET `+set+`
WHERE id = $1
RETURNING `+workspaceColumns, id, arg)
		if err != nil {
			return Workspace{}, notFound(err, "workspace %d not found", id)
		}
		return changed, c.noteWorkspace(ctx, action, changed, more)
	})
}
