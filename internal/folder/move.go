package folder

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Move moves entities to a folder, nil for the root, and returns the number
// of distinct references, including entities that are already there. Either
// all are moved or none. The fault is NotFound if the folder or an entity
// does not exist, and BadRequest if an entity cannot be moved, a folder would
// be moved into itself or too deep, or the target already has a folder with
// its name.
func (s *Service) Move(ctx context.Context, workspace int64, references []Reference, target *int64) (int64, error) {
	if err := checkMovable(references); err != nil {
		return 0, err
	}
	var moved int64
	err := s.store.InTx(ctx, func(ctx context.Context) error {
		entities, err := s.resolve(ctx, workspace, references)
		if err != nil {
			return err
		}
		if err := s.checkTarget(ctx, workspace, target); err != nil {
			return err
		}
		if err := access.RequireEach(ctx, access.Edit, kinds(entities)...); err != nil {
			return err
		}
		ids := make([]int64, len(entities))
		for i, one := range entities {
			ids[i] = one.ID
			if one.Traits().Hidden {
				return notMovable(one.Type())
			}
		}
		moved, err = s.store.MoveEntities(ctx, workspace, ids, target)
		if fault.Is(err, fault.Conflict) {
			return fault.Wrap(fault.BadRequest, err, "The target already has a folder with the same name")
		}
		if err != nil {
			return err
		}
		return s.checkHeight(ctx, workspace, entities, target)
	})
	if err != nil {
		return 0, err
	}
	return moved, nil
}

// checkTarget returns a NotFound fault unless the target is a folder.
func (s *Service) checkTarget(ctx context.Context, workspace int64, target *int64) error {
	if target == nil {
		return nil
	}
	_, err := s.get(ctx, workspace, *target)
	return err
}

func notMovable(t entity.Type) error {
	return fault.BadRequestf("Items of type %s cannot be moved", t)
}

// checkMovable rejects hidden types.
func checkMovable(references []Reference) error {
	if err := checkTypes(references); err != nil {
		return err
	}
	for _, ref := range references {
		if traits, _ := entity.TraitsOfType(ref.Type); traits.Hidden {
			return notMovable(ref.Type)
		}
	}
	return nil
}

// checkHeight rejects a move that nests folders too deep. It runs after the
// move, when concurrent moves are locked out.
func (s *Service) checkHeight(ctx context.Context, workspace int64, entities []entity.Entity, target *int64) error {
	var folders []int64
	for _, one := range entities {
		if one.Kind == entity.KindFolder {
			folders = append(folders, one.ID)
		}
	}
	if len(folders) == 0 || target == nil {
		return nil
	}
	height, err := s.store.FolderHeight(ctx, workspace, folders)
	if err != nil {
		return err
	}
	paths, err := s.store.FolderPaths(ctx, workspace, []int64{*target})
	if err != nil {
		return err
	}
	return checkDepth(len(paths[*target]) + int(height))
}
