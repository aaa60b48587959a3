package folder

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// maxAttempts limits how often a deletion is retried because its entities
// changed concurrently.
const maxAttempts = 8

// errChanged means that an entity was added or removed during a deletion.
var errChanged = errors.New("an entity was added or removed concurrently")

// Delete deletes entities, with cascade also the contents of folders among
// them, and returns the number of distinct references. Either all are deleted
// or none. The fault is NotFound if an entity does not exist, and BadRequest
// for an unknown type or, without cascade, for a folder with contents that
// are not referenced themselves.
func (s *Service) Delete(ctx context.Context, workspace int64, references []Reference, cascade bool) (int64, error) {
	for attempt := 1; ; attempt++ {
		var deleted int64
		err := s.store.InTx(ctx, func(ctx context.Context) (err error) {
			deleted, err = s.delete(ctx, workspace, references, cascade)
			return err
		})
		switch {
		case err == nil:
			return deleted, nil
		case !errors.Is(err, errChanged):
			return 0, err
		case attempt == maxAttempts:
			return 0, fault.Busy(time.Second, err, "The folder is being changed: retry later")
		}
	}
}

func (s *Service) delete(ctx context.Context, workspace int64, references []Reference, cascade bool) (int64, error) {
	// Nothing must be moved out of a folder while it is deleted with its
	// contents.
	if err := s.store.LockTree(ctx, workspace); err != nil {
		return 0, err
	}
	listed, err := s.resolve(ctx, workspace, references)
	if err != nil {
		return 0, err
	}
	below, err := s.below(ctx, workspace, listed)
	if err != nil {
		return 0, err
	}
	if err := access.RequireEach(ctx, access.Delete, kinds(append(below, listed...))...); err != nil {
		return 0, err
	}
	if !cascade && len(below) > 0 {
		return 0, fault.BadRequestf("The folder is not empty: set cascade to delete its contents")
	}
	return int64(len(listed)), s.erase(ctx, workspace, append(below, listed...))
}

// kinds returns the distinct kinds of the entities.
func kinds(entities []entity.Entity) []entity.Kind {
	var all []entity.Kind
	for _, one := range entities {
		if !slices.Contains(all, one.Kind) {
			all = append(all, one.Kind)
		}
	}
	return all
}

// below returns the contents of the folders among the entities, without the
// entities themselves.
func (s *Service) below(ctx context.Context, workspace int64, listed []entity.Entity) ([]entity.Entity, error) {
	var folders []int64
	seen := map[int64]bool{}
	for _, one := range listed {
		seen[one.ID] = true
		if one.Kind == entity.KindFolder {
			folders = append(folders, one.ID)
		}
	}
	if len(folders) == 0 {
		return nil, nil
	}
	found, err := s.store.EntitiesBelow(ctx, workspace, folders)
	if err != nil {
		return nil, err
	}
	var below []entity.Entity
	for _, one := range found {
		if !seen[one.ID] {
			seen[one.ID] = true
			below = append(below, one)
		}
	}
	return below, nil
}

// erase deletes the entities in order of their dependencies: A/B tests first,
// because they are deleted with their prompt, and folders last, when they are
// empty.
func (s *Service) erase(ctx context.Context, workspace int64, entities []entity.Entity) error {
	var tests, hidden, rest []int64
	for _, one := range entities {
		switch {
		case one.Kind == entity.KindABTest:
			tests = append(tests, one.ID)
		case one.Traits().Erased:
			rest = append(rest, one.ID)
		default:
			hidden = append(hidden, one.ID)
		}
	}
	steps := []struct {
		ids []int64
		do  func(ctx context.Context, workspace int64, ids []int64) (int64, error)
	}{{tests, s.store.RemoveEntities}, {hidden, s.store.SoftDelete}, {rest, s.store.RemoveEntities}}
	for _, step := range steps {
		if len(step.ids) == 0 {
			continue
		}
		_, err := step.do(ctx, workspace, step.ids)
		if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Conflict) {
			return errors.Join(errChanged, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
