package entity

import "context"

// VersionReader reads the versions of entities for lists.
type VersionReader interface {
	// EachVersion calls use with each version of a page of an entity's versions,
	// newest first, and returns the number of all its versions; 0 when the
	// entity is unknown. It holds one version in memory at a time, unless use
	// keeps it. An error of use ends the iteration and is returned. use must not
	// use the store.
	EachVersion(ctx context.Context, workspace, entity int64, page Page, use func(version *Version) error) (int64, error)
	// LabelsByVersion returns the labels that point at each version by the
	// version's id, ordered by name. Versions without labels are omitted.
	LabelsByVersion(ctx context.Context, workspace int64, versions []int64) (map[int64][]Label, error)
}

// ListedVersion is a version in a list: without its body, and with what its kind
// shows of it.
type ListedVersion[T any] struct {
	// Version has no body.
	Version Version
	// Labels are those that point at it, by name.
	Labels []Label
	// Shown is what was read from the body.
	Shown T
}

// ListVersions returns a page of an entity's versions, newest first, and how
// many there are in all. Bodies can be large, so that only one is in memory at a
// time: show is given each and returns what the list needs of it.
func ListVersions[T any](
	ctx context.Context, from VersionReader, workspace, entity int64, page Page, show func(version *Version) (T, error),
) ([]ListedVersion[T], int64, error) {
	list, ids := []ListedVersion[T]{}, []int64{}
	total, err := from.EachVersion(ctx, workspace, entity, page, func(version *Version) error {
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
	labels, err := from.LabelsByVersion(ctx, workspace, ids)
	if err != nil {
		return nil, 0, err
	}
	for i := range list {
		list[i].Labels = labels[list[i].Version.ID]
	}
	return list, total, nil
}
