package run

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/workflow"
)

// DryRequest describes a run of a definition that is not a version.
type DryRequest struct {
	// Base is the number of the version that the definition is an edit of, 0 for the
	// latest.
	Base       int64
	Definition workflow.Definition
	Inputs     jsontree.Value
	Metadata   jsontree.Value
}

// DryRun starts a run of a definition without making a version of it. The fault is
// NotFound if the workflow or base does not exist, Forbidden if the caller may not
// edit or not run workflows, and otherwise that of a version with the definition.
func (s *Service) DryRun(ctx context.Context, workspace int64, identifier string, in DryRequest) (Started, error) {
	found, err := s.options.Definitions.Draft(ctx, workspace, identifier, in.Base, in.Definition)
	if err != nil {
		return Started{}, err
	}
	if err := access.Require(ctx, access.WorkflowRun); err != nil {
		return Started{}, err
	}
	compiled, err := compileFound(found)
	if err != nil {
		return Started{}, err
	}
	run := Run{
		Workspace: workspace, WorkflowID: found.Entity.ID, VersionID: found.Version.ID, DryRun: true, Inputs: in.Inputs, Metadata: in.Metadata,
		StartedBy: audit.ActorOf(ctx).Name, CreatedAt: s.options.Clock(),
	}
	return s.add(ctx, run, compiled, found.Version.Body)
}

// graphKey identifies the graph of a run in the cache. Dry runs have their own
// graphs; the ids of versions are positive.
func (r *Run) graphKey() int64 {
	if r.DryRun {
		return -r.ID
	}
	return r.VersionID
}

// found returns what a run runs: its version, with its own definition if it is a
// dry run.
func (s *Service) found(ctx context.Context, run Run) (*workflow.Found, error) {
	found, err := s.options.Definitions.FindVersion(ctx, run.Workspace, run.VersionID)
	if err != nil || !run.DryRun {
		return found, err
	}
	found.Version.Body, err = s.options.Store.RunDefinition(ctx, run.ID)
	return found, err
}
