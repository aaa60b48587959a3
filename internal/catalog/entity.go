package catalog

import (
	"context"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// Entity is one managed thing of any kind: a prompt, a folder, a tool.
type Entity struct {
	ID          int64
	WorkspaceID int64
	Kind        Kind
	Name        string
	// FolderID is nil at the root.
	FolderID *int64
	Creator  *string
	// LatestVersion is the highest version number, 0 when there is no version.
	LatestVersion int64
	CreatedAt     time.Time
	// UpdatedAt changes with the name, the folder and each new version.
	UpdatedAt time.Time
	DeletedAt *time.Time
}

// NewEntity is what CreateEntity needs to know.
type NewEntity struct {
	WorkspaceID int64
	Kind        Kind
	Name        string
	FolderID    *int64
	Creator     *string
}

const entityColumns = `id, workspace_id, kind, name, folder_id, creator, last_version, created_at, updated_at, deleted_at`

func scanEntity(r row) (Entity, error) {
	var e Entity
	err := r.Scan(&e.ID, &e.WorkspaceID, &e.Kind, &e.Name, &e.FolderID, &e.Creator, &e.LatestVersion,
		at{&e.CreatedAt}, at{&e.UpdatedAt}, maybeAt{&e.DeletedAt})
	return e, err
}

// CreateEntity adds an entity without a version. The fault is Conflict when
// the kind wants unique names and a live entity has the name (prompts,
// workflows, datasets, skills and tools: in the workspace; folders: in their
// folder); NotFound when the folder is not a live folder of the workspace or
// the workspace is unknown; Invalid when the kind is unknown or the name is
// empty or too long.
func (c *Catalog) CreateEntity(ctx context.Context, input NewEntity) (Entity, error) {
	if err := checkEntity(input); err != nil {
		return Entity{}, fmt.Errorf("create entity: %w", err)
	}
	created, err := inTx(ctx, c, func(ctx context.Context) (Entity, error) {
		if err := c.checkFolder(ctx, input.WorkspaceID, input.FolderID); err != nil {
			return Entity{}, err
		}
		return c.insertEntity(ctx, input)
	})
	if err != nil {
		return Entity{}, fmt.Errorf("create entity: %w", err)
	}
	return created, nil
}

func checkEntity(input NewEntity) error {
	if _, known := nameRules[input.Kind]; !known {
		return fault.New(fault.Invalid, "unknown kind of entity %q", input.Kind)
	}
	return checkLength("name", input.Name, maxName)
}

// checkFolder returns a NotFound fault unless the folder is the root or a
// live folder of the workspace.
func (c *Catalog) checkFolder(ctx context.Context, workspaceID int64, folderID *int64) error {
	if folderID == nil {
		return nil
	}
	_, err := queryOne(ctx, c, scanInt, `
SELECT id
FROM entity
WHERE workspace_id = $1
AND id = $2
AND kind = $3
AND deleted_at IS NULL`, workspaceID, *folderID, KindFolder)
	return notFound(err, "folder %d not found", *folderID)
}

func (c *Catalog) insertEntity(ctx context.Context, input NewEntity) (Entity, error) {
	id, err := c.nextSharedID(ctx)
	if err != nil {
		return Entity{}, err
	}
	// A duplicate is skipped, not an error, so that the transaction stays usable.
	created, err := queryAll(ctx, c, scanEntity, `
INSERT INTO entity (id, workspace_id, kind, name, name_folded, name_scope, folder_id, creator, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
ON CONFLICT DO NOTHING
RETURNING `+entityColumns,
		id, input.WorkspaceID, input.Kind, input.Name, fold(input.Name), input.Kind.nameScope(input.FolderID),
		input.FolderID, input.Creator, c.now())
	if err != nil {
		return Entity{}, missing(err, "workspace or folder not found")
	}
	if len(created) == 0 {
		return Entity{}, nameTaken(input.Name)
	}
	return created[0], nil
}

func nameTaken(name string) error { return fault.Conflictf("the name %q is already taken", name) }

// GetEntity returns a live entity by id; the fault is NotFound when the
// workspace has none. The kind is for the caller to check.
func (c *Catalog) GetEntity(ctx context.Context, workspaceID, id int64) (Entity, error) {
	found, err := queryOne(ctx, c, scanEntity, `
SELECT `+entityColumns+`
FROM entity
WHERE workspace_id = $1
AND id = $2
AND deleted_at IS NULL`, workspaceID, id)
	if err != nil {
		return Entity{}, fmt.Errorf("get entity: %w", entityNotFound(err, id))
	}
	return found, nil
}

func entityNotFound(err error, id int64) error { return notFound(err, "entity %d not found", id) }

// FindEntityByName returns the live entity of the kind with exactly this
// name; the fault is NotFound when there is none. Where the kind allows
// several, it is the oldest.
func (c *Catalog) FindEntityByName(ctx context.Context, workspaceID int64, kind Kind, name string) (Entity, error) {
	found, err := queryOne(ctx, c, scanEntity, `
SELECT `+entityColumns+`
FROM entity
WHERE workspace_id = $1
AND kind = $2
AND name = $3
AND deleted_at IS NULL
ORDER BY id
LIMIT 1`, workspaceID, kind, name)
	if err != nil {
		return Entity{}, fmt.Errorf("find entity: %w", notFound(err, "%s %q not found", kind, name))
	}
	return found, nil
}

// RenameEntity gives a live entity a name and returns it; its own name again
// changes nothing but the time. The fault is NotFound when there is no such
// entity, Conflict and Invalid as for CreateEntity.
func (c *Catalog) RenameEntity(ctx context.Context, workspaceID, id int64, name string) (Entity, error) {
	if err := checkLength("name", name, maxName); err != nil {
		return Entity{}, fmt.Errorf("rename entity: %w", err)
	}
	renamed, err := inTx(ctx, c, func(ctx context.Context) (Entity, error) {
		return queryOne(ctx, c, scanEntity, `
UPDATE entity
SET name = $3, name_folded = $4, updated_at = $5
WHERE workspace_id = $1
AND id = $2
AND deleted_at IS NULL
RETURNING `+entityColumns, workspaceID, id, name, fold(name), c.now())
	})
	if err != nil {
		err = taken(err, "the name %q is already taken", name)
		return Entity{}, fmt.Errorf("rename entity: %w", entityNotFound(err, id))
	}
	return renamed, nil
}

// lockEntity keeps other transactions from changing or deleting a live entity
// until this one ends; the fault is NotFound when there is none. An UPDATE
// that changes nothing is the row lock both engines have.
func (c *Catalog) lockEntity(ctx context.Context, workspaceID, id int64) error {
	locked, err := c.exec(ctx, `
UPDATE entity
SET last_version = last_version
WHERE workspace_id = $1
AND id = $2
AND deleted_at IS NULL`, workspaceID, id)
	if err == nil && locked == 0 {
		return fault.NotFoundf("entity %d not found", id)
	}
	return err
}
