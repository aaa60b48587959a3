package work

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/rest"
)

func (h evaluations) usageOperation() rest.Op {
	return rest.Op{
		Method: http.MethodGet, Path: evaluationBasePath + "/{evaluation_id}/usage", ID: "getEvaluationRunUsage", Summary: "Get the cost and latency of a run",
		Description: "Returns the cost and the latency of the requests that a run made to models, also while it is in progress: in total, and for each column, " +
			"with the versions of prompts and workflows that were used. Request logs that were deleted do not count.",
		Also: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusServiceUnavailable}, Handler: rest.Handle(h.usage),
	}
}

type runUsageResponse struct {
	Success bool `json:"success" required:"true" description:"Always true."`
	// Time is in whole milliseconds, as latencies are elsewhere.
	Time    *int64        `json:"duration_ms" required:"true" description:"Time from the start to the end of the run in milliseconds; null while it is in progress."`
	Total   spentRequests `json:"total" required:"true" description:"All requests of the run."`
	Columns []columnUsage `json:"columns" required:"true" description:"The columns that made requests or ran workflows."`
}

type spentRequests struct {
	Requests   int64    `json:"requests" required:"true" description:"Number of requests to models."`
	Cost       *float64 `json:"cost" required:"true" description:"Their cost in dollars; null if no request has a known cost."`
	Latency    *float64 `json:"latency_ms" required:"true" description:"Median latency in milliseconds; null without requests."`
	LatencyP95 *float64 `json:"latency_p95_ms" required:"true" description:"95th percentile of the latency in milliseconds; null without requests."`
}

type columnUsage struct {
	ID   int64  `json:"column_id" required:"true" description:"The id of the column of the run."`
	Name string `json:"name" required:"true" description:"Name of the column."`
	spentRequests
	Prompts   []usedPrompt   `json:"prompts" required:"true" description:"The versions of prompts that the requests were made with, most frequent first."`
	Workflows []usedWorkflow `json:"workflows" required:"true" description:"The versions of workflows that the column ran, also within others, most frequent first."`
}

// usedWorkflow is the wire form of eval.UsedWorkflow.
type usedWorkflow struct {
	ID      int64 `json:"workflow_id" required:"true" description:"The id of the workflow."`
	Version int64 `json:"version" required:"true" description:"Number of the version."`
	Runs    int64 `json:"runs" required:"true" description:"How often the column ran this version."`
}

type usedPrompt struct {
	ID       int64 `json:"prompt_id" required:"true" description:"The id of the prompt."`
	Version  int64 `json:"version" required:"true" description:"Number of the version."`
	Requests int64 `json:"requests" required:"true" description:"Number of requests with this version."`
}

func (h evaluations) usage(ctx context.Context, in *evaluationPath) (*runUsageResponse, error) {
	found, err := h.service.Usage(ctx, kit.Workspace(ctx), in.EvaluationID)
	if err != nil {
		return nil, err
	}
	out := &runUsageResponse{Success: true, Total: wireSpent(found.Total)}
	if found.Time != nil {
		out.Time = new(found.Time.Milliseconds())
	}
	out.Columns = kit.EachRef(found.Columns, func(c *eval.ColumnUsage) columnUsage {
		return columnUsage{ID: c.ID, Name: c.Name, spentRequests: wireSpent(c.Spent), Prompts: kit.EachRef(c.Prompts, func(p *eval.UsedPrompt) usedPrompt {
			return usedPrompt(*p)
		}), Workflows: kit.EachRef(c.Workflows, func(w *eval.UsedWorkflow) usedWorkflow {
			return usedWorkflow{ID: w.ID, Version: w.Version, Runs: w.Runs}
		})}
	})
	return out, nil
}

func wireSpent(s eval.Spent) spentRequests { return spentRequests(s) }
