package catalog

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

const entityColumns = `entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at`

// intoEntity returns where the values of entityColumns go.
func intoEntity(e *Entity) []any {
	return []any{
		&e.ID, &e.WorkspaceID, &e.Kind, &e.Variant, &e.Name, &e.FolderID,
		tagsOf{&e.Tags}, &e.Creator, &e.CreatorID, &e.LatestVersion, at{&e.CreatedAt}, at{&e.UpdatedAt}, maybeAt{&e.DeletedAt},
	}
}

func scanEntity(r row) (Entity, error) {
	var e Entity
	err := r.Scan(intoEntity(&e)...)
	return e, err
}

// CreateEntity adds an entity without a version. The fault is Conflict when
// the kind wants unique names and a live entity has the name (prompts,
// workflows, datasets, skills and tools: in the workspace; folders: in their
// folder); NotFound when the folder is not a live folder of the workspace or
// the workspace is unknown; Invalid when the kind is unknown, the name empty
// or too long, or the tags as for SetTags.
func (c *Catalog) CreateEntity(ctx context.Context, input NewEntity) (Entity, error) {
	if err := checkEntity(input); err != nil {
		return Entity{}, fmt.Errorf("create entity: %w", err)
	}
	created, err := change(ctx, c, input.WorkspaceID, func(ctx context.Context) (Entity, error) {
		if err := c.checkFolder(ctx, input.WorkspaceID, input.FolderID); err != nil {
			return Entity{}, err
		}
		created, err := c.insertEntity(ctx, input)
		if err != nil {
			return Entity{}, err
		}
		if err := c.insertTags(ctx, created); err != nil {
			return Entity{}, err
		}
		return created, c.noteEntity(ctx, created, audit.Create, nil)
	})
	if err != nil {
		return Entity{}, fmt.Errorf("create entity: %w", err)
	}
	return created, nil
}

func checkEntity(input NewEntity) error {
	if _, known := entity.TraitsOf(input.Kind); !known {
		return fault.New(fault.Invalid, "unknown kind of entity %q", input.Kind)
	}
	if err := checkTags(input.Tags); err != nil {
		return err
	}
	return checkName("name", input.Name)
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
INSERT INTO entity (id, workspace_id, kind, variant, name, name_folded, name_scope, folder_id, tags, creator,
created_at, updated_at, creator_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, `+creatorAccount("$12")+`)
ON CONFLICT DO NOTHING
RETURNING `+entityColumns,
		id, input.WorkspaceID, input.Kind, input.Variant, input.Name, fold(input.Name),
		nameScope(input.Kind, input.FolderID), input.FolderID, tagsText(input.Tags), input.Creator, c.now(), foldedCreator(input.Creator))
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
	if err := checkName("name", name); err != nil {
		return Entity{}, fmt.Errorf("rename entity: %w", err)
	}
	renamed, err := change(ctx, c, workspaceID, func(ctx context.Context) (Entity, error) {
		// Locked, the name that is read is the one that it has until now.
		if err := c.lockEntity(ctx, workspaceID, id); err != nil {
			return Entity{}, err
		}
		before, err := c.GetEntity(ctx, workspaceID, id)
		if err != nil {
			return Entity{}, err
		}
		renamed, err := queryOne(ctx, c, scanEntity, `
UPDATE entity
SET name = $3, name_folded = $4, updated_at = $5
WHERE workspace_id = $1
AND id = $2
AND deleted_at IS NULL
RETURNING `+entityColumns, workspaceID, id, name, fold(name), c.now())
		if err != nil {
			return Entity{}, err
		}
		return renamed, c.noteEntity(ctx, renamed, audit.Rename, detail{"before": before.Name})
	})
	if err != nil {
		err = taken(err, "the name %q is already taken", name)
		return Entity{}, fmt.Errorf("rename entity: %w", entityNotFound(err, id))
	}
	return renamed, nil
}

// LockEntity keeps other transactions from changing or deleting a live entity
// until the one it is called in ends, so that what was read of the entity
// after it stays true; outside of a transaction it does nothing of use. The
// fault is NotFound when there is no such entity. To Revision it is a change,
// as one is sure to follow.
func (c *Catalog) LockEntity(ctx context.Context, workspaceID, id int64) error {
	_, err := change(ctx, c, workspaceID, func(ctx context.Context) (none, error) {
		return none{}, c.lockEntity(ctx, workspaceID, id)
	})
	if err != nil {
		return fmt.Errorf("lock entity: %w", err)
	}
	return nil
}

// lockEntity keeps other transactions from changing or deleting a live entity
// until this one ends; the fault is NotFound when there is none. An UPDATE
// that changes nothing is the row lock both engines have.
func (c *Catalog) lockEntity(ctx context.Context, workspaceID, id int64) error {
	locked, err := c.execUntold(ctx, `
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
