package work

import (
	"context"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/eval"
)

type listEvaluationRunsQuery struct {
	EvaluationID int64 `path:"evaluation_id" minimum:"1" description:"The id of the evaluation."`
	kit.VersionPaging
	Status string `query:"status" enum:"active,deleted,all" default:"active" description:"Whether to list archived runs."`
}

func (h evaluations) runs(ctx context.Context, in *listEvaluationRunsQuery) (*kit.Page[runItem], error) {
	page := in.Paging()
	found, total, err := h.service.ListRuns(ctx, kit.Workspace(ctx), in.EvaluationID, kit.Statuses[in.Status], page.Slice())
	if err != nil {
		return nil, err
	}
	return kit.NewPage(page, total, found, wireRun), nil
}

func wireRun(r *eval.Run) runItem {
	item := runItem{reportBase: runBase(r), Tags: evaluationTags(r.Tags), runOutcome: wireRunOutcome(r)}
	item.Status, item.Stats = progressOf(r)
	return item
}
