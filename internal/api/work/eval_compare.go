package work

import (
	"context"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/eval/compare"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/rest"
)

type compareRunsQuery struct {
	evaluationPath
	With        int64  `query:"with" required:"true" minimum:"1" description:"The later run of the same evaluation."`
	WorkspaceID *int64 `query:"workspace_id" minimum:"1" description:"The key's workspace."`
	kit.ShortPaging
}

type comparisonResponse struct {
	Success    bool             `json:"success" required:"true" description:"Always true."`
	Message    string           `json:"message" required:"true" description:"Always \"success\"."`
	Before     comparedRun      `json:"before" required:"true" description:"The earlier run."`
	After      comparedRun      `json:"after" required:"true" description:"The later run."`
	Score      scoreDifference  `json:"score" required:"true" description:"How far the score of the columns changed that are part of it in both runs. Scores that code computes are not looked at."`
	RowCounts  comparedRows     `json:"row_counts" required:"true" description:"How many rows were compared."`
	Columns    []comparedColumn `json:"columns" required:"true" description:"The columns that both runs have."`
	OnlyBefore []string         `json:"columns_only_before" required:"true" description:"The columns that only the earlier run has."`
	OnlyAfter  []string         `json:"columns_only_after" required:"true" description:"The columns that only the later run has."`
	Rows       []comparedRow    `json:"rows" required:"true" description:"A page of rows."`
	kit.PageCounts
}

type comparedRun struct {
	ID        int64           `json:"id" required:"true" description:"The run."`
	Name      string          `json:"name" required:"true" description:"Its name."`
	DatasetID int64           `json:"dataset_id" required:"true" description:"Its dataset."`
	CreatedAt rest.Time       `json:"created_at" required:"true" description:"When it was started."`
	Score     *rest.RawObject `json:"score" required:"true" description:"Its score."`
}

type scoreDifference struct {
	Before *float64 `json:"before" required:"true" description:"The score of the earlier run; null where there is none."`
	After  *float64 `json:"after" required:"true" description:"The score of the later run; null where there is none."`
	Change *float64 `json:"change" required:"true" description:"The later less the earlier one."`
	Low    *float64 `json:"confidence_low" required:"true" description:"Where the 95 % confidence interval of the change begins; null where too little is known."`
	High   *float64 `json:"confidence_high" required:"true" description:"Where it ends."`
}

type comparedRows struct {
	Compared   int64 `json:"compared" required:"true" description:"Rows that both runs have, with the same values of the dataset."`
	Different  int64 `json:"different" required:"true" description:"Rows that both runs have, with other values of the dataset."`
	OnlyBefore int64 `json:"only_before" required:"true" description:"Rows that only the earlier run has."`
	OnlyAfter  int64 `json:"only_after" required:"true" description:"Rows that only the later run has."`
}

type comparedColumn struct {
	Name   string  `json:"name" required:"true" description:"The column."`
	Scored bool    `json:"is_part_of_score" required:"true" description:"Whether it is part of the score in both runs."`
	Kind   *string `json:"score_type" required:"true" description:"boolean or numeric, where both scores are that; else null."`
	scoreDifference
	Counts changeCounts `json:"changes" required:"true" description:"How many cells changed in which way."`
}

type changeCounts struct {
	Same          int64 `json:"same" required:"true" description:"Cells that stayed as they were."`
	Improved      int64 `json:"improved" required:"true" description:"Cells that became true, or whose number rose."`
	Worsened      int64 `json:"worsened" required:"true" description:"Cells that became false, or whose number fell."`
	Changed       int64 `json:"changed" required:"true" description:"Cells with another value that is neither better nor worse."`
	NowFails      int64 `json:"now_fails" required:"true" description:"Cells that only the later run failed to compute."`
	NoLongerFails int64 `json:"no_longer_fails" required:"true" description:"Cells that only the earlier run failed to compute."`
	NotCompared   int64 `json:"not_compared" required:"true" description:"Cells of rows that cannot be compared."`
}

