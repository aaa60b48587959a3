package workflow

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
)

// Item is one workflow of a list.
type Item struct {
	Entity entity.Entity
	// Labels are all release labels, by name.
	Labels      []string
	ExternalIDs []entity.ExternalID
}

// List returns a page of live workflows and how many there are in all.
func (s *Service) List(ctx context.Context, query entity.Query) ([]Item, int64, error) {
	query.Kinds = []entity.Kind{entity.KindWorkflow}
	found, total, err := s.catalog.ListEntities(ctx, query)
	if err != nil {
		return nil, 0, err
	}
	ids := make([]int64, len(found))
	for i, one := range found {
		ids[i] = one.ID
	}
	labels, err := s.catalog.LabelsByEntity(ctx, query.WorkspaceID, ids)
	if err != nil {
		return nil, 0, err
	}
	attached, err := s.catalog.ExternalIDsByEntity(ctx, query.WorkspaceID, ids)
	if err != nil {
		return nil, 0, err
	}
	items := make([]Item, len(found))
	for i, one := range found {
		items[i] = Item{Entity: one, Labels: names(labels[one.ID]), ExternalIDs: attached[one.ID]}
	}
	return items, total, nil
}
