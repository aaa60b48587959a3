// Package release moves the release labels of entities from version to version,
// and so decides what the programs get that ask by label. Saving a version can
// do the same; here it needs nothing but the right to deploy.
package release

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Catalog is what the service needs of the catalog.
type Catalog interface {
	GetEntity(ctx context.Context, workspace, id int64) (entity.Entity, error)
	// SetLabel creates a label or moves it; the fault is NotFound when there is
	// no such version.
	SetLabel(ctx context.Context, workspace, entity int64, name string, number int64) (entity.Label, error)
	FindLabel(ctx context.Context, workspace, entity int64, name string) (entity.Label, error)
	DeleteLabel(ctx context.Context, workspace, id int64) error
}

// Service moves and deletes labels.
type Service struct{ catalog Catalog }

// NewService returns a service over the catalog.
func NewService(catalog Catalog) *Service { return &Service{catalog} }

// Point makes a label point at a version: it is created, or moved and then
// keeps its id. The fault is NotFound when there is no such owner or version,
// and Forbidden when the caller may not deploy entities of the kind.
func (s *Service) Point(ctx context.Context, owner entity.Owner, label string, number int64) (entity.Label, error) {
	if err := s.require(ctx, owner); err != nil {
		return entity.Label{}, err
	}
	pointed, err := s.catalog.SetLabel(ctx, owner.Workspace, owner.ID, label, number)
	if fault.Is(err, fault.NotFound) {
		err = fault.NotFoundf("Version not found")
	}
	return pointed, err
}

// Delete removes a label; the version that it points at stays. The fault is
// NotFound when there is no such owner or label, and Forbidden as for Point.
func (s *Service) Delete(ctx context.Context, owner entity.Owner, label string) error {
	if err := s.require(ctx, owner); err != nil {
		return err
	}
	found, err := s.catalog.FindLabel(ctx, owner.Workspace, owner.ID, label)
	if err == nil {
		err = s.catalog.DeleteLabel(ctx, owner.Workspace, found.ID)
	}
	if fault.Is(err, fault.NotFound) {
		err = fault.NotFoundf("Release label not found")
	}
	return err
}

func (s *Service) require(ctx context.Context, owner entity.Owner) error {
	if _, err := owner.Find(ctx, s.catalog); err != nil {
		return err
	}
	return access.RequireFor(ctx, owner.Kind, access.Deploy)
}
