package prompt

import (
	"context"
	"strings"

	"github.com/promptuary/promptuary/internal/entity"
)

// Item is one template of a list, in its latest or its labelled version.
type Item struct {
	Entity      entity.Entity
	Version     entity.Version
	Content     Content
	ExternalIDs []entity.ExternalID
	// Folder is the way from the root to the folder the template lies in.
	Folder []entity.FolderStep
}

// FolderPath returns the names of the folders joined by dots, "" at the root.
func (i *Item) FolderPath() string {
	names := make([]string, len(i.Folder))
	for n, step := range i.Folder {
		names[n] = step.Name
	}
	return strings.Join(names, ".")
}

// List returns a page of templates and how many there are in all. With a label
// in the query each is shown in the version that carries it.
func (s *Service) List(ctx context.Context, query entity.Query) ([]Item, int64, error) {
	query.Kinds = []entity.Kind{entity.KindPrompt}
	entities, total, err := s.catalog.ListEntities(ctx, query)
	if err != nil || len(entities) == 0 {
		return nil, total, err
	}
	ids := make([]int64, len(entities))
	var folders []int64
	for i, e := range entities {
		ids[i] = e.ID
		if e.FolderID != nil {
			folders = append(folders, *e.FolderID)
		}
	}
	versions, err := s.versions(ctx, query, ids)
	if err != nil {
		return nil, 0, err
	}
	attached, err := s.catalog.ExternalIDsByEntity(ctx, query.WorkspaceID, ids)
	if err != nil {
		return nil, 0, err
	}
	paths, err := s.catalog.FolderPaths(ctx, query.WorkspaceID, folders)
	if err != nil {
		return nil, 0, err
	}
	items := make([]Item, 0, len(entities))
	for _, e := range entities {
		version, ok := versions[e.ID]
		if !ok {
			continue // it lost the label since it was found
		}
		item := Item{Entity: e, Version: version, ExternalIDs: attached[e.ID]}
		if item.Content, err = decodeContent(&version); err != nil {
			return nil, 0, err
		}
		if e.FolderID != nil {
			item.Folder = paths[*e.FolderID]
		}
		items = append(items, item)
	}
	return items, total, nil
}

func (s *Service) versions(ctx context.Context, query entity.Query, ids []int64) (map[int64]entity.Version, error) {
	if query.Label != nil {
		return s.catalog.LabelledVersions(ctx, query.WorkspaceID, ids, *query.Label)
	}
	return s.catalog.LatestVersions(ctx, query.WorkspaceID, ids)
}
