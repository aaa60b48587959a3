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

// maxAttempts bounds how often a deletion starts again because what it was
// about to delete changed under its hands.
const maxAttempts = 8

// errChanged says that an entity came or went while a deletion ran.
var errChanged = errors.New("an entity came or went meanwhile")

// Delete deletes entities, and with cascade all that lies in folders among
// them, and returns how many distinct ones were named. All are deleted or none.
// The fault is NotFound when an entity is not there, and BadRequest for an
// unknown type or, without cascade, a folder that holds anything that is not
// named itself.
func (s *Service) Delete(ctx context.Context, workspace int64, references []Reference, cascade bool) (int64, error) {
	for attempt := 1; ; attempt++ {
		var deleted int64
		err := s.catalog.InTx(ctx, func(ctx context.Context) (err error) {
			deleted, err = s.delete(ctx, workspace, references, cascade)
			return err
		})
		switch {
		case err == nil:
			return deleted, nil
		case !errors.Is(err, errChanged):
			return 0, err
		case attempt == maxAttempts:
			return 0, fault.Busy(time.Second, err, "The folder keeps changing")
		}
	}
}

func (s *Service) delete(ctx context.Context, workspace int64, references []Reference, cascade bool) (int64, error) {
	// Nothing must be moved out of a folder that goes with all it holds.
	if err := s.catalog.LockTree(ctx, workspace); err != nil {
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
		return 0, fault.BadRequestf("A folder that is not empty can only be deleted with cascade")
	}
	return int64(len(listed)), s.erase(ctx, workspace, append(below, listed...))
}

// kinds returns the kinds of the entities, each once.
func kinds(entities []entity.Entity) []entity.Kind {
	var all []entity.Kind
	for _, one := range entities {
		if !slices.Contains(all, one.Kind) {
			all = append(all, one.Kind)
		}
	}
	return all
}

// below returns what lies in the folders among the entities, without what is
// one of the entities itself.
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
	found, err := s.catalog.EntitiesBelow(ctx, workspace, folders)
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

// erase deletes the entities in the order in which they depend on each other.
// A/B tests come first, as they go with the prompt that they test, and folders
// last, when nothing lies in them any more.
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
	}{{tests, s.catalog.RemoveEntities}, {hidden, s.catalog.SoftDelete}, {rest, s.catalog.RemoveEntities}}
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
