package run

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
)

// Cancelled is what became of a run, never of a node, that was cancelled before
// all of its nodes were final. Beside it a run is Running, or has ended with
// Success, which is with an output, or with Failed.
const Cancelled Status = "CANCELLED"

// MaxListedInputs is how many bytes the input variables of a run may have for a
// list to show them.
const MaxListedInputs = 64 << 10

// ListQuery chooses a page of the runs of a workflow.
type ListQuery struct {
	WorkflowID int64
	// Status is what has become of the runs, "" for any.
	Status Status
	Page   entity.Page
}

// Listed is a run in a list. Its inputs are absent where they are larger than
// MaxListedInputs, and its metadata always is.
type Listed struct {
	Run
	Status        Status
	VersionNumber int64
}

// List returns a page of the runs of a workflow, newest first, and how many
// there are in all. The fault is NotFound when there is no such workflow.
func (s *Service) List(
	ctx context.Context, workspace int64, identifier string, status Status, page entity.Page,
) ([]Listed, int64, error) {
	owner, err := s.options.Definitions.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, 0, err
	}
	return s.options.Store.ListRuns(ctx, workspace, ListQuery{WorkflowID: owner.ID, Status: status, Page: page})
}

// outcome returns what became of a run whose nodes are all final. One that was
// cancelled when nothing was left to do has ended as if nobody had.
func outcome(g *graph, states []NodeState, wasCancelled bool) Status {
	if wasCancelled && slices.ContainsFunc(states, func(s NodeState) bool { return s.Message == cancelled }) {
		return Cancelled
	}
	if _, ok := final(g, states); ok {
		return Success
	}
	return Failed
}
