package registry

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Publication is a version to be published under a name.
type Publication[C any] struct {
	Name string
	// ExternalID, if not nil, takes precedence over the name in selecting the
	// entity, and is attached to it.
	ExternalID *entity.ExternalRef
	// Variant is that of a new entity.
	Variant string
	// Tags are those of a new entity, and replace those of an existing one if
	// HasTags is set.
	Tags    []string
	HasTags bool
	// FolderID moves an existing entity; nil keeps its folder.
	FolderID *int64
	Content  C
	Release  Release
}

// Publish adds a version to the entity with the external id or else the name,
// and creates the entity if there is none; created reports that. On any fault
// nothing is changed: faults of the kind for invalid content, NotFound for an
// unknown folder, Forbidden if the caller lacks the permission, Conflict for an
// external id of another entity.
func (r *Registry[C]) Publish(ctx context.Context, workspace int64, in Publication[C]) (record *Record[C], created bool, err error) {
	release := in.Release
	if in.ExternalID != nil {
		release.ExternalIDs = slices.Concat([]entity.ExternalRef{*in.ExternalID}, release.ExternalIDs)
	}
	prepared, err := r.prepare(&in.Content, false, release)
	if err != nil {
		return nil, false, err
	}
	err = r.store.InTx(ctx, func(ctx context.Context) (err error) {
		var owner entity.Entity
		if owner, created, err = r.ensure(ctx, workspace, in); err == nil {
			record, err = r.add(ctx, owner, prepared)
		}
		return err
	})
	return record, created, err
}

// ensure returns the entity that gets a publication. It creates or changes the
// entity if necessary.
func (r *Registry[C]) ensure(ctx context.Context, workspace int64, in Publication[C]) (owner entity.Entity, created bool, err error) {
	if err := entity.CheckFolder(ctx, r.store, workspace, in.FolderID); err != nil {
		return owner, false, err
	}
	owner, err = r.published(ctx, workspace, in)
	if fault.Is(err, fault.NotFound) {
		if err := in.Release.Require(ctx, r.kind.Kind, access.Create); err != nil {
			return owner, false, err
		}
		owner, err = r.store.CreateEntity(ctx, entity.New{
			WorkspaceID: workspace, Kind: r.kind.Kind, Variant: in.Variant, Name: in.Name,
			FolderID: in.FolderID, Tags: in.Tags, Creator: in.Release.Author,
		})
		if !fault.Is(err, fault.Conflict) {
			return owner, true, err
		}
		owner, err = r.named(ctx, workspace, in.Name) // another writer has just created it
	}
	if err != nil {
		return owner, false, err
	}
	owner, err = r.adjust(ctx, owner, in)
	return owner, false, err
}

// published returns the entity with the external id or else the name, locked.
func (r *Registry[C]) published(ctx context.Context, workspace int64, in Publication[C]) (entity.Entity, error) {
	if in.ExternalID == nil {
		return r.named(ctx, workspace, in.Name)
	}
	owner, err := r.store.FindByExternalID(ctx, workspace, *in.ExternalID)
	switch {
	case fault.Is(err, fault.NotFound):
		return r.named(ctx, workspace, in.Name)
	case err == nil && owner.Kind != r.kind.Kind:
		return owner, fault.Conflictf("External ID already mapped to another entity")
	case err != nil:
		return owner, err
	}
	return r.hold(ctx, workspace, owner.ID)
}

func (r *Registry[C]) named(ctx context.Context, workspace int64, name string) (entity.Entity, error) {
	found, err := r.ByName(ctx, workspace, name)
	if err != nil {
		return found, err
	}
	return r.hold(ctx, workspace, found.ID)
}

// adjust sets the tags and the folder of an existing entity.
func (r *Registry[C]) adjust(ctx context.Context, owner entity.Entity, in Publication[C]) (entity.Entity, error) {
	if err := in.Release.Require(ctx, r.kind.Kind, access.Edit); err != nil {
		return owner, err
	}
	if in.HasTags {
		if _, err := r.store.SetTags(ctx, owner.WorkspaceID, owner.ID, in.Tags); err != nil {
			return owner, err
		}
	}
	if in.FolderID != nil && (owner.FolderID == nil || *owner.FolderID != *in.FolderID) {
		if _, err := r.store.MoveEntities(ctx, owner.WorkspaceID, []int64{owner.ID}, in.FolderID); err != nil {
			return owner, err
		}
	}
	return owner, nil
}
