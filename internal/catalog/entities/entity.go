package entities

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Columns are the columns of an entity, in the order of Into.
const Columns = `entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at`

// Into returns the destinations of Columns.
func Into(e *entity.Entity) []any {
	return []any{
		&e.ID, &e.WorkspaceID, &e.Kind, &e.Variant, &e.Name, &e.FolderID,
		engine.List(&e.Tags), &e.Creator, &e.CreatorID, &e.LatestVersion, engine.Time(&e.CreatedAt), engine.Time(&e.UpdatedAt), engine.NullTime(&e.DeletedAt),
	}
}

// Scan scans the Columns of an entity.
func Scan(r engine.Row) (entity.Entity, error) {
	var e entity.Entity
	err := r.Scan(Into(&e)...)
	return e, err
}

// CreateEntity adds an entity without versions.
func (s *Store) CreateEntity(ctx context.Context, input entity.New) (entity.Entity, error) {
	if err := checkEntity(input); err != nil {
		return entity.Entity{}, fmt.Errorf("create entity: %w", err)
	}
	created, err := engine.Change(ctx, s.db, input.WorkspaceID, func(ctx context.Context) (entity.Entity, error) {
		if err := s.checkFolder(ctx, input.WorkspaceID, input.FolderID); err != nil {
			return entity.Entity{}, err
		}
		created, err := s.insertEntity(ctx, input)
		if err != nil {
			return entity.Entity{}, err
		}
		if err := s.insertTags(ctx, created); err != nil {
			return entity.Entity{}, err
		}
		if err := s.takeName(ctx, created); err != nil {
			return entity.Entity{}, err
		}
		return created, Note(ctx, s.db, created, audit.Create, nil)
	})
	return engine.Wrap(created, err, "create entity")
}

func checkEntity(input entity.New) error {
	if _, known := entity.TraitsOf(input.Kind); !known {
		return fault.New(fault.Invalid, "Unknown kind %q", input.Kind)
	}
	if err := CheckTags(input.Tags); err != nil {
		return err
	}
	return engine.CheckName("name", input.Name)
}

// checkFolder returns a NotFound fault unless the folder is the root or a live
// folder of the workspace.
func (s *Store) checkFolder(ctx context.Context, workspaceID int64, folderID *int64) error {
	if folderID == nil {
		return nil
	}
	_, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT id
FROM entity
WHERE workspace_id = $1
AND id = $2
AND kind = $3
AND deleted_at IS NULL`, workspaceID, *folderID, entity.KindFolder)
	return engine.NotFound(err, "Folder %d not found", *folderID)
}

func (s *Store) insertEntity(ctx context.Context, input entity.New) (entity.Entity, error) {
	id, err := engine.NextSharedID(ctx, s.db)
	if err != nil {
		return entity.Entity{}, err
	}
	// A duplicate is skipped and not an error, so that the transaction stays usable.
	created, err := engine.ExecAll(ctx, s.db, Scan, table.Entity.Insert(`
(id, workspace_id, kind, variant, name, name_folded, name_scope, folder_id, tags, creator,
created_at, updated_at, creator_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, `+engine.CreatorAccount("$12")+`)
ON CONFLICT DO NOTHING
RETURNING `+Columns),
		id, input.WorkspaceID, input.Kind, input.Variant, input.Name, engine.Fold(input.Name),
		nameScope(input.Kind, input.FolderID), input.FolderID, TagsText(input.Tags), input.Creator, s.db.Now(), engine.FoldedCreator(input.Creator))
	if err != nil {
		return entity.Entity{}, engine.Missing(err, "Workspace or folder not found")
	}
	if len(created) == 0 {
		return entity.Entity{}, nameTaken(input.Name)
	}
	return created[0], nil
}

func nameTaken(name string) error { return fault.Conflictf("The name %q is already taken", name) }

// GetEntity returns an entity by its id.
func (s *Store) GetEntity(ctx context.Context, workspaceID, id int64) (entity.Entity, error) {
	found, err := engine.QueryOne(ctx, s.db, Scan, `
SELECT `+Columns+`
FROM entity
WHERE workspace_id = $1
AND id = $2
AND deleted_at IS NULL`, workspaceID, id)
	return engine.Wrap(found, entityNotFound(err, id), "get entity")
}

func entityNotFound(err error, id int64) error {
	return engine.NotFound(err, "Item %d not found", id)
}

// FindEntityByName returns an entity by its name.
func (s *Store) FindEntityByName(ctx context.Context, workspaceID int64, kind entity.Kind, name string) (entity.Entity, error) {
	found, err := engine.QueryOne(ctx, s.db, Scan, `
SELECT `+Columns+`
FROM entity
WHERE workspace_id = $1
AND kind = $2
AND name = $3
AND deleted_at IS NULL
ORDER BY id
LIMIT 1`, workspaceID, kind, name)
	return engine.Wrap(found, engine.NotFound(err, "%v", entity.NotFound(kind)), "find entity")
}

// RenameEntity renames an entity.
func (s *Store) RenameEntity(ctx context.Context, workspaceID, id int64, name string) (entity.Entity, error) {
	if err := engine.CheckName("name", name); err != nil {
		return entity.Entity{}, fmt.Errorf("rename entity: %w", err)
	}
	renamed, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (entity.Entity, error) {
		// The lock ensures that no other rename comes between reading and writing.
		if err := Lock(ctx, s.db, workspaceID, id); err != nil {
			return entity.Entity{}, err
		}
		before, err := s.GetEntity(ctx, workspaceID, id)
		if err != nil {
			return entity.Entity{}, err
		}
		renamed, err := engine.ExecOne(ctx, s.db, Scan, table.Entity.Update(`
SET name = $3, name_folded = $4, updated_at = $5
WHERE workspace_id = $1
AND id = $2
AND deleted_at IS NULL
RETURNING `+Columns), workspaceID, id, name, engine.Fold(name), s.db.Now())
		if err != nil {
			return entity.Entity{}, err
		}
		if err := s.keepName(ctx, before, renamed); err != nil {
			return entity.Entity{}, err
		}
		return renamed, Note(ctx, s.db, renamed, audit.Rename, engine.Detail{"before": before.Name})
	})
	if err != nil {
		err = engine.Taken(err, "The name %q is already taken", name)
		return entity.Entity{}, fmt.Errorf("rename entity: %w", entityNotFound(err, id))
	}
	return renamed, nil
}

// LockEntity locks an entity.
func (s *Store) LockEntity(ctx context.Context, workspaceID, id int64) error {
	err := s.db.Change(ctx, workspaceID, func(ctx context.Context) error {
		return Lock(ctx, s.db, workspaceID, id)
	})
	return engine.WrapError(err, "lock entity")
}

// Lock locks a live entity until the transaction ends; the fault is NotFound when
// there is none. An UPDATE that changes nothing is the row lock that both engines
// have.
func Lock(ctx context.Context, db *engine.DB, workspaceID, id int64) error {
	locked, err := engine.ExecUnaudited(ctx, db, table.Entity.Update(`
SET last_version = last_version
WHERE workspace_id = $1
AND id = $2
AND deleted_at IS NULL`), workspaceID, id)
	if err == nil && locked == 0 {
		return fault.NotFoundf("Item %d not found", id)
	}
	return err
}
