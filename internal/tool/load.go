package tool

import (
	"cmp"
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Get returns a version of a tool; the fault is NotFound when there is no such
// tool, version or label.
func (s *Service) Get(ctx context.Context, workspace int64, identifier string, version Version) (*Record, error) {
	found, err := s.find(ctx, workspace, identifier, version)
	if err != nil {
		return nil, err
	}
	content, err := decode(&found.Version)
	if err != nil {
		return nil, err
	}
	return s.record(ctx, workspace, found.Entity, found.Version, content)
}

// record returns a version with what belongs to its tool.
func (s *Service) record(
	ctx context.Context, workspace int64, owner entity.Entity, version entity.Version, content Content,
) (*Record, error) {
	labels, err := s.catalog.ListLabels(ctx, workspace, owner.ID)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(labels, func(a, b entity.Label) int { return cmp.Compare(a.Name, b.Name) })
	attached, err := s.catalog.ExternalIDsByEntity(ctx, workspace, []int64{owner.ID})
	if err != nil {
		return nil, err
	}
	return &Record{
		Entity: owner, Version: version, Content: content, Labels: labels, ExternalIDs: attached[owner.ID],
	}, nil
}

// Find returns the id of a tool; the fault is NotFound when there is none with
// the identifier.
func (s *Service) Find(ctx context.Context, workspace int64, identifier string) (int64, error) {
	found, err := s.identify(ctx, workspace, identifier)
	return found.ID, err
}

// find returns the version that is chosen.
func (s *Service) find(ctx context.Context, workspace int64, identifier string, version Version) (entity.FoundVersion, error) {
	owner, err := s.identify(ctx, workspace, identifier)
	if err != nil {
		return entity.FoundVersion{}, err
	}
	found, err := s.catalog.FindVersion(ctx, workspace, entity.KindTool,
		entity.Selector{ID: owner.ID, Number: version.Number, Label: version.Label})
	switch {
	case fault.Is(err, fault.NotFound) && version.Label != "":
		err = fault.NotFoundf("Release label not found")
	case fault.Is(err, fault.NotFound):
		err = fault.NotFoundf("Version not found")
	}
	return found, err
}

// identify returns the tool with the id or else the name.
func (s *Service) identify(ctx context.Context, workspace int64, identifier string) (entity.Entity, error) {
	found, err := entity.Identify(ctx, s.catalog, workspace, entity.KindTool, identifier)
	return found, toolNotFound(err)
}

// toolNotFound says what is missing to people who know nothing of entities.
func toolNotFound(err error) error {
	if fault.Is(err, fault.NotFound) {
		return fault.NotFoundf("Tool not found")
	}
	return err
}
