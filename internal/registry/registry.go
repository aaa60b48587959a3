package registry

import (
	"cmp"
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Registry stores the entities of one versioned kind. It is safe for concurrent
// use.
type Registry[C any] struct {
	store entity.Store
	kind  Kind[C]
}

// New returns a registry of the kind over the store.
func New[C any](store entity.Store, kind Kind[C]) *Registry[C] {
	if kind.NameTaken == fault.Internal {
		kind.NameTaken = fault.Conflict
	}
	return &Registry[C]{store, kind}
}

// Identify returns the live entity with the identifier, by id or else by name,
// or a NotFound fault.
func (r *Registry[C]) Identify(ctx context.Context, workspace int64, identifier string) (entity.Entity, error) {
	found, err := entity.Identify(ctx, r.store, workspace, r.kind.Kind, identifier)
	return found, r.notFound(err)
}

// ByID returns the live entity with the id, or a NotFound fault.
func (r *Registry[C]) ByID(ctx context.Context, workspace, id int64) (entity.Entity, error) {
	return entity.Owner{Workspace: workspace, Kind: r.kind.Kind, ID: id}.Find(ctx, r.store)
}

// ByName returns the live entity with exactly this name, or a NotFound fault.
func (r *Registry[C]) ByName(ctx context.Context, workspace int64, name string) (entity.Entity, error) {
	found, err := r.store.FindEntityByName(ctx, workspace, r.kind.Kind, name)
	return found, r.notFound(err)
}

// Named returns the live entity that has the name, or else the one that had it
// before, or a NotFound fault.
func (r *Registry[C]) Named(ctx context.Context, workspace int64, name string) (entity.Entity, error) {
	found, err := entity.Named(ctx, r.store, workspace, r.kind.Kind, name)
	return found, r.notFound(err)
}

// notFound replaces the NotFound fault of the store by one with the noun of the
// kind.
func (r *Registry[C]) notFound(err error) error {
	if fault.Is(err, fault.NotFound) {
		return entity.NotFound(r.kind.Kind)
	}
	return err
}

// Select returns a version of the live entity with the identifier. The fault is
// NotFound if the entity, version or label does not exist. Most calls take one
// query.
func (r *Registry[C]) Select(ctx context.Context, workspace int64, identifier string, selector Selector) (entity.FoundVersion, error) {
	found, err := r.store.FindVersion(ctx, workspace, r.kind.Kind, entity.Selector{
		ID: entity.IDOf(identifier), Name: identifier, Number: selector.Number, Label: selector.Label,
	})
	if !fault.Is(err, fault.NotFound) {
		return found, err
	}
	owner, err := r.Identify(ctx, workspace, identifier)
	if err != nil {
		return found, err
	}
	return r.SelectOf(ctx, workspace, owner.ID, selector)
}

// SelectOf returns a version of the live entity with the id. The fault is
// NotFound if the entity, version or label does not exist.
func (r *Registry[C]) SelectOf(ctx context.Context, workspace, id int64, selector Selector) (entity.FoundVersion, error) {
	found, err := r.store.FindVersion(ctx, workspace, r.kind.Kind,
		entity.Selector{ID: id, Number: selector.Number, Label: selector.Label})
	if fault.Is(err, fault.NotFound) && r.kind.MayBeEmpty && selector == (Selector{}) {
		found.Entity, err = r.ByID(ctx, workspace, id)
	}
	return found, err
}

// Get returns a version of the live entity with the identifier, with its labels
// and external ids. Faults are those of Select.
func (r *Registry[C]) Get(ctx context.Context, workspace int64, identifier string, selector Selector) (*Record[C], error) {
	found, err := r.Select(ctx, workspace, identifier, selector)
	if err != nil {
		return nil, err
	}
	return r.record(ctx, found)
}

// GetByID is Get for the entity with the id.
func (r *Registry[C]) GetByID(ctx context.Context, workspace, id int64, selector Selector) (*Record[C], error) {
	found, err := r.SelectOf(ctx, workspace, id, selector)
	if err != nil {
		return nil, err
	}
	return r.record(ctx, found)
}

// record returns a version with its content, labels and external ids.
func (r *Registry[C]) record(ctx context.Context, found entity.FoundVersion) (*Record[C], error) {
	record := &Record[C]{Entity: found.Entity, Version: found.Version}
	if found.Version.Number != 0 {
		var err error
		if record.Content, err = r.kind.Decode(&found.Version); err != nil {
			return nil, err
		}
	}
	return record, r.complete(ctx, record)
}

// complete adds the labels and the external ids to a record.
func (r *Registry[C]) complete(ctx context.Context, record *Record[C]) (err error) {
	workspace, id := record.Entity.WorkspaceID, record.Entity.ID
	if record.Labels, err = r.labels(ctx, workspace, id); err != nil {
		return err
	}
	record.ExternalIDs, err = r.store.ListExternalIDs(ctx, workspace, id)
	return err
}

// labels returns the labels of an entity, sorted by name.
func (r *Registry[C]) labels(ctx context.Context, workspace, id int64) ([]entity.Label, error) {
	labels, err := r.store.ListLabels(ctx, workspace, id)
	slices.SortFunc(labels, func(a, b entity.Label) int { return cmp.Compare(a.Name, b.Name) })
	return labels, err
}

// Labels returns the release labels of the entity with the identifier, sorted
// by name. The fault is NotFound if the entity does not exist.
func (r *Registry[C]) Labels(ctx context.Context, workspace int64, identifier string) ([]entity.Label, error) {
	owner, err := r.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, err
	}
	return r.labels(ctx, workspace, owner.ID)
}
