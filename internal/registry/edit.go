package registry

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
)

// Edit is a version to be derived from an earlier one of the same entity.
type Edit[C any] struct {
	Base Selector
	// Apply returns the content of the new version. It is called outside of the
	// transaction, and again inside if the base has changed in the meantime.
	Apply   func(ctx context.Context, base entity.FoundVersion) (C, error)
	Release Release
	Inside  Inside[C]
}

// Constant returns an Apply function for content that does not depend on the
// base.
func Constant[C any](content C) func(context.Context, entity.FoundVersion) (C, error) {
	return func(context.Context, entity.FoundVersion) (C, error) { return content, nil }
}

// AddVersion adds a version to the entity with the id. Edits of one entity are
// serialized, so that none undoes another. On any fault nothing is changed:
// NotFound for an entity that is not live and for an unknown base, Forbidden if
// the caller lacks the permission, faults of Apply and of the kind for the
// content, Conflict for an external id of another entity.
func (r *Registry[C]) AddVersion(ctx context.Context, workspace, id int64, in Edit[C]) (*Record[C], error) {
	base, err := r.SelectOf(ctx, workspace, id, in.Base)
	if err != nil {
		return nil, err
	}
	if err := in.Release.Require(ctx, r.kind.Kind, access.Edit); err != nil {
		return nil, err
	}
	prepared, err := r.apply(ctx, base, in)
	if err != nil {
		return nil, err
	}
	var record *Record[C]
	err = r.store.InTx(ctx, func(ctx context.Context) error {
		if err := r.notFound(r.store.LockEntity(ctx, workspace, id)); err != nil {
			return err
		}
		// The base may have changed before the lock was acquired.
		current, err := r.SelectOf(ctx, workspace, id, in.Base)
		if err != nil {
			return err
		}
		made := prepared
		if current.Version.ID != base.Version.ID {
			if made, err = r.apply(ctx, current, in); err != nil {
				return err
			}
		}
		if record, err = r.add(ctx, current.Entity, made); err == nil {
			record.Base = current.Version.Number
		}
		return err
	})
	return record, err
}

// Draft returns the version that AddVersion would add, without adding it: the base
// with the body of the new version. Faults are those of AddVersion.
func (r *Registry[C]) Draft(ctx context.Context, workspace, id int64, in Edit[C]) (entity.FoundVersion, error) {
	base, err := r.SelectOf(ctx, workspace, id, in.Base)
	if err != nil {
		return base, err
	}
	if err := in.Release.Require(ctx, r.kind.Kind, access.Edit); err != nil {
		return base, err
	}
	prepared, err := r.apply(ctx, base, in)
	base.Version.Body = prepared.body
	return base, err
}

// apply returns the new version of an edit, ready to be stored.
func (r *Registry[C]) apply(ctx context.Context, base entity.FoundVersion, in Edit[C]) (draft[C], error) {
	content, err := in.Apply(ctx, base)
	if err != nil {
		return draft[C]{}, err
	}
	prepared, err := r.prepare(&content, true, in.Release)
	prepared.inside = in.Inside
	return prepared, err
}

// Change calls do in a transaction with an entity that is locked until the
// transaction ends. The fault is NotFound if the live entity does not exist, and
// Forbidden if the caller may not do the action.
func (r *Registry[C]) Change(
	ctx context.Context, workspace, id int64, action access.Action, do func(ctx context.Context, owner entity.Entity) error,
) error {
	if _, err := r.ByID(ctx, workspace, id); err != nil {
		return err
	}
	if err := access.RequireFor(ctx, r.kind.Kind, action); err != nil {
		return err
	}
	return r.store.InTx(ctx, func(ctx context.Context) error {
		owner, err := r.hold(ctx, workspace, id)
		if err != nil {
			return err
		}
		return do(ctx, owner)
	})
}

// hold locks an entity until the transaction ends and returns it. The fault is
// NotFound if it is not live.
func (r *Registry[C]) hold(ctx context.Context, workspace, id int64) (entity.Entity, error) {
	if err := r.notFound(r.store.LockEntity(ctx, workspace, id)); err != nil {
		return entity.Entity{}, err
	}
	return r.ByID(ctx, workspace, id)
}

// Delete deletes an entity. Faults are those of Change.
func (r *Registry[C]) Delete(ctx context.Context, workspace, id int64) error {
	return r.Change(ctx, workspace, id, access.Delete, func(ctx context.Context, owner entity.Entity) error {
		remove := r.store.SoftDelete
		if owner.Traits().Erased {
			remove = r.store.RemoveEntities
		}
		_, err := remove(ctx, workspace, []int64{id})
		return err
	})
}
