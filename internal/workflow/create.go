package workflow

import (
	"context"
	"strconv"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
)

// CreateInput is a version to be added to a new or to an existing workflow.
type CreateInput struct {
	// Name is that of a new workflow. It is generated if neither it nor an
	// existing workflow is given.
	Name *string
	// WorkflowID and WorkflowName select the existing workflow that gets the
	// version. If both are given they must select the same one.
	WorkflowID   *int64
	WorkflowName *string
	// FolderID is that of a new workflow, nil for the root.
	FolderID   *int64
	Definition Definition
	Release    registry.Release
}

// isNew reports whether the version is the first of a workflow.
func (in *CreateInput) isNew() bool { return in.WorkflowID == nil && in.WorkflowName == nil }

// Create adds a version; created reports whether the workflow is new. On any
// fault nothing is changed: NotFound for an unknown workflow or folder,
// Forbidden if the caller lacks the permission, BadRequest for a duplicate name
// and for an invalid definition, Conflict for an external id of another entity.
func (s *Service) Create(ctx context.Context, workspace int64, in CreateInput) (record *Record, created bool, err error) {
	if in.isNew() {
		record, err = s.createNew(ctx, workspace, in)
		return record, true, err
	}
	owner, named, err := s.target(ctx, workspace, in)
	if err != nil {
		return nil, false, err
	}
	if err := in.Release.Require(ctx, entity.KindWorkflow, access.Edit); err != nil {
		return nil, false, err
	}
	if err := in.checkTarget(owner, named); err != nil {
		return nil, false, err
	}
	record, err = s.AddVersion(ctx, workspace, owner.ID, registry.Edit[Definition]{
		Release: in.Release,
		Apply: func(_ context.Context, base entity.FoundVersion) (Definition, error) {
			return s.protect(workspace, in.Definition, func() (Definition, error) { return decodeBase(&base.Version) })
		},
	})
	if err == nil {
		record.Base = 0 // the new version does not derive from it
	}
	return record, false, err
}

func (s *Service) createNew(ctx context.Context, workspace int64, in CreateInput) (*Record, error) {
	wanted := registry.CreateInput[Definition]{FolderID: in.FolderID, Content: &in.Definition, Release: in.Release}
	wanted.Inside = func(_ context.Context, _ entity.Entity, content *Definition) (err error) {
		*content, err = s.protect(workspace, *content, func() (Definition, error) { return Definition{}, nil })
		return err
	}
	if in.Name != nil {
		wanted.Name = *in.Name
	} else {
		wanted.Numbered = untitled
	}
	return s.Registry.Create(ctx, workspace, wanted)
}

// untitled returns the nth name for a workflow without a name.
func untitled(n int) string {
	if n == 1 {
		return "Untitled Workflow"
	}
	return "Untitled Workflow " + strconv.Itoa(n)
}

// target returns the existing workflow that gets the version, and the one that the
// name leads to. The fault is NotFound if the id or the name is unknown.
func (s *Service) target(ctx context.Context, workspace int64, in CreateInput) (owner, named entity.Entity, err error) {
	if in.WorkflowName != nil {
		if named, err = s.Named(ctx, workspace, *in.WorkflowName); err != nil {
			return owner, named, err
		}
	}
	if in.WorkflowID == nil {
		return named, named, nil
	}
	owner, err = s.ByID(ctx, workspace, *in.WorkflowID)
	return owner, named, err
}

// checkTarget returns a BadRequest fault if the input contradicts itself about
// the workflow that gets the version.
func (in *CreateInput) checkTarget(owner, named entity.Entity) error {
	if in.Name != nil {
		return fault.BadRequestf("name is for a new workflow and excludes workflow_id and workflow_name")
	}
	if in.WorkflowName != nil && named.ID != owner.ID {
		return fault.BadRequestf("workflow_id and workflow_name refer to different workflows")
	}
	return nil
}
