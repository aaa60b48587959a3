package registry

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

const (
	// namesPerQuery is the number of names per lookup.
	namesPerQuery = 200
	// maxNameAttempts is the maximum number of attempts when other writers take
	// free names.
	maxNameAttempts = 50
)

// NameFinder looks up which names are taken.
type NameFinder interface {
	EntitiesByName(ctx context.Context, workspace int64, kind entity.Kind, names []string) (map[string]int64, error)
}

// FreeName returns the first of the names numbered(1), numbered(2), … that no
// live entity of the kind has, ignoring the entity with the id, 0 for none.
func FreeName(
	ctx context.Context, store NameFinder, workspace int64, kind entity.Kind, id int64, numbered func(n int) string,
) (string, error) {
	for first := 1; ; first += namesPerQuery {
		names := make([]string, namesPerQuery)
		for i := range names {
			names[i] = numbered(first + i)
		}
		taken, err := store.EntitiesByName(ctx, workspace, kind, names)
		if err != nil {
			return "", err
		}
		for _, name := range names {
			if owner, isTaken := taken[name]; !isTaken || owner == id {
				return name, nil
			}
		}
	}
}

// UnderFreeName calls take with free names until it succeeds without a conflict
// with another writer. The id is that of the entity that gets the name, 0 for a
// new one.
func (r *Registry[C]) UnderFreeName(
	ctx context.Context, workspace, id int64, numbered func(n int) string, take func(name string) (entity.Entity, error),
) (entity.Entity, error) {
	var taken error
	for range maxNameAttempts {
		name, err := FreeName(ctx, r.store, workspace, r.kind.Kind, id, numbered)
		if err != nil {
			return entity.Entity{}, err
		}
		owner, err := take(name)
		if !fault.Is(err, fault.Conflict) {
			return owner, err
		}
		taken = err
	}
	return entity.Entity{}, taken
}
