package dataset

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// CreateInput is a dataset group to be created.
type CreateInput struct {
	Name string
	// FolderID is nil for the root.
	FolderID    *int64
	ExternalIDs []entity.ExternalRef
	Creator     *string
}

// Created is a new dataset group.
type Created struct {
	Group       entity.Entity
	Draft       Dataset
	ExternalIDs []entity.ExternalID
}

// Create creates a dataset group with an empty draft. On any fault nothing is
// changed: NotFound for an unknown folder, Forbidden if the caller lacks the
// permission, BadRequest for a duplicate name, Conflict for an external id of
// another entity.
func (s *Service) Create(ctx context.Context, workspace int64, in CreateInput) (Created, error) {
	if err := entity.CheckFolder(ctx, s.entities, workspace, in.FolderID); err != nil {
		return Created{}, err
	}
	if err := access.Require(ctx, access.DatasetCreate); err != nil {
		return Created{}, err
	}
	var made Created
	err := s.entities.InTx(ctx, func(ctx context.Context) (err error) {
		made, err = s.create(ctx, workspace, in)
		return err
	})
	return made, err
}

func (s *Service) create(ctx context.Context, workspace int64, in CreateInput) (made Created, err error) {
	made.Group, err = s.entities.CreateEntity(ctx, entity.New{
		WorkspaceID: workspace, Kind: entity.KindDataset, Name: in.Name, FolderID: in.FolderID, Creator: in.Creator,
	})
	if fault.Is(err, fault.Conflict) {
		return made, fault.BadRequestf("A dataset with this name already exists")
	}
	if err != nil {
		return made, err
	}
	if made.Draft, err = s.addEmptyDraft(ctx, workspace, made.Group.ID, in.Creator); err != nil {
		return made, err
	}
	for _, ref := range in.ExternalIDs {
		if err := s.entities.AttachExternalID(ctx, workspace, made.Group.ID, ref); err != nil {
			return made, err
		}
	}
	attached, err := s.entities.ExternalIDsByEntity(ctx, workspace, []int64{made.Group.ID})
	made.ExternalIDs = attached[made.Group.ID]
	return made, err
}

func (s *Service) addEmptyDraft(ctx context.Context, workspace, groupID int64, creator *string) (Dataset, error) {
	content, err := s.store.CreateContent(ctx, workspace)
	if err != nil {
		return Dataset{}, err
	}
	empty := Dataset{content: content, Creator: creator}
	stored, err := s.store.AddDraft(ctx, workspace, groupID, empty.stateOf())
	if err != nil {
		return Dataset{}, err
	}
	return datasetOf(stored)
}
