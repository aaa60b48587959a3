package registry

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
)

// Item is an entity in a list.
type Item struct {
	Entity      entity.Entity
	ExternalIDs []entity.ExternalID
}

// List returns a page of the entities of the kind and their total number.
func (r *Registry[C]) List(ctx context.Context, query entity.Query) ([]Item, int64, error) {
	query.Kinds = []entity.Kind{r.kind.Kind}
	found, total, err := r.store.ListEntities(ctx, query)
	if err != nil || len(found) == 0 {
		return nil, total, err
	}
	items := make([]Item, len(found))
	for i, one := range found {
		items[i].Entity = one
	}
	attached, err := r.store.ExternalIDsByEntity(ctx, query.WorkspaceID, IDs(items))
	for i := range items {
		items[i].ExternalIDs = attached[items[i].Entity.ID]
	}
	return items, total, err
}

// ListRecords returns a page of the entities of the kind and their total
// number, each in its latest version, or in the one with the label of the
// query. It does not read the labels of the records.
func (r *Registry[C]) ListRecords(ctx context.Context, query entity.Query) ([]Record[C], int64, error) {
	items, total, err := r.List(ctx, query)
	if err != nil || len(items) == 0 {
		return nil, total, err
	}
	versions, err := r.versions(ctx, query, IDs(items))
	if err != nil {
		return nil, 0, err
	}
	records := make([]Record[C], 0, len(items))
	for _, item := range items {
		version, ok := versions[item.Entity.ID]
		if !ok {
			continue // the entity or its label was deleted after it was listed
		}
		content, err := r.kind.Decode(&version)
		if err != nil {
			return nil, 0, err
		}
		records = append(records, Record[C]{Entity: item.Entity, Version: version, Content: content, ExternalIDs: item.ExternalIDs})
	}
	return records, total, nil
}

func (r *Registry[C]) versions(ctx context.Context, query entity.Query, ids []int64) (map[int64]entity.Version, error) {
	if query.Label != nil {
		return r.store.LabelledVersions(ctx, query.WorkspaceID, ids, *query.Label)
	}
	return r.store.LatestVersions(ctx, query.WorkspaceID, ids)
}

// IDs returns the ids of the entities in a list.
func IDs(items []Item) []int64 {
	ids := make([]int64, len(items))
	for i := range items {
		ids[i] = items[i].Entity.ID
	}
	return ids
}

// ListedVersion is a version in a list, without its body.
type ListedVersion[T any] struct {
	// Version has no body.
	Version entity.Version
	// Labels are those that point at the version, by name.
	Labels []entity.Label
	// Shown is what the list shows of the body.
	Shown T
}

// ListVersions returns a page of the versions of an entity, newest first, and
// their total number. Only one body is in memory at a time: show returns what
// the list needs of it.
func ListVersions[T any](
	ctx context.Context, store entity.VersionReader, owner entity.Entity, page entity.Page, show func(version *entity.Version) (T, error),
) ([]ListedVersion[T], int64, error) {
	list, ids := []ListedVersion[T]{}, []int64{}
	total, err := store.EachVersion(ctx, owner.WorkspaceID, owner.ID, page, func(version *entity.Version) error {
		shown, err := show(version)
		if err != nil {
			return err
		}
		one := ListedVersion[T]{Version: *version, Shown: shown}
		one.Version.Body = nil
		list, ids = append(list, one), append(ids, version.ID)
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	labels, err := store.LabelsByVersion(ctx, owner.WorkspaceID, ids)
	for i := range list {
		list[i].Labels = labels[list[i].Version.ID]
	}
	return list, total, err
}
