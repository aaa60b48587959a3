package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/fault"
)

// MoveEntities puts live entities into a folder (nil: the root) and returns
// how many distinct ones that were; those already there count too. All move
// or none. The fault is NotFound when the folder or one of the entities is
// not live in the workspace, BadRequest when a folder would come to lie in
// itself, Conflict when a folder of that name is there already.
func (c *Catalog) MoveEntities(ctx context.Context, workspaceID int64, ids []int64, folderID *int64) (int64, error) {
	moved, err := change(ctx, c, workspaceID, func(ctx context.Context) (int64, error) {
		if err := c.lockTree(ctx, workspaceID); err != nil {
			return 0, err
		}
		if err := c.checkFolder(ctx, workspaceID, folderID); err != nil {
			return 0, err
		}
		if err := c.checkNoCycle(ctx, ids, folderID); err != nil {
			return 0, err
		}
		if err := c.noteMove(ctx, workspaceID, ids, folderID); err != nil {
			return 0, err
		}
		return c.changeAll(ctx, workspaceID, ids,
			`SET folder_id = $1, updated_at = $2, name_scope = CASE WHEN kind = $3 THEN $4 ELSE name_scope END`,
			folderID, c.now(), KindFolder, nameScope(KindFolder, folderID))
	})
	if err != nil {
		err = taken(err, "a folder of the same name is already there")
		return 0, fmt.Errorf("move entities: %w", missing(err, "folder not found"))
	}
	return moved, nil
}

// noteMove tells where entities that are about to be moved lie and where they
// will. That they are to be moved at all is checked with the move.
func (c *Catalog) noteMove(ctx context.Context, workspaceID int64, ids []int64, folderID *int64) error {
	return c.noteEach(ctx, workspaceID, ids, audit.Move, func(e Entity) detail {
		return detail{"before": e.FolderID, "folder_id": folderID}
	})
}

// lockTree lets one transaction at a time change which folder lies in which:
// two moves could otherwise make a circle that neither sees.
func (c *Catalog) lockTree(ctx context.Context, workspaceID int64) error {
	_, err := c.execUntold(ctx, `
UPDATE workspace
SET created_at = created_at
WHERE id = $1`, workspaceID)
	return err
}

func (c *Catalog) checkNoCycle(ctx context.Context, ids []int64, folderID *int64) error {
	if folderID == nil {
		return nil
	}
	chain, err := queryAll(ctx, c, scanInt, `
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
		return fault.BadRequestf("a folder cannot be moved into itself or a folder inside it")
	}
	return nil
}

// SoftDelete hides live entities of any kind: their names and external ids
// become free, their labels are gone and with them the AB tests on these,
// while their versions stay readable. What lies in a folder is not touched.
// All are deleted or none; it returns how many distinct ones that were. The
// fault is NotFound when one of them is not live in the workspace.
func (c *Catalog) SoftDelete(ctx context.Context, workspaceID int64, ids []int64) (int64, error) {
	deleted, err := change(ctx, c, workspaceID, func(ctx context.Context) (int64, error) {
		deleted, err := c.changeAll(ctx, workspaceID, ids, `SET deleted_at = $1`, c.now())
		if err != nil {
			return 0, err
		}
		if err := c.noteEntities(ctx, workspaceID, ids, audit.Delete, nil); err != nil {
			return 0, err
		}
		if err := c.removeABTestsOf(ctx, workspaceID, ids); err != nil {
			return 0, err
		}
		return deleted, c.releaseAll(ctx, ids)
	})
	if err != nil {
		return 0, fmt.Errorf("delete entities: %w", err)
	}
	return deleted, nil
}

func (c *Catalog) releaseAll(ctx context.Context, ids []int64) error {
	for _, table := range []string{"label", "external_id", "ab_test", "env_var"} {
		if err := c.execForEach(ctx, "DELETE FROM "+table+"\nWHERE entity_id", ids); err != nil {
			return err
		}
	}
	return nil
}

// RemoveEntities erases live entities with their versions, tags, labels, AB
// tests and external ids. All are removed or none; it returns how many
// distinct ones that were. Deleted entities that lay in a removed folder lie
// at the root then. The fault is NotFound when one of them is not live in the
// workspace, and Conflict when a folder among them holds a live entity that is
// not.
func (c *Catalog) RemoveEntities(ctx context.Context, workspaceID int64, ids []int64) (int64, error) {
	removed, err := change(ctx, c, workspaceID, func(ctx context.Context) (int64, error) {
		// Taken out of their folders first, they can be removed in any order.
		removed, err := c.changeAll(ctx, workspaceID, ids, `SET folder_id = NULL`)
		if err != nil {
			return 0, err
		}
		if err := c.noteEntities(ctx, workspaceID, ids, audit.Delete, nil); err != nil {
			return 0, err
		}
		if err := c.removeABTestsOf(ctx, workspaceID, ids); err != nil {
			return 0, err
		}
		emptied := "UPDATE entity\nSET folder_id = NULL\nWHERE deleted_at IS NOT NULL\nAND folder_id"
		if err := c.execForEach(ctx, emptied, ids); err != nil {
			return 0, err
		}
		return removed, c.execForEach(ctx, "DELETE FROM entity\nWHERE id", ids)
	})
	if classOf(err) == missingReference {
		err = fault.Wrap(fault.Conflict, err, "the folder is not empty")
	}
	if err != nil {
		return 0, fmt.Errorf("remove entities: %w", err)
	}
	return removed, nil
}

// changeAll runs an UPDATE with the SET clause, whose arguments come first,
// on live entities and returns how many distinct ones they are. The fault is
// NotFound unless all of them are there.
func (c *Catalog) changeAll(ctx context.Context, workspaceID int64, ids []int64, set string, args ...any) (int64, error) {
	ids = distinct(ids)
	absent := int64(len(ids))
	err := inChunks(ids, func(ids []int64) error {
		where := conditions{args: slices.Clone(args)}
		where.add("workspace_id = ?", workspaceID)
		where.add("deleted_at IS NULL")
		addList(&where, "id", ids)
		changed, err := c.exec(ctx, "UPDATE entity\n"+set+"\nWHERE "+where.where(), where.args...)
		absent -= changed
		return err
	})
	if err == nil && absent > 0 {
		return 0, fault.NotFoundf("%d of the entities were not found", absent)
	}
	return int64(len(ids)), err
}

// execForEach runs a statement that ends with a column, completed by the ids
// the column may have.
func (c *Catalog) execForEach(ctx context.Context, statement string, ids []int64) error {
	return inChunks(ids, func(ids []int64) error {
		var where conditions
		addList(&where, statement, ids)
		_, err := c.exec(ctx, where.where(), where.args...)
		return err
	})
}

func distinct(ids []int64) []int64 { return slices.Compact(slices.Sorted(slices.Values(ids))) }
