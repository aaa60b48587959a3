package entities

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
)

// LockTree lets no other transaction move an entity from folder to folder
// until the one it is called in ends, so that what was read of the tree after
// it stays true, but for entities that are created. Outside of a transaction
// it does nothing of use.
func (s *Store) LockTree(ctx context.Context, workspaceID int64) error {
	if err := engine.LockWorkspace(ctx, s.db, workspaceID); err != nil {
		return fmt.Errorf("lock the tree of folders: %w", err)
	}
	return nil
}

// foldersBelow begins a query of the tree (folder, depth) of the folders with
// the ids, which have the depth 1, and of all folders in them.
func foldersBelow(w *engine.Where, workspaceID int64, ids []int64) string {
	start := engine.Where{Args: w.Args}
	start.Add("workspace_id = ?", workspaceID)
	start.Add("kind = ?", entity.KindFolder)
	start.Add("deleted_at IS NULL")
	engine.AddList(&start, "id", ids)
	w.Args = start.Args
	return `
WITH RECURSIVE tree (folder, depth) AS (
SELECT id, 1
FROM entity
WHERE ` + start.SQL() + `
UNION
SELECT child.id, tree.depth + 1
FROM entity AS child
JOIN tree ON child.folder_id = tree.folder
WHERE child.kind = ` + w.Arg(entity.KindFolder) + `)
`
}

// EntitiesBelow returns every live entity that lies in one of the folders, at
// any depth, in no order. One that lies in several of them, because these lie
// in each other, may come more than once.
func (s *Store) EntitiesBelow(ctx context.Context, workspaceID int64, folderIDs []int64) ([]entity.Entity, error) {
	all := []entity.Entity{}
	err := engine.InChunks(engine.Distinct(folderIDs), func(ids []int64) error {
		var where engine.Where
		found, err := engine.QueryAll(ctx, s.db, Scan, foldersBelow(&where, workspaceID, ids)+`
SELECT `+Columns+`
FROM entity
WHERE entity.folder_id IN (SELECT folder FROM tree)
AND entity.deleted_at IS NULL`, where.Args...)
		all = append(all, found...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list what lies in folders: %w", err)
	}
	return all, nil
}

// FolderHeight returns how many folders lie in each other at most in one of
// these, itself included; 0 when none of the ids is a folder.
func (s *Store) FolderHeight(ctx context.Context, workspaceID int64, ids []int64) (int64, error) {
	highest := int64(0)
	err := engine.InChunks(engine.Distinct(ids), func(ids []int64) error {
		var where engine.Where
		height, err := engine.QueryOne(ctx, s.db, engine.ScanInt, foldersBelow(&where, workspaceID, ids)+`
SELECT COALESCE(MAX(depth), 0)
FROM tree`, where.Args...)
		highest = max(highest, height)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("measure folders: %w", err)
	}
	return highest, nil
}

// ResolvePath returns the ids of the folders whose names from the root, joined
// by the separator, are exactly the path, in no order: names may contain the
// separator, so that several can be meant. It is empty when there is none.
func (s *Store) ResolvePath(ctx context.Context, workspaceID int64, path, separator string) ([]int64, error) {
	found, err := engine.QueryAll(ctx, s.db, engine.ScanInt, `
WITH RECURSIVE walk (folder, rest) AS (
SELECT id, SUBSTR(CAST($2 AS TEXT), LENGTH(name) + 2)
FROM entity
WHERE workspace_id = $1
AND kind = $4
AND deleted_at IS NULL
AND folder_id IS NULL
AND (name = $2 OR SUBSTR(CAST($2 AS TEXT), 1, LENGTH(name) + 1) = name || CAST($3 AS TEXT))
UNION ALL
SELECT child.id, SUBSTR(walk.rest, LENGTH(child.name) + 2)
FROM walk
JOIN entity AS child ON child.folder_id = walk.folder
WHERE child.kind = $4
AND child.deleted_at IS NULL
AND walk.rest <> ''
AND (child.name = walk.rest OR SUBSTR(walk.rest, 1, LENGTH(child.name) + 1) = child.name || CAST($3 AS TEXT)))
SELECT folder
FROM walk
WHERE rest = ''`, workspaceID, path, separator, entity.KindFolder)
	if err != nil {
		return nil, fmt.Errorf("resolve path: %w", err)
	}
	return found, nil
}
