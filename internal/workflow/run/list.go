package run

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/workflow"
)

// Cancelled is the status of a run, never of a node, that was cancelled before
// all of its nodes were final. Otherwise a run is Running, or has ended with
// Success, which means with an output, or with Failed.
const Cancelled Status = "CANCELLED"

// MaxListedInputs is the maximum size of the input variables of a run in a
// list, in bytes.
const MaxListedInputs = 64 << 10

// DryRuns determines whether a list has dry runs.
type DryRuns int

// The zero value leaves them out, so that lists show what applications ran.
const (
	WithoutDryRuns DryRuns = iota
	WithDryRuns
	OnlyDryRuns
)

// ListQuery selects a page of the runs of a workflow.
type ListQuery struct {
	WorkflowID int64
	// RunID selects one run, 0 for all.
	RunID int64
	// Status filters by status, "" for any.
	Status  Status
	DryRuns DryRuns
	Page    entity.Page
}

// Listed is a run in a list. Inputs larger than MaxListedInputs are absent, and
// so is its metadata.
type Listed struct {
	Run
	Status        Status
	VersionNumber int64
}

// List returns a page of the runs of a workflow, newest first, and their total
// number. The workflow of the query is ignored. The fault is NotFound if there is
// no such workflow.
func (s *Service) List(ctx context.Context, workspace int64, identifier string, query ListQuery) ([]Listed, int64, error) {
	owner, err := s.options.Definitions.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, 0, err
	}
	query.WorkflowID = owner.ID
	return s.options.Store.ListRuns(ctx, workspace, query)
}

// Get returns a run as it is listed, and the definition that it runs. The fault is
// NotFound if the workspace has no such run.
func (s *Service) Get(ctx context.Context, workspace, id int64) (Listed, workflow.Definition, error) {
	one, err := s.get(ctx, workspace, id)
	if err != nil {
		return Listed{}, workflow.Definition{}, err
	}
	listed, _, err := s.options.Store.ListRuns(ctx, workspace, ListQuery{
		WorkflowID: one.WorkflowID, RunID: id, DryRuns: WithDryRuns, Page: entity.Page{Limit: 1},
	})
	if err != nil {
		return Listed{}, workflow.Definition{}, err
	}
	if len(listed) == 0 { // removed in the meantime
		return Listed{}, workflow.Definition{}, fault.NotFoundf("Workflow execution not found")
	}
	found, err := s.found(ctx, one)
	if err != nil {
		return Listed{}, workflow.Definition{}, err
	}
	definition, err := found.Definition()
	return listed[0], definition, err
}

// outcome returns the status of a run whose nodes are all final. A cancellation
// has no effect if nothing was left to do.
func outcome(g *graph, states []NodeState, wasCancelled bool) Status {
	if wasCancelled && slices.ContainsFunc(states, func(s NodeState) bool { return s.Message == cancelled }) {
		return Cancelled
	}
	if _, ok := final(g, states); ok {
		return Success
	}
	return Failed
}
