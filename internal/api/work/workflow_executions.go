package work

import (
	"context"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/workflow"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

type listExecutionsQuery struct {
	workflowIdentifier
	kit.VersionPaging
	Status  *string `query:"status" enum:"RUNNING,SUCCESS,FAILED,CANCELLED" description:"Only runs with this status."`
	DryRuns *string `query:"dry_runs" enum:"exclude,include,only" description:"Whether dry runs are listed. Defaults to exclude."`
}

// dryRuns are the values of the parameter dry_runs.
var dryRuns = map[string]run.DryRuns{"": run.WithoutDryRuns, "exclude": run.WithoutDryRuns, "include": run.WithDryRuns, "only": run.OnlyDryRuns}

type executionItem struct {
	ID            int64           `json:"id" required:"true" description:"The id of the run."`
	VersionID     int64           `json:"workflow_version_id" required:"true" description:"The id of the version that was run, or whose edits a dry run ran."`
	VersionNumber int64           `json:"workflow_version_number" required:"true" description:"Version number."`
	DryRun        bool            `json:"dry_run" required:"true" description:"Whether it is a dry run, which runs edits of the version."`
	Status        string          `json:"status" required:"true" enum:"RUNNING,SUCCESS,FAILED,CANCELLED" description:"Status."`
	StartedBy     *string         `json:"started_by" required:"true" description:"Who started the run: a person's email address or a key's name; null for a key without a name."`
	StartedAt     rest.Time       `json:"started_at" required:"true" description:"When it was started."`
	EndedAt       *rest.Time      `json:"ended_at" required:"true" description:"When the run ended; null while it is in progress."`
	TraceID       string          `json:"trace_id" required:"true" description:"The id of its trace. Runs of earlier versions of the server have no trace."`
	Inputs        *rest.RawObject `json:"input_variables" required:"true" description:"Input variables; null if larger than 64 KiB."`
}

func (h workflowRuns) list(ctx context.Context, in *listExecutionsQuery) (*kit.Page[executionItem], error) {
	page := in.Paging()
	found, total, err := h.service.List(ctx, kit.Workspace(ctx), in.Identifier, run.ListQuery{
		Status: run.Status(kit.OrZero(in.Status)), DryRuns: dryRuns[kit.OrZero(in.DryRuns)], Page: page.Slice(),
	})
	if err != nil {
		return nil, err
	}
	return kit.NewPage(page, total, found, wireExecution), nil
}

func wireExecution(r *run.Listed) executionItem {
	item := executionItem{
		ID: r.ID, VersionID: r.VersionID, VersionNumber: r.VersionNumber, DryRun: r.DryRun, Status: string(r.Status), StartedBy: kit.OrNil(r.StartedBy),
		StartedAt: kit.Time(r.CreatedAt), EndedAt: kit.TimeOrNil(r.EndedAt), TraceID: r.TraceID(),
	}
	if r.Inputs.Kind() != jsontree.Absent {
		item.Inputs = kit.RawOrNull(r.Inputs.Raw())
	}
	return item
}

// executionDetails is a run with what it runs.
type executionDetails struct {
	Success bool `json:"success" required:"true" description:"Always true."`
	executionItem
	WorkflowID int64              `json:"workflow_id" required:"true" description:"The id of the workflow."`
	Variables  rest.RawObject     `json:"required_input_variables" required:"true" description:"Types of the input variables by name."`
	Nodes      []workflowNodeItem `json:"nodes" required:"true" description:"The nodes that it runs, in order."`
	Edges      []workflowEdgeItem `json:"edges" required:"true" description:"The edges."`
}

func (h workflowRuns) get(ctx context.Context, in *executionPath) (*executionDetails, error) {
	found, definition, err := h.service.Get(ctx, kit.Workspace(ctx), in.RunID)
	if err != nil {
		return nil, err
	}
	return &executionDetails{
		Success: true, executionItem: wireExecution(&found), WorkflowID: found.WorkflowID, Variables: workflow.EncodeVariables(definition.Variables),
		Nodes: wireWorkflowNodes(definition.Nodes, found.VersionID), Edges: kit.EachRef(definition.Edges, wireWorkflowEdge),
	}, nil
}

type dryRunRequest struct {
	Identifier  string            `path:"workflow_id_or_name" description:"The workflow's name or id."`
	BaseVersion *int64            `json:"base_version" minimum:"1" description:"Number of the version that the definition is an edit of; defaults to the latest."`
	Nodes       workflowNodes     `json:"nodes" required:"true" description:"All nodes; at most 2,000."`
	Variables   workflowVariables `json:"required_input_variables" description:"Types of the input variables by name; at most 1,000."`
	Edges       workflowEdges     `json:"edges" description:"All edges; at most 10,000."`
	Inputs      jsontree.Value    `json:"input_variables" description:"Input variables: an object with values of any type."`
	Metadata    stringMembers     `json:"metadata" description:"Strings by name, attached to everything that the run logs."`
}

// Validate checks what the tags cannot express.
func (in *dryRunRequest) Validate(problems *fault.Problems) { checkInputs(in.Inputs, problems) }

func (h workflowRuns) dryRun(ctx context.Context, in *dryRunRequest) (*runWorkflowResponse, error) {
	started, err := h.service.DryRun(ctx, kit.Workspace(ctx), in.Identifier, run.DryRequest{
		Base:       kit.OrZero(in.BaseVersion),
		Definition: workflow.Definition{Nodes: in.Nodes, Edges: in.Edges, Variables: in.Variables},
		Inputs:     in.Inputs, Metadata: in.Metadata.object,
	})
	if err != nil {
		return nil, err
	}
	return &runWorkflowResponse{
		Success: true, Message: "Dry run started", RunID: started.RunID, TraceID: started.TraceID, Warning: kit.OrNil(started.Warning),
	}, nil
}
