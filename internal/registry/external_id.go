package registry

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// ExternalIDs attaches the ids of other systems to entities of every kind. A
// pair of a source and an id belongs to at most one entity of a workspace.
type ExternalIDs struct{ store entity.Store }

// NewExternalIDs returns an ExternalIDs over the store.
func NewExternalIDs(store entity.Store) *ExternalIDs { return &ExternalIDs{store} }

// Attach attaches an external id to the owner; if the owner already has it,
// nothing changes. The fault is NotFound if the owner does not exist, Forbidden if
// the caller may not edit it, and Conflict if another entity has the id.
func (x *ExternalIDs) Attach(ctx context.Context, owner entity.Owner, ref entity.ExternalRef) error {
	if _, err := owner.Find(ctx, x.store); err != nil {
		return err
	}
	if err := access.RequireFor(ctx, owner.Kind, access.Edit); err != nil {
		return err
	}
	return x.store.AttachExternalID(ctx, owner.Workspace, owner.ID, ref)
}

// List returns the external ids of the owner in the order in which they were
// attached. The fault is NotFound if the owner does not exist.
func (x *ExternalIDs) List(ctx context.Context, owner entity.Owner) ([]entity.ExternalID, error) {
	if _, err := owner.Find(ctx, x.store); err != nil {
		return nil, err
	}
	return x.store.ListExternalIDs(ctx, owner.Workspace, owner.ID)
}

// Delete detaches an external id from the owner. The fault is NotFound if there
// is no such owner or the owner does not have the id, and Forbidden if the
// caller may not edit the owner.
func (x *ExternalIDs) Delete(ctx context.Context, owner entity.Owner, ref entity.ExternalRef) error {
	attached, err := x.List(ctx, owner)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(attached, func(e entity.ExternalID) bool { return e.ExternalRef == ref }) {
		return fault.NotFoundf("External ID not found")
	}
	if err := access.RequireFor(ctx, owner.Kind, access.Edit); err != nil {
		return err
	}
	return x.store.DeleteExternalID(ctx, owner.Workspace, owner.ID, ref)
}
