// Package extid maps ids of other systems to entities: an external id, a pair
// of source and id, belongs to at most one entity of any kind in a workspace.
package extid

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Catalog is the part of the entity store that the service needs.
type Catalog interface {
	GetEntity(ctx context.Context, workspace, id int64) (entity.Entity, error)
	AttachExternalID(ctx context.Context, workspace, entity int64, ref entity.ExternalRef) error
	DeleteExternalID(ctx context.Context, workspace, entity int64, ref entity.ExternalRef) error
	ListExternalIDs(ctx context.Context, workspace, entity int64) ([]entity.ExternalID, error)
}

// Service attaches external ids to entities of all kinds.
type Service struct{ catalog Catalog }

// NewService returns a service over the catalog.
func NewService(catalog Catalog) *Service { return &Service{catalog} }

// Attach attaches an external id to the owner; it has no effect if it is
// already attached. The fault is NotFound if the owner does not exist, and
// Conflict if the external id belongs to another entity.
func (s *Service) Attach(ctx context.Context, owner entity.Owner, ref entity.ExternalRef) error {
	if _, err := owner.Find(ctx, s.catalog); err != nil {
		return err
	}
	if err := access.RequireFor(ctx, owner.Kind, access.Edit); err != nil {
		return err
	}
	return s.catalog.AttachExternalID(ctx, owner.Workspace, owner.ID, ref)
}

// List returns the owner's external ids in the order in which they were
// attached.
func (s *Service) List(ctx context.Context, owner entity.Owner) ([]entity.ExternalID, error) {
	if _, err := owner.Find(ctx, s.catalog); err != nil {
		return nil, err
	}
	return s.catalog.ListExternalIDs(ctx, owner.Workspace, owner.ID)
}

// Delete detaches an external id from the owner. The fault is NotFound if the
// owner does not have it.
func (s *Service) Delete(ctx context.Context, owner entity.Owner, ref entity.ExternalRef) error {
	if _, err := owner.Find(ctx, s.catalog); err != nil {
		return err
	}
	if err := s.checkPair(ctx, owner, ref); err != nil {
		return err
	}
	if err := access.RequireFor(ctx, owner.Kind, access.Edit); err != nil {
		return err
	}
	return s.catalog.DeleteExternalID(ctx, owner.Workspace, owner.ID, ref)
}

// checkPair returns a NotFound fault unless the owner has the external id.
func (s *Service) checkPair(ctx context.Context, owner entity.Owner, ref entity.ExternalRef) error {
	pairs, err := s.catalog.ListExternalIDs(ctx, owner.Workspace, owner.ID)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(pairs, func(e entity.ExternalID) bool { return e.ExternalRef == ref }) {
		return fault.NotFoundf("the entity does not have this external id")
	}
	return nil
}
