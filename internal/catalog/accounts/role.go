package accounts

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
)

const roleColumns = `id, workspace_id, name, permissions, created_at, updated_at`

func scanRole(r engine.Row) (access.CustomRole, error) {
	var role access.CustomRole
	var names []string
	err := r.Scan(&role.ID, &role.WorkspaceID, &role.Name, engine.List(&names), engine.Time(&role.CreatedAt), engine.Time(&role.UpdatedAt))
	role.Permissions = access.NamedPermissions(names)
	return role, err
}

// ListRoles lists the custom roles of a workspace.
func (s *Store) ListRoles(ctx context.Context, workspaceID int64) ([]access.CustomRole, error) {
	roles, err := engine.QueryAll(ctx, s.db, scanRole, `
SELECT `+roleColumns+`
FROM custom_role
WHERE workspace_id = $1
ORDER BY name`, workspaceID)
	return engine.Wrap(roles, err, "list roles")
}

// GetRole returns a custom role by its id.
func (s *Store) GetRole(ctx context.Context, workspaceID, id int64) (access.CustomRole, error) {
	role, err := engine.QueryOne(ctx, s.db, scanRole, `
SELECT `+roleColumns+`
FROM custom_role
WHERE workspace_id = $1
AND id = $2`, workspaceID, id)
	return engine.Wrap(role, roleNotFound(err, id), "get role")
}

func roleNotFound(err error, id int64) error { return engine.NotFound(err, "Role %d not found", id) }

// CreateRole adds a custom role.
func (s *Store) CreateRole(ctx context.Context, role access.CustomRole) (access.CustomRole, error) {
	created, err := engine.Transact(ctx, s.db, func(ctx context.Context) (access.CustomRole, error) {
		created, err := engine.ExecOne(ctx, s.db, scanRole, table.CustomRole.Insert(`
(workspace_id, name, permissions, created_at, updated_at)
VALUES ($1, $2, $3, $4, $4)
RETURNING `+roleColumns), role.WorkspaceID, string(role.Name), engine.ListText(role.Permissions.Names()), s.db.Now())
		if err != nil {
			return access.CustomRole{}, engine.Missing(err, "Workspace %d not found", role.WorkspaceID)
		}
		return created, s.noteRole(ctx, audit.Create, created, nil)
	})
	return engine.Wrap(created, engine.Taken(err, "A role named %q already exists", role.Name), "create role")
}

// noteRole adds an audit entry with the permissions, and those before a change.
func (s *Store) noteRole(ctx context.Context, action audit.Action, role access.CustomRole, before *access.CustomRole) error {
	more := engine.Detail{"permissions": role.Permissions.Names()}
	if before != nil {
		more["before"] = before.Permissions.Names()
	}
	subject := audit.Subject{Kind: audit.SubjectRole, ID: role.ID, Name: string(role.Name)}
	return engine.Note(ctx, s.db, &role.WorkspaceID, action, subject, more)
}

// ChangeRole replaces the permissions of a custom role.
func (s *Store) ChangeRole(ctx context.Context, workspaceID, id int64, permissions access.Permissions) (access.CustomRole, error) {
	changed, err := engine.Transact(ctx, s.db, func(ctx context.Context) (access.CustomRole, error) {
		before, err := s.GetRole(ctx, workspaceID, id)
		if err != nil {
			return access.CustomRole{}, err
		}
		changed, err := engine.ExecOne(ctx, s.db, scanRole, table.CustomRole.Update(`
SET permissions = $3, updated_at = $4
WHERE workspace_id = $1
AND id = $2
RETURNING `+roleColumns), workspaceID, id, engine.ListText(permissions.Names()), s.db.Now())
		if err != nil {
			return access.CustomRole{}, roleNotFound(err, id)
		}
		return changed, s.noteRole(ctx, audit.Change, changed, &before)
	})
	return engine.Wrap(changed, err, "change role")
}

// DeleteRole removes a custom role.
func (s *Store) DeleteRole(ctx context.Context, workspaceID, id int64) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		role, err := engine.ExecOne(ctx, s.db, scanRole, table.CustomRole.Delete(`
WHERE workspace_id = $1
AND id = $2
RETURNING `+roleColumns), workspaceID, id)
		if err != nil {
			return roleNotFound(err, id)
		}
		return s.noteRole(ctx, audit.Delete, role, nil)
	})
	return engine.WrapError(err, "delete role")
}
