package workflow

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Identify returns the live workflow with the id or else the name; the fault is
// NotFound when there is none.
func (s *Service) Identify(ctx context.Context, workspace int64, identifier string) (entity.Entity, error) {
	return s.identify(ctx, workspace, identifier)
}

// ListVersions returns a page of the versions of a workflow with the number of
// their nodes, newest first, and how many there are in all. The fault is
// NotFound when there is no such workflow.
func (s *Service) ListVersions(
	ctx context.Context, workspace int64, identifier string, page entity.Page,
) ([]entity.ListedVersion[int], int64, error) {
	owner, err := s.identify(ctx, workspace, identifier)
	if err != nil {
		return nil, 0, err
	}
	return entity.ListVersions(ctx, s.catalog, workspace, owner.ID, page, countNodes)
}

func countNodes(version *entity.Version) (int, error) {
	body, err := jsontree.Parse(version.Body)
	if err != nil {
		return 0, fmt.Errorf("version %d of workflow %d: %w", version.Number, version.EntityID, err)
	}
	return body.Get("nodes").Len(), nil
}
