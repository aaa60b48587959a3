package catalog

import (
	"context"
	"fmt"
	"slices"
)

// folderLink is a folder and the one it lies in.
type folderLink struct {
	FolderStep
	parent *int64
}

func scanFolderLink(r row) (folderLink, error) {
	var f folderLink
	err := r.Scan(&f.ID, &f.Name, &f.parent)
	return f, err
}

// FolderPaths returns for each of the folders the way from the root to it, by
// its id, the folder itself being the last step; ids that are no folder of
// the workspace are left out.
func (c *Catalog) FolderPaths(ctx context.Context, workspaceID int64, folderIDs []int64) (map[int64][]FolderStep, error) {
	paths := map[int64][]FolderStep{}
	err := inChunks(distinct(folderIDs), func(ids []int64) error {
		links, err := c.folderLinks(ctx, workspaceID, ids)
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
func (c *Catalog) folderLinks(ctx context.Context, workspaceID int64, ids []int64) (map[int64]folderLink, error) {
	var where conditions
	where.add("workspace_id = ?", workspaceID)
	where.add("kind = ?", KindFolder)
	addList(&where, "id", ids)
	all, err := queryAll(ctx, c, scanFolderLink, `
WITH RECURSIVE chain (id, name, parent) AS (
SELECT id, name, folder_id
FROM entity
WHERE `+where.where()+`
UNION
SELECT entity.id, entity.name, entity.folder_id
FROM entity
JOIN chain ON entity.id = chain.parent)
SELECT id, name, parent
FROM chain`, where.args...)
	links := make(map[int64]folderLink, len(all))
	for _, link := range all {
		links[link.ID] = link
	}
	return links, err
}

func pathOf(links map[int64]folderLink, id int64) []FolderStep {
	path := []FolderStep{}
	for next := &id; next != nil && len(path) < len(links); {
		link := links[*next]
		path = append(path, link.FolderStep)
		next = link.parent
	}
	slices.Reverse(path)
	return path
}
