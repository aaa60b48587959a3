package prompt

import (
	"context"
	"strings"

	"github.com/promptuary/promptuary/internal/entity"
)

// Item is a template in a list, in its latest or labelled version.
type Item struct {
	Record
	// Folder is the path from the root to the folder of the template.
	Folder []entity.FolderStep
}

// FolderPath returns the names of the folders joined by dots, empty at the root.
func (i *Item) FolderPath() string {
	names := make([]string, len(i.Folder))
	for n, step := range i.Folder {
		names[n] = step.Name
	}
	return strings.Join(names, ".")
}

// List returns a page of templates and their total number, each in its latest
// version, or in the one with the label of the query.
func (s *Service) List(ctx context.Context, query entity.Query) ([]Item, int64, error) {
	records, total, err := s.registry.ListRecords(ctx, query)
	if err != nil || len(records) == 0 {
		return nil, total, err
	}
	items := make([]Item, len(records))
	var folders []int64
	for i := range records {
		items[i].Record = records[i]
		if folder := records[i].Entity.FolderID; folder != nil {
			folders = append(folders, *folder)
		}
	}
	paths, err := s.store.FolderPaths(ctx, query.WorkspaceID, folders)
	for i := range items {
		if folder := items[i].Entity.FolderID; folder != nil {
			items[i].Folder = paths[*folder]
		}
	}
	return items, total, err
}
