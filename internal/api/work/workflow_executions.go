package work

import (
	"context"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

type listExecutionsQuery struct {
	workflowIdentifier
	kit.VersionPaging
	Status *string `query:"status" enum:"RUNNING,SUCCESS,FAILED,CANCELLED" description:"Only runs with this status."`
}

type executionItem struct {
	ID            int64           `json:"id" required:"true" description:"The id of the run."`
	VersionID     int64           `json:"workflow_version_id" required:"true" description:"The id of the version that was run."`
	VersionNumber int64           `json:"workflow_version_number" required:"true" description:"Version number."`
	Status        string          `json:"status" required:"true" enum:"RUNNING,SUCCESS,FAILED,CANCELLED" description:"Status."`
	StartedBy     *string         `json:"started_by" required:"true" description:"Who started the run: a person's email address or a key's name; null for a key without a name."`
	StartedAt     rest.Time       `json:"started_at" required:"true" description:"When it was started."`
	EndedAt       *rest.Time      `json:"ended_at" required:"true" description:"When the run ended; null while it is in progress."`
	TraceID       string          `json:"trace_id" required:"true" description:"The id of its trace. Runs of earlier versions of the server have no trace."`
	Inputs        *rest.RawObject `json:"input_variables" required:"true" description:"Input variables; null if larger than 64 KiB."`
}

func (h workflowRuns) list(ctx context.Context, in *listExecutionsQuery) (*kit.Page[executionItem], error) {
	page := in.Paging()
	found, total, err := h.service.List(ctx, kit.Workspace(ctx), in.Identifier, run.Status(kit.OrZero(in.Status)), page.Slice())
	if err != nil {
		return nil, err
	}
	return kit.NewPage(page, total, found, wireExecution), nil
}

func wireExecution(r *run.Listed) executionItem {
	item := executionItem{
		ID: r.ID, VersionID: r.VersionID, VersionNumber: r.VersionNumber, Status: string(r.Status), StartedBy: kit.OrNil(r.StartedBy),
		StartedAt: kit.Time(r.CreatedAt), EndedAt: kit.TimeOrNil(r.EndedAt), TraceID: r.TraceID(),
	}
	if r.Inputs.Kind() != jsontree.Absent {
		item.Inputs = kit.RawOrNull(r.Inputs.Raw())
	}
	return item
}
