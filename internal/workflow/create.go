package workflow

import (
	"context"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// CreateInput is a version to be added, to a new workflow or to one that is
// there.
type CreateInput struct {
	// Name is that of a new workflow; one is made up when there is nothing here
	// and no workflow is named below.
	Name *string
	// WorkflowID and WorkflowName name the workflow that gets the version.
	// When both are given they must name the same.
	WorkflowID   *int64
	WorkflowName *string
	// FolderID is where a new workflow is put, nil for the root.
	FolderID   *int64
	Definition Definition
	Release    Release
}

// Release is what comes along with a new version.
type Release struct {
	CommitMessage *string
	// Labels are created at, or moved to, the new version.
	Labels      []string
	ExternalIDs []entity.ExternalRef
	Author      *string
}

// Record is one version of a workflow with what belongs to it.
type Record struct {
	Entity     entity.Entity
	Version    entity.Version
	Definition Definition
	// Base is the number of the version that a patch started from, 0 where
	// there was none.
	Base int64
	// Labels are those that point at the version, by name.
	Labels      []string
	ExternalIDs []entity.ExternalID
}

// draft is a version that passed all checks and is ready to be stored.
type draft struct {
	definition Definition
	body       []byte
}

// Create adds a version; created reports that the workflow is new. On any
// fault nothing is changed: NotFound for an unknown workflow or folder,
// Forbidden when the caller may not do it, BadRequest for a name that is taken
// and for a definition that breaks a rule, Conflict for an external id of
// another entity.
func (s *Service) Create(ctx context.Context, workspace int64, in CreateInput) (record *Record, created bool, err error) {
	owner, err := s.target(ctx, workspace, in)
	if err != nil {
		return nil, false, err
	}
	if err := in.permitted(ctx, owner); err != nil {
		return nil, false, err
	}
	made, err := s.draft(&in.Definition, false)
	if err != nil {
		return nil, false, err
	}
	err = s.catalog.InTx(ctx, func(ctx context.Context) error {
		if err := s.ensure(ctx, workspace, &owner, in); err != nil {
			return err
		}
		record, err = s.add(ctx, workspace, owner, made, in.Release)
		return err
	})
	return record, in.isNew(), err
}

// ensure makes sure that the workflow that gets the version is there until the
// transaction ends. Where it is new it becomes owner.
func (s *Service) ensure(ctx context.Context, workspace int64, owner *entity.Entity, in CreateInput) (err error) {
	if in.isNew() {
		*owner, err = s.createEntity(ctx, workspace, in)
		return err
	}
	return s.hold(ctx, workspace, owner.ID)
}

// isNew reports that the version begins a workflow.
func (in *CreateInput) isNew() bool { return in.WorkflowID == nil && in.WorkflowName == nil }

// permitted returns a Forbidden fault when the caller may not add the version,
// and a BadRequest fault when the input contradicts itself about the workflow
// that gets it.
func (in *CreateInput) permitted(ctx context.Context, owner entity.Entity) error {
	if in.isNew() {
		return in.Release.require(ctx, access.WorkflowCreate)
	}
	if err := in.Release.require(ctx, access.WorkflowEdit); err != nil {
		return err
	}
	if in.Name != nil {
		return fault.BadRequestf("name is for a new workflow and excludes workflow_id and workflow_name")
	}
	if in.WorkflowName != nil && *in.WorkflowName != owner.Name {
		return fault.BadRequestf("workflow_id and workflow_name name different workflows")
	}
	return nil
}

// target returns the workflow that gets the version, nothing where it is new.
// The fault is NotFound for each of those that are named and not there.
func (s *Service) target(ctx context.Context, workspace int64, in CreateInput) (owner entity.Entity, err error) {
	if in.isNew() {
		return owner, entity.CheckFolder(ctx, s.catalog, workspace, in.FolderID)
	}
	if in.WorkflowName != nil {
		if owner, err = s.byName(ctx, workspace, *in.WorkflowName); err != nil {
			return owner, err
		}
	}
	if in.WorkflowID != nil {
		owner, err = s.byID(ctx, workspace, *in.WorkflowID)
	}
	return owner, err
}

// require returns a Forbidden fault unless the caller may add the version and
// release it as it says.
func (r *Release) require(ctx context.Context, needed access.Permission) error {
	if len(r.Labels) > 0 {
		return access.Require(ctx, needed, access.WorkflowDeploy)
	}
	return access.Require(ctx, needed)
}

// draft checks a definition and makes a version of it. The size comes first,
// because it bounds what the other checks cost.
func (s *Service) draft(definition *Definition, edgesAreCopied bool) (draft, error) {
	made := draft{definition: definition.withIDs(s.newID)}
	if made.body = made.definition.encode(); len(made.body) > MaxSize {
		return made, fault.BadRequestf("The workflow is too large: it takes %d bytes, more than %d", len(made.body), MaxSize)
	}
	return made, made.definition.Check(s.types, edgesAreCopied)
}

// hold makes sure that a workflow stays as it is until the transaction ends,
// but for what the transaction itself does. The fault is NotFound when it was
// deleted since it was found.
func (s *Service) hold(ctx context.Context, workspace, id int64) error {
	return workflowNotFound(s.catalog.LockEntity(ctx, workspace, id))
}

// createEntity makes a workflow without a version.
func (s *Service) createEntity(ctx context.Context, workspace int64, in CreateInput) (entity.Entity, error) {
	wanted := entity.New{
		WorkspaceID: workspace, Kind: entity.KindWorkflow, FolderID: in.FolderID, Creator: in.Release.Author,
	}
	if in.Name == nil {
		return s.createUntitled(ctx, wanted)
	}
	wanted.Name = *in.Name
	made, err := s.catalog.CreateEntity(ctx, wanted)
	if fault.Is(err, fault.Conflict) {
		err = fault.BadRequestf("A workflow with the name '%s' already exists", wanted.Name)
	}
	return made, err
}

const (
	// untitled is the name of workflows that nobody gave one.
	untitled = "Untitled Workflow"
	// untitledStep is how many names are tried at once.
	untitledStep = 200
	// maxLost is how often a name is tried that others take at the same time.
	maxLost = 50
)

// createUntitled makes a workflow under the first name that is free.
func (s *Service) createUntitled(ctx context.Context, wanted entity.New) (made entity.Entity, err error) {
	for range maxLost {
		if wanted.Name, err = s.freeName(ctx, wanted.WorkspaceID); err != nil {
			return made, err
		}
		made, err = s.catalog.CreateEntity(ctx, wanted)
		if !fault.Is(err, fault.Conflict) {
			return made, err
		}
	}
	return made, err
}

// freeName returns the first name for an untitled workflow that none has.
func (s *Service) freeName(ctx context.Context, workspace int64) (string, error) {
	for first := 1; ; first += untitledStep {
		names := make([]string, untitledStep)
		for i := range names {
			names[i] = untitled + " " + strconv.Itoa(first+i)
		}
		if first == 1 {
			names[0] = untitled
		}
		taken, err := s.catalog.EntitiesByName(ctx, workspace, entity.KindWorkflow, names)
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

// add stores a version with all that comes along. It runs in a transaction.
func (s *Service) add(
	ctx context.Context, workspace int64, owner entity.Entity, made draft, release Release,
) (*Record, error) {
	version, err := s.catalog.AddVersion(ctx, workspace, owner.ID, entity.NewVersion{
		Body: made.body, CommitMessage: release.CommitMessage, Creator: release.Author,
	})
	if err != nil {
		return nil, err
	}
	labels := slices.Compact(slices.Sorted(slices.Values(release.Labels)))
	for _, label := range labels {
		if _, err := s.catalog.SetLabel(ctx, workspace, owner.ID, label, version.Number); err != nil {
			return nil, err
		}
	}
	for _, ref := range release.ExternalIDs {
		if err := s.catalog.AttachExternalID(ctx, workspace, owner.ID, ref); err != nil {
			return nil, err
		}
	}
	attached, err := s.catalog.ExternalIDsByEntity(ctx, workspace, []int64{owner.ID})
	if err != nil {
		return nil, err
	}
	return &Record{
		Entity: owner, Version: version, Definition: made.definition,
		Labels: labels, ExternalIDs: attached[owner.ID],
	}, nil
}
