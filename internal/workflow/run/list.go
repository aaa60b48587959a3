package run

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
)

// Cancelled is the status of a run, never of a node, that was cancelled before
// all of its nodes were final. Otherwise a run is Running, or has ended with
// Success, which means with an output, or with Failed.
const Cancelled Status = "CANCELLED"

// MaxListedInputs is the maximum size of the input variables of a run in a
// list, in bytes.
const MaxListedInputs = 64 << 10

// ListQuery selects a page of the runs of a workflow.
type ListQuery struct {
	WorkflowID int64
	// Status filters by status, "" for any.
	Status Status
	Page   entity.Page
}

// Listed is a run in a list. Inputs larger than MaxListedInputs are absent, and
// so is its metadata.
type Listed struct {
	Run
	Status        Status
	VersionNumber int64
}

// List returns a page of the runs of a workflow, newest first, and their total
// number. The fault is NotFound if there is no such workflow.
func (s *Service) List(
	ctx context.Context, workspace int64, identifier string, status Status, page entity.Page,
) ([]Listed, int64, error) {
	owner, err := s.options.Definitions.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, 0, err
	}
	return s.options.Store.ListRuns(ctx, workspace, ListQuery{WorkflowID: owner.ID, Status: status, Page: page})
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
