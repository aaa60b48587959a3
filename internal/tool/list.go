package tool

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/registry"
)

// Item is a tool in a list.
type Item struct {
	registry.Item
	// Description is nil if there is none.
	Description *string
}

// List returns the live tools that the query selects.
func (s *Service) List(ctx context.Context, query entity.Query) ([]Item, error) {
	found, _, err := s.Registry.List(ctx, query)
	if err != nil {
		return nil, err
	}
	described, err := s.describe(ctx, query.WorkspaceID, registry.IDs(found))
	items := make([]Item, len(found))
	for i, one := range found {
		items[i] = Item{Item: one, Description: described[one.Entity.ID]}
	}
	return items, err
}

// versionsPerRead is the number of versions in memory at a time, because only a
// small part of each is needed.
const versionsPerRead = 16

// describe returns the descriptions of tools by id.
func (s *Service) describe(ctx context.Context, workspace int64, ids []int64) (map[int64]*string, error) {
	described := map[int64]*string{}
	for part := range slices.Chunk(ids, versionsPerRead) {
		versions, err := s.store.LatestVersions(ctx, workspace, part)
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

// Outline is a version in a list.
type Outline struct {
	// Function is the name by which models call it, empty if the definition has
	// none.
	Function string
	// Language is that of its code, empty if there is no code.
	Language string
}

// ListVersions returns a page of the versions of a tool, newest first, and
// their total number. The fault is NotFound if the tool does not exist.
func (s *Service) ListVersions(
	ctx context.Context, workspace int64, identifier string, page entity.Page,
) ([]registry.ListedVersion[Outline], int64, error) {
	owner, err := s.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, 0, err
	}
	return registry.ListVersions(ctx, s.store, owner, page, outline)
}

func outline(version *entity.Version) (Outline, error) {
	content, err := decode(version)
	return Outline{Function: content.FunctionName(), Language: content.Execution.Language}, err
}
