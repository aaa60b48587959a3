package workflow

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Found is a version of a workflow whose definition is not read yet: who runs
// it may have read it before.
type Found struct {
	Entity  entity.Entity
	Version entity.Version
}

// Definition reads the definition.
func (f *Found) Definition() (Definition, error) { return decode(&f.Version) }

// Find returns the version that is chosen; the fault is NotFound when there is
// no such workflow, version or label.
func (s *Service) Find(ctx context.Context, workspace int64, identifier string, version Version) (*Found, error) {
	found, err := s.find(ctx, workspace, identifier, version)
	if err != nil {
		return nil, err
	}
	return &Found{found.Entity, found.Version}, nil
}

// FindVersion returns a version by its id; the fault is NotFound when the
// workspace has none. Versions of deleted workflows are found, too.
func (s *Service) FindVersion(ctx context.Context, workspace, id int64) (*Found, error) {
	version, err := s.catalog.GetVersionByID(ctx, workspace, id)
	if fault.Is(err, fault.NotFound) {
		return nil, fault.NotFoundf("Version not found")
	}
	if err != nil {
		return nil, err
	}
	owner, err := s.catalog.GetEntity(ctx, workspace, version.EntityID)
	switch {
	case fault.Is(err, fault.NotFound):
		err = nil // it was deleted
	case err == nil && owner.Kind != entity.KindWorkflow:
		err = fault.NotFoundf("Version not found")
	}
	return &Found{Entity: owner, Version: version}, err
}
