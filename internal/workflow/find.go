package workflow

import (
	"context"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/registry"
)

// Found is a version of a workflow whose definition has not been decoded,
// because the caller may have it cached.
type Found struct {
	Entity  entity.Entity
	Version entity.Version
}

// Definition decodes the definition.
func (f *Found) Definition() (Definition, error) { return decode(&f.Version) }

// Find returns the selected version; the fault is NotFound if the
// workflow, version or label does not exist.
func (s *Service) Find(ctx context.Context, workspace int64, identifier string, selector registry.Selector) (*Found, error) {
	found, err := s.Select(ctx, workspace, identifier, selector)
	return &Found{found.Entity, found.Version}, err
}

// FindVersion returns a version by its id, even of a deleted workflow; the
// fault is NotFound if the workspace has none.
func (s *Service) FindVersion(ctx context.Context, workspace, id int64) (*Found, error) {
	version, err := s.store.GetVersionByID(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	owner, err := s.store.GetEntity(ctx, workspace, version.EntityID)
	switch {
	case fault.Is(err, fault.NotFound):
		err = nil // the workflow was deleted
	case err == nil && owner.Kind != entity.KindWorkflow:
		err = fault.NotFoundf("Version not found")
	}
	return &Found{Entity: owner, Version: version}, err
}

// Draft returns a definition as it would be stored, without storing it: the base
// version, which is the latest for 0, with the body of the definition. The nodes
// keep credentials of the base. The fault is NotFound for an unknown workflow or
// version, Forbidden if the caller may not edit workflows, and otherwise that of
// Create.
func (s *Service) Draft(ctx context.Context, workspace int64, identifier string, base int64, d Definition) (*Found, error) {
	owner, err := s.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, err
	}
	found, err := s.Registry.Draft(ctx, workspace, owner.ID, registry.Edit[Definition]{
		Base: registry.Selector{Number: base},
		Apply: func(_ context.Context, base entity.FoundVersion) (Definition, error) {
			return s.protect(workspace, d, func() (Definition, error) { return decodeBase(&base.Version) })
		},
	})
	return &Found{found.Entity, found.Version}, err
}

// Item is a workflow in a list.
type Item struct {
	registry.Item
	// Labels are the names of all release labels, in order.
	Labels []string
}

// List returns a page of live workflows and their total number.
func (s *Service) List(ctx context.Context, query entity.Query) ([]Item, int64, error) {
	found, total, err := s.Registry.List(ctx, query)
	if err != nil {
		return nil, 0, err
	}
	labels, err := s.store.LabelsByEntity(ctx, query.WorkspaceID, registry.IDs(found))
	items := make([]Item, len(found))
	for i, one := range found {
		items[i].Item = one
		for _, label := range labels[one.Entity.ID] {
			items[i].Labels = append(items[i].Labels, label.Name)
		}
		slices.Sort(items[i].Labels)
	}
	return items, total, err
}

// ListVersions returns a page of the versions of a workflow with their numbers
// of nodes, newest first, and their total number. The fault is NotFound if
// the workflow does not exist.
func (s *Service) ListVersions(
	ctx context.Context, workspace int64, identifier string, page entity.Page,
) ([]registry.ListedVersion[int], int64, error) {
	owner, err := s.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, 0, err
	}
	return registry.ListVersions(ctx, s.store, owner, page, countNodes)
}

func countNodes(version *entity.Version) (int, error) {
	body, err := jsontree.Parse(version.Body)
	if err != nil {
		return 0, fmt.Errorf("version %d of workflow %d: %w", version.Number, version.EntityID, err)
	}
	return body.Get("nodes").Len(), nil
}
