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
// live entity of the kind has.
func FreeName(
	ctx context.Context, store NameFinder, workspace int64, kind entity.Kind, numbered func(n int) string,
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
			if _, isTaken := taken[name]; !isTaken {
				return name, nil
			}
		}
	}
}

// Rename changes the name of an entity. The fault is that of a duplicate name if
// another entity of the kind has it.
func (r *Registry[C]) Rename(ctx context.Context, workspace, id int64, name string) error {
	_, err := r.store.RenameEntity(ctx, workspace, id, name)
	return r.nameTaken(err, name)
}

// nameTaken returns a conflict between names as clients see it, and any other
// error unchanged.
func (r *Registry[C]) nameTaken(err error, name string) error {
	if !fault.Is(err, fault.Conflict) {
		return err
	}
	traits, _ := entity.TraitsOf(r.kind.Kind)
	return fault.New(r.kind.NameTaken, "A %s with the name '%s' already exists", traits.Noun, name)
}

// underFreeName calls take with free names until it succeeds without a conflict
// with another writer.
func (r *Registry[C]) underFreeName(
	ctx context.Context, workspace int64, numbered func(n int) string, take func(name string) (entity.Entity, error),
) (entity.Entity, error) {
	var taken error
	for range maxNameAttempts {
		name, err := FreeName(ctx, r.store, workspace, r.kind.Kind, numbered)
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
