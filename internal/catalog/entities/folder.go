package entities

import (
	"context"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
)

// folderLink is a folder and the one it lies in.
type folderLink struct {
	entity.FolderStep
	parent *int64
}

func scanFolderLink(r engine.Row) (folderLink, error) {
	var f folderLink
	err := r.Scan(&f.ID, &f.Name, &f.parent)
	return f, err
}

// FolderPaths returns for each of the folders the way from the root to it, by
// its id, the folder itself being the last step; ids that are no folder of
// the workspace are left out.
func (s *Store) FolderPaths(ctx context.Context, workspaceID int64, folderIDs []int64) (map[int64][]entity.FolderStep, error) {
	paths := map[int64][]entity.FolderStep{}
	err := engine.InChunks(engine.Distinct(folderIDs), func(ids []int64) error {
		links, err := s.folderLinks(ctx, workspaceID, ids)
		for _, id := range ids {
			if _, known := links[id]; known {
				paths[id] = pathOf(links, id)
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find the paths of folders: %w", err)
	}
	return paths, nil
}

// folderLinks returns the folders and all that they lie in, each once however
// many lie in it.
func (s *Store) folderLinks(ctx context.Context, workspaceID int64, ids []int64) (map[int64]folderLink, error) {
	var where engine.Where
	where.Add("workspace_id = ?", workspaceID)
	where.Add("kind = ?", entity.KindFolder)
	engine.AddList(&where, "id", ids)
	all, err := engine.QueryAll(ctx, s.db, scanFolderLink, `
WITH RECURSIVE chain (id, name, parent) AS (
SELECT id, name, folder_id
FROM entity
WHERE `+where.SQL()+`
UNION
SELECT entity.id, entity.name, entity.folder_id
FROM entity
JOIN chain ON entity.id = chain.parent)
SELECT id, name, parent
FROM chain`, where.Args...)
	links := make(map[int64]folderLink, len(all))
	for _, link := range all {
		links[link.ID] = link
	}
	return links, err
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
