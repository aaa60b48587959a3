package entities

import (
	"context"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// MoveEntities moves entities to a folder.
func (s *Store) MoveEntities(ctx context.Context, workspaceID int64, ids []int64, folderID *int64) (int64, error) {
	moved, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (int64, error) {
		if err := engine.LockWorkspace(ctx, s.db, workspaceID); err != nil {
			return 0, err
		}
		if err := s.checkFolder(ctx, workspaceID, folderID); err != nil {
			return 0, err
		}
		if err := s.checkNoCycle(ctx, ids, folderID); err != nil {
			return 0, err
		}
		if err := s.noteMove(ctx, workspaceID, ids, folderID); err != nil {
			return 0, err
		}
		return s.changeAll(ctx, workspaceID, ids,
			`SET folder_id = $1, updated_at = $2, name_scope = CASE WHEN kind = $3 THEN $4 ELSE name_scope END`,
			folderID, s.db.Now(), entity.KindFolder, nameScope(entity.KindFolder, folderID))
	})
	if err != nil {
		err = engine.Taken(err, "The target already has a folder with the same name")
		return 0, fmt.Errorf("move entities: %w", engine.Missing(err, "Folder not found"))
	}
	return moved, nil
}

// noteMove audits that entities are about to move. Whether they exist is checked
// with the move.
func (s *Store) noteMove(ctx context.Context, workspaceID int64, ids []int64, folderID *int64) error {
	return noteEach(ctx, s.db, workspaceID, ids, audit.Move, func(e entity.Entity) engine.Detail {
		return engine.Detail{"before": e.FolderID, "folder_id": folderID}
	})
}

func (s *Store) checkNoCycle(ctx context.Context, ids []int64, folderID *int64) error {
	if folderID == nil {
		return nil
	}
	chain, err := engine.QueryAll(ctx, s.db, engine.ScanInt, `
WITH RECURSIVE chain (id, parent) AS (
SELECT id, folder_id
FROM entity
WHERE id = $1
UNION
SELECT entity.id, entity.folder_id
FROM entity
JOIN chain ON entity.id = chain.parent)
SELECT id
FROM chain`, *folderID)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(chain, func(id int64) bool { return slices.Contains(ids, id) }) {
		return fault.BadRequestf("A folder cannot be moved into itself or one of its subfolders")
	}
	return nil
}

// SoftDelete hides entities.
func (s *Store) SoftDelete(ctx context.Context, workspaceID int64, ids []int64) (int64, error) {
	deleted, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (int64, error) {
		deleted, err := s.changeAll(ctx, workspaceID, ids, `SET deleted_at = $1`, s.db.Now())
		if err != nil {
			return 0, err
		}
		if err := noteAll(ctx, s.db, workspaceID, ids, audit.Delete, nil); err != nil {
			return 0, err
		}
		if err := s.removeABTestsOf(ctx, workspaceID, ids); err != nil {
			return 0, err
		}
		return deleted, s.releaseAll(ctx, ids)
	})
	return engine.Wrap(deleted, err, "delete entities")
}

func (s *Store) releaseAll(ctx context.Context, ids []int64) error {
	for _, attached := range []table.Table{table.Label, table.ExternalID, table.ABTest, table.EnvVar, table.FormerName} {
		if err := engine.ExecIn(ctx, s.db, attached.Delete("WHERE entity_id"), ids); err != nil {
			return err
		}
	}
	return nil
}

// RemoveEntities permanently deletes entities.
func (s *Store) RemoveEntities(ctx context.Context, workspaceID int64, ids []int64) (int64, error) {
	removed, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (int64, error) {
		// Outside of their folders they can be removed in any order.
		removed, err := s.changeAll(ctx, workspaceID, ids, `SET folder_id = NULL`)
		if err != nil {
			return 0, err
		}
		if err := noteAll(ctx, s.db, workspaceID, ids, audit.Delete, nil); err != nil {
			return 0, err
		}
		if err := s.removeABTestsOf(ctx, workspaceID, ids); err != nil {
			return 0, err
		}
		emptied := table.Entity.Update("SET folder_id = NULL\nWHERE deleted_at IS NOT NULL\nAND folder_id")
		if err := engine.ExecIn(ctx, s.db, emptied, ids); err != nil {
			return 0, err
		}
		return removed, engine.ExecIn(ctx, s.db, table.Entity.Delete("WHERE id"), ids)
	})
	if engine.IsMissingReference(err) {
		err = fault.Wrap(fault.Conflict, err, "The folder is not empty")
	}
	return engine.Wrap(removed, err, "remove entities")
}

// changeAll updates live entities with the SET clause, whose arguments come first,
// and returns the number of distinct entities. The fault is NotFound unless all of
// them exist.
func (s *Store) changeAll(ctx context.Context, workspaceID int64, ids []int64, set string, args ...any) (int64, error) {
	ids = engine.Distinct(ids)
	absent := int64(len(ids))
	err := engine.InChunks(ids, func(ids []int64) error {
		where := engine.Where{Args: slices.Clone(args)}
		where.Add("workspace_id = ?", workspaceID)
		where.Add("deleted_at IS NULL")
		engine.AddList(&where, "id", ids)
		changed, err := engine.Exec(ctx, s.db, table.Entity.Update(""+set+"\nWHERE "+where.SQL()), where.Args...)
		absent -= changed
		return err
	})
	if err == nil && absent > 0 {
		return 0, fault.NotFoundf("%d of the items were not found", absent)
	}
	return int64(len(ids)), err
}
