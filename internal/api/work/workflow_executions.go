package work

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

func (h workflowRuns) listOperations() []rest.Op {
	return []rest.Op{
		{
			Method: http.MethodGet, Path: "/workflows/{workflow_id_or_name...}/executions", ID: "listWorkflowExecutions", Tag: workflowTag,
			Summary: "List runs",
			Description: "Returns a page of the runs of a workflow, newest first, of all its versions. A run that has ended has the status CANCELLED " +
				"when it was cancelled before all nodes were done, SUCCESS when it came to an output, and else FAILED.",
			Also: []int{http.StatusNotFound}, Handler: rest.Handle(h.list),
		},
	}
}

type listExecutionsQuery struct {
	workflowIdentifier
	kit.VersionPaging
	Status *string `query:"status" enum:"RUNNING,SUCCESS,FAILED,CANCELLED" description:"Only runs with this status."`
}

type executionPage struct {
	Items []executionItem `json:"items" required:"true" description:"The runs."`
	kit.PageInfo
}

type executionItem struct {
	ID            int64           `json:"id" required:"true" description:"The run."`
	VersionID     int64           `json:"workflow_version_id" required:"true" description:"The version that was run."`
	VersionNumber int64           `json:"workflow_version_number" required:"true" description:"Its number."`
	Status        string          `json:"status" required:"true" enum:"RUNNING,SUCCESS,FAILED,CANCELLED" description:"What has become of it."`
	StartedBy     *string         `json:"started_by" required:"true" description:"Who started it: a person's address or a key's name; null for a key without one."`
	StartedAt     rest.Time       `json:"started_at" required:"true" description:"When it was started."`
	EndedAt       *rest.Time      `json:"ended_at" required:"true" description:"When it ended; null while it goes on."`
	Inputs        *rest.RawObject `json:"input_variables" required:"true" description:"The input variables; null where they have more than 64 KiB."`
}

func (h workflowRuns) list(ctx context.Context, in *listExecutionsQuery) (*executionPage, error) {
	page := in.Paging()
	found, total, err := h.service.List(ctx, kit.Workspace(ctx), in.Identifier, run.Status(kit.OrZero(in.Status)), page.Slice())
	if err != nil {
		return nil, err
	}
	list := &executionPage{Items: make([]executionItem, len(found)), PageInfo: page.Info(total)}
	for i := range found {
		list.Items[i] = wireExecution(&found[i])
	}
	return list, nil
}

func wireExecution(r *run.Listed) executionItem {
	item := executionItem{
		ID: r.ID, VersionID: r.VersionID, VersionNumber: r.VersionNumber, Status: string(r.Status), StartedBy: kit.OrNil(r.StartedBy),
		StartedAt: rest.Time(r.CreatedAt.UnixMicro()),
	}
	if r.EndedAt != nil {
		item.EndedAt = new(rest.Time(r.EndedAt.UnixMicro()))
	}
	if r.Inputs.Kind() != jsontree.Absent {
		item.Inputs = kit.RawOrNull(r.Inputs.Raw())
	}
	return item
}
