package entities

import (
	"context"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
)

// LockTree locks the tree of folders.
func (s *Store) LockTree(ctx context.Context, workspaceID int64) error {
	if err := engine.LockWorkspace(ctx, s.db, workspaceID); err != nil {
		return fmt.Errorf("lock the tree of folders: %w", err)
	}
	return nil
}

// folderLink is a folder and its parent.
type folderLink struct {
	entity.FolderStep
	parent *int64
}

func scanFolderLink(r engine.Row) (folderLink, error) {
	var f folderLink
	err := r.Scan(&f.ID, &f.Name, &f.parent)
	return f, err
}

// FolderPaths returns the paths of folders.
func (s *Store) FolderPaths(
	ctx context.Context, workspaceID int64, folderIDs []int64,
) (map[int64][]entity.FolderStep, error) {
	all, err := engine.QueryIn(ctx, s.db, scanFolderLink, `
WITH RECURSIVE chain (id, name, parent) AS (
SELECT id, name, folder_id
FROM entity
WHERE workspace_id = $1
AND kind = $2
AND id`, engine.Distinct(folderIDs), `
UNION
SELECT entity.id, entity.name, entity.folder_id
FROM entity
JOIN chain ON entity.id = chain.parent)
SELECT id, name, parent
FROM chain`, workspaceID, entity.KindFolder)
	if err != nil {
		return nil, fmt.Errorf("find the paths of folders: %w", err)
	}
	links := make(map[int64]folderLink, len(all))
	for _, link := range all {
		links[link.ID] = link
	}
	paths := make(map[int64][]entity.FolderStep, len(folderIDs))
	for _, id := range folderIDs {
		if _, known := links[id]; known {
			paths[id] = pathOf(links, id)
		}
	}
	return paths, nil
}

func pathOf(links map[int64]folderLink, id int64) []entity.FolderStep {
	path := []entity.FolderStep{}
	for next := &id; next != nil && len(path) < len(links); {
		link := links[*next]
		path = append(path, link.FolderStep)
		next = link.parent
	}
	slices.Reverse(path)
	return path
}

// A query of the tree (folder, depth) of folders, which have depth 1, and of all
// folders below them is foldersFrom, their ids, foldersBelow and what selects
// from the tree. $1 is the workspace and $2 the kind of folders.
const (
	foldersFrom = `
WITH RECURSIVE tree (folder, depth) AS (
SELECT id, 1
FROM entity
WHERE workspace_id = $1
AND kind = $2
AND deleted_at IS NULL
AND id`
	foldersBelow = `
UNION
SELECT child.id, tree.depth + 1
FROM entity AS child
JOIN tree ON child.folder_id = tree.folder
WHERE child.kind = $2)
`
)

// EntitiesBelow returns the entities in folders.
func (s *Store) EntitiesBelow(ctx context.Context, workspaceID int64, folderIDs []int64) ([]entity.Entity, error) {
	all, err := engine.QueryIn(ctx, s.db, Record.Reader(), foldersFrom, engine.Distinct(folderIDs), foldersBelow+Record.Query()+`WHERE entity.folder_id IN (SELECT folder FROM tree)
AND entity.deleted_at IS NULL`, workspaceID, entity.KindFolder)
	return engine.Wrap(all, err, "list the entities in folders")
}

// FolderHeight returns the height of the highest folder.
func (s *Store) FolderHeight(ctx context.Context, workspaceID int64, ids []int64) (int64, error) {
	heights, err := engine.QueryIn(ctx, s.db, engine.ScanInt, foldersFrom, engine.Distinct(ids), foldersBelow+`
SELECT COALESCE(MAX(depth), 0)
FROM tree`, workspaceID, entity.KindFolder)
	if err != nil {
		return 0, fmt.Errorf("measure folders: %w", err)
	}
	return slices.Max(append(heights, 0)), nil
}

// ResolvePath finds folders by their path.
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
	return engine.Wrap(found, err, "resolve path")
}