type comparedRow struct {
	Position int64          `json:"position" required:"true" description:"Where the row stands, from 0."`
	Cells    []comparedCell `json:"cells" required:"true" description:"A cell for each column that both runs have."`
}

type comparedCell struct {
	Change string     `json:"change" required:"true" enum:"same,improved,worsened,changed,now_fails,no_longer_fails,pending,not_compared" description:"What changed."`
	Before *sidedCell `json:"before" required:"true" description:"The cell of the earlier run; null where it has no such row."`
	After  *sidedCell `json:"after" required:"true" description:"The cell of the later run; null where it has no such row."`
}

// sidedCell is the cell of one of the runs.
type sidedCell struct {
	Status string   `json:"status" required:"true" enum:"PASSED,FAILED,QUEUED,RUNNING" description:"What has become of it."`
	Value  *rawJSON `json:"value" required:"true" description:"The value; null where there is none."`
	Error  *string  `json:"error_message" required:"true" description:"Why it failed."`
}

func (h evaluations) compare(ctx context.Context, in *compareRunsQuery) (*comparisonResponse, error) {
	if err := kit.SameWorkspace(ctx, in.WorkspaceID); err != nil {
		return nil, err
	}
	found, err := h.service.Compare(ctx, kit.Workspace(ctx), in.EvaluationID, in.With, in.Slice())
	if err != nil {
		return nil, err
	}
	result := &found.Result
	return &comparisonResponse{
		Success: true, Message: "success", Before: wireComparedRun(&found.Before), After: wireComparedRun(&found.After),
		Score:     wireDifference(result.Overall),
		RowCounts: comparedRows{result.RowsCompared, result.RowsDifferent, result.RowsOnlyBefore, result.RowsOnlyAfter},
		Columns:   kit.EachRef(result.Columns, wireComparedColumn), OnlyBefore: rest.NonNil(result.OnlyBefore), OnlyAfter: rest.NonNil(result.OnlyAfter),
		Rows: kit.EachRef(found.Rows, wireComparedRow), PageCounts: in.Counts(found.Total),
	}, nil
}

func wireComparedRun(r *eval.Run) comparedRun {
	return comparedRun{
		ID: r.ID, Name: r.Name, DatasetID: r.DatasetID, CreatedAt: kit.Time(r.CreatedAt), Score: kit.RawOrNull([]byte(r.Result.Score)),
	}
}

func wireDifference(d compare.Difference) scoreDifference {
	return scoreDifference{Before: d.Before, After: d.After, Change: d.Change, Low: d.Low, High: d.High}
}

func wireComparedColumn(c *compare.ColumnResult) comparedColumn {
	n := c.Counts
	item := comparedColumn{
		Name: c.Name, Scored: c.Scored, scoreDifference: wireDifference(c.Difference),
		Counts: changeCounts{n.Same, n.Improved, n.Worsened, n.Changed, n.NowFails, n.NoLongerFails, n.NotCompared},
	}
	if c.Kind != "" {
		item.Kind = new(string(c.Kind))
	}
	return item
}

func wireComparedRow(r *eval.RowDifference) comparedRow {
	row := comparedRow{Position: r.Position, Cells: make([]comparedCell, len(r.Changes))}
	for i, change := range r.Changes {
		row.Cells[i] = comparedCell{Change: string(change), Before: wireSide(r.Before, i), After: wireSide(r.After, i)}
	}
	return row
}

func wireSide(cells []grid.Cell, i int) *sidedCell {
	if cells == nil {
		return nil
	}
	side := &sidedCell{Status: cellStatus(cells[i].Status)}
	if raw := cells[i].Value.Raw(); raw != nil {
		side.Value = new(rawJSON(raw))
	}
	if cells[i].Status == grid.Failed {
		side.Error = &cells[i].Error
	}
	return side
}
