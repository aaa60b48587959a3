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

// Fields returns the fields of an entity.
func Fields(e *entity.Entity) engine.Fields {
	return engine.Fields{
		"entity.id", &e.ID, "entity.workspace_id", &e.WorkspaceID, "entity.kind", engine.Text(&e.Kind), "entity.variant", &e.Variant,
		"entity.uuid", engine.NullText(&e.UUID), "entity.name", &e.Name, "entity.folder_id", &e.FolderID, "entity.tags", engine.List(&e.Tags), "entity.creator", &e.Creator,
		"entity.creator_id", &e.CreatorID, "entity.last_version", &e.LatestVersion, "entity.created_at", &e.CreatedAt,
		"entity.updated_at", &e.UpdatedAt, "entity.deleted_at", &e.DeletedAt,
	}
}

// Record reads and writes entities.
var Record = engine.NewRecord(table.Entity, Fields)

// A duplicate is skipped and not an error, so that the transaction stays usable.
var insertEntity = Record.Insert("last_version", "creator_id", "deleted_at").
	Plus("name_folded", "$1").Plus("name_scope", "$2").Plus("creator_id", engine.CreatorAccount("$3")).OnConflict("DO NOTHING")

// live selects an entity that is not deleted.
const live = engine.InWorkspace + `
AND deleted_at IS NULL`

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
	now := s.db.Now()
	added := entity.Entity{
		ID: id, WorkspaceID: input.WorkspaceID, Kind: input.Kind, Variant: input.Variant, UUID: input.UUID, Name: input.Name,
		FolderID: input.FolderID, Tags: engine.DistinctInOrder(input.Tags), Creator: input.Creator, CreatedAt: now, UpdatedAt: now,
	}
	created, err := insertEntity.All(ctx, s.db, &added, engine.Fold(input.Name), nameScope(input.Kind, input.FolderID), engine.FoldedCreator(input.Creator))
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
	found, err := Record.One(ctx, s.db, live, workspaceID, id)
	return engine.Wrap(found, entityNotFound(err, id), "get entity")
}

func entityNotFound(err error, id int64) error {
	return engine.NotFound(err, "Item %d not found", id)
}

// FindEntityByName returns an entity by its name.
func (s *Store) FindEntityByName(ctx context.Context, workspaceID int64, kind entity.Kind, name string) (entity.Entity, error) {
	found, err := Record.One(ctx, s.db, `WHERE workspace_id = $1
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
		renamed, err := Record.Update(ctx, s.db, `SET name = $3, name_folded = $4, updated_at = $5
`+live, workspaceID, id, name, engine.Fold(name), s.db.Now())
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
