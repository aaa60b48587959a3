package work

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/rest"
)

func (h evaluations) runListOperations() []rest.Op {
	return []rest.Op{
		{
			Method: http.MethodGet, Path: evaluationBasePath + "/{evaluation_id}/runs", ID: "listEvaluationRuns", Tag: evaluationTag,
			Summary:     "List the runs of an evaluation",
			Description: "Returns a page of the runs of an evaluation, newest first, with their status, how far they have come and their score.",
			Also:        []int{http.StatusNotFound}, Handler: rest.Handle(h.runs),
		},
	}
}

type listEvaluationRunsQuery struct {
	EvaluationID int64 `path:"evaluation_id" minimum:"1" description:"The evaluation."`
	kit.VersionPaging
	Status string `query:"status" enum:"active,deleted,all" default:"active" description:"Whether archived runs are listed."`
}

type evaluationRunPage struct {
	Items []runItem `json:"items" required:"true" description:"The runs."`
	kit.PageInfo
}

func (h evaluations) runs(ctx context.Context, in *listEvaluationRunsQuery) (*evaluationRunPage, error) {
	page := in.Paging()
	found, total, err := h.service.ListRuns(ctx, kit.Workspace(ctx), in.EvaluationID, kit.Statuses[in.Status], page.Slice())
	if err != nil {
		return nil, err
	}
	return &evaluationRunPage{Items: wireRuns(found), PageInfo: page.Info(total)}, nil
}

func wireRuns(runs []eval.Run) []runItem {
	items := make([]runItem, len(runs))
	for i := range runs {
		r := &runs[i]
		items[i] = runItem{reportBase: runBase(r), Tags: evaluationTags(r.Tags), runOutcome: wireRunOutcome(r)}
		items[i].Status, items[i].Stats = progressOf(r)
	}
	return items
}
