package tool

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
)

// Item is one tool of a list.
type Item struct {
	Entity entity.Entity
	// Description is nil where there is none.
	Description *string
	ExternalIDs []entity.ExternalID
}

// List returns the live tools that the query selects.
func (s *Service) List(ctx context.Context, query entity.Query) ([]Item, error) {
	query.Kinds = []entity.Kind{entity.KindTool}
	found, _, err := s.catalog.ListEntities(ctx, query)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(found))
	for i, one := range found {
		ids[i] = one.ID
	}
	described, err := s.describe(ctx, query.WorkspaceID, ids)
	if err != nil {
		return nil, err
	}
	attached, err := s.catalog.ExternalIDsByEntity(ctx, query.WorkspaceID, ids)
	if err != nil {
		return nil, err
	}
	items := make([]Item, len(found))
	for i, one := range found {
		items[i] = Item{Entity: one, Description: described[one.ID], ExternalIDs: attached[one.ID]}
	}
	return items, nil
}

// readAtOnce is how many versions are held at once where only a small part of
// each is wanted.
const readAtOnce = 16

// describe returns the descriptions of tools by id.
func (s *Service) describe(ctx context.Context, workspace int64, ids []int64) (map[int64]*string, error) {
	described := map[int64]*string{}
	for part := range slices.Chunk(ids, readAtOnce) {
		versions, err := s.catalog.LatestVersions(ctx, workspace, part)
		if err != nil {
			return nil, err
		}
		for id, version := range versions {
			content, err := decode(&version)
			if err != nil {
				return nil, err
			}
			described[id] = content.Description
		}
	}
	return described, nil
}
