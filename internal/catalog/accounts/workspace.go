package accounts

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/fault"
)

const workspaceColumns = `workspace.id, workspace.name, workspace.roles_required, workspace.created_at, workspace.disabled_at`

// intoWorkspace returns the destinations of workspaceColumns.
func intoWorkspace(w *access.Workspace) []any {
	return []any{&w.ID, &w.Name, &w.RolesRequired, engine.Time(&w.CreatedAt), engine.NullTime(&w.DisabledAt)}
}

func scanWorkspace(r engine.Row) (access.Workspace, error) {
	var w access.Workspace
	err := r.Scan(intoWorkspace(&w)...)
	return w, err
}

// CreateWorkspace adds a workspace.
func (s *Store) CreateWorkspace(ctx context.Context, name string) (access.Workspace, error) {
	created, err := s.insertWorkspace(ctx, name)
	if err != nil {
		return access.Workspace{}, fmt.Errorf("create workspace: %w", err)
	}
	if len(created) == 0 {
		return access.Workspace{}, fault.Conflictf("A workspace named %q already exists", name)
	}
	return created[0], nil
}

// EnsureWorkspace returns a workspace and creates it if necessary.
func (s *Store) EnsureWorkspace(ctx context.Context, name string) (access.Workspace, error) {
	return engine.Transact(ctx, s.db, func(ctx context.Context) (access.Workspace, error) {
		created, err := s.insertWorkspace(ctx, name)
		if err != nil {
			return access.Workspace{}, fmt.Errorf("ensure workspace: %w", err)
		}
		if len(created) == 1 {
			return created[0], nil
		}
		return s.FindWorkspace(ctx, name)
	})
}

// EnsureDefaultWorkspace returns the oldest workspace and creates one if there is
// none.
func (s *Store) EnsureDefaultWorkspace(ctx context.Context) (access.Workspace, error) {
	all, err := s.ListWorkspaces(ctx)
	if err != nil {
		return access.Workspace{}, err
	}
	if len(all) > 0 {
		return all[0], nil
	}
	return s.EnsureWorkspace(ctx, access.DefaultWorkspace)
}

// GetWorkspace returns a workspace by its id.
func (s *Store) GetWorkspace(ctx context.Context, id int64) (access.Workspace, error) {
	found, err := engine.QueryOne(ctx, s.db, scanWorkspace, `
SELECT `+workspaceColumns+`
FROM workspace
WHERE id = $1`, id)
	return engine.Wrap(found, engine.NotFound(err, "Workspace %d not found", id), "get workspace")
}

// FindWorkspace returns a workspace by its name.
func (s *Store) FindWorkspace(ctx context.Context, name string) (access.Workspace, error) {
	found, err := engine.QueryOne(ctx, s.db, scanWorkspace, `
SELECT `+workspaceColumns+`
FROM workspace
WHERE name = $1`, name)
	return engine.Wrap(found, engine.NotFound(err, "Workspace %q not found", name), "find workspace")
}

// ListWorkspaces lists all workspaces.
func (s *Store) ListWorkspaces(ctx context.Context) ([]access.Workspace, error) {
	all, err := engine.QueryAll(ctx, s.db, scanWorkspace, `
SELECT `+workspaceColumns+`
FROM workspace
ORDER BY id`)
	return engine.Wrap(all, err, "list workspaces")
}

// insertWorkspace returns the new workspace, or an empty slice when the name is
// taken.
func (s *Store) insertWorkspace(ctx context.Context, name string) ([]access.Workspace, error) {
	if err := engine.CheckName("name", name); err != nil {
		return nil, err
	}
	return engine.Transact(ctx, s.db, func(ctx context.Context) ([]access.Workspace, error) {
		created, err := engine.ExecAll(ctx, s.db, scanWorkspace, table.Workspace.Insert(`
(name, created_at)
VALUES ($1, $2)
ON CONFLICT (name) DO NOTHING
RETURNING `+workspaceColumns), name, s.db.Now())
		if err != nil || len(created) == 0 {
			return nil, err
		}
		return created, s.noteWorkspace(ctx, audit.Create, created[0], nil)
	})
}

// noteWorkspace adds an audit entry to the workspace and to the installation.
func (s *Store) noteWorkspace(ctx context.Context, action audit.Action, w access.Workspace, more engine.Detail) error {
	subject := audit.Subject{Kind: audit.SubjectWorkspace, ID: w.ID, Name: w.Name}
	if err := engine.Note(ctx, s.db, &w.ID, action, subject, more); err != nil {
		return err
	}
	return engine.Note(ctx, s.db, nil, action, subject, more)
}

// RenameWorkspace renames a workspace.
func (s *Store) RenameWorkspace(ctx context.Context, id int64, name string) (access.Workspace, error) {
	if err := engine.CheckName("name", name); err != nil {
		return access.Workspace{}, err
	}
	renamed, err := engine.Transact(ctx, s.db, func(ctx context.Context) (access.Workspace, error) {
		// The lock ensures that no other rename comes between reading and writing.
		if err := engine.LockWorkspace(ctx, s.db, id); err != nil {
			return access.Workspace{}, err
		}
		before, err := s.GetWorkspace(ctx, id)
		if err != nil {
			return access.Workspace{}, err
		}
		return s.changeWorkspace(ctx, id, audit.Rename, engine.Detail{"before": before.Name}, `name = $2`, name)
	})
	return engine.Wrap(renamed, engine.Taken(err, "A workspace named %q already exists", name), "rename workspace")
}

// RequireRoles sets whether callers need a role to write.
func (s *Store) RequireRoles(ctx context.Context, id int64, required bool) (access.Workspace, error) {
	changed, err := s.changeWorkspace(ctx, id, audit.Change, engine.Detail{"roles_required": required}, `roles_required = $2`, engine.Flag(required))
	return engine.Wrap(changed, err, "require roles")
}

// DisableWorkspace disables a workspace.
func (s *Store) DisableWorkspace(ctx context.Context, id int64) (access.Workspace, error) {
	disabled, err := s.changeWorkspace(ctx, id, audit.Disable, nil, `disabled_at = COALESCE(disabled_at, $2)`, s.db.Now())
	return engine.Wrap(disabled, err, "disable workspace")
}

// EnableWorkspace enables a workspace.
func (s *Store) EnableWorkspace(ctx context.Context, id int64) (access.Workspace, error) {
	enabled, err := s.changeWorkspace(ctx, id, audit.Enable, nil, `disabled_at = $2`, nil)
	return engine.Wrap(enabled, err, "enable workspace")
}

func (s *Store) changeWorkspace(
	ctx context.Context, id int64, action audit.Action, more engine.Detail, set string, arg any,
) (access.Workspace, error) {
	return engine.Transact(ctx, s.db, func(ctx context.Context) (access.Workspace, error) {
		changed, err := engine.ExecOne(ctx, s.db, scanWorkspace, table.Workspace.Update(`
SET `+set+`
WHERE id = $1
RETURNING `+workspaceColumns), id, arg)
		if err != nil {
			return access.Workspace{}, engine.NotFound(err, "Workspace %d not found", id)
		}
		return changed, s.noteWorkspace(ctx, action, changed, more)
	})
}
