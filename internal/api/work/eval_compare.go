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
	With int64 `query:"with" required:"true" minimum:"1" description:"The id of the later run of the same evaluation."`
	kit.WorkspaceQuery
	kit.ShortPaging
}

type comparisonResponse struct {
	Success    bool             `json:"success" required:"true" description:"Always true."`
	Message    string           `json:"message" required:"true" description:"Always \"success\"."`
	Before     comparedRun      `json:"before" required:"true" description:"The earlier run."`
	After      comparedRun      `json:"after" required:"true" description:"The later run."`
	Score      scoreDifference  `json:"score" required:"true" description:"Change of the score over the columns that are part of it in both runs. Scores computed by code are not compared."`
	RowCounts  comparedRows     `json:"row_counts" required:"true" description:"Number of rows compared."`
	Columns    []comparedColumn `json:"columns" required:"true" description:"Columns in both runs."`
	OnlyBefore []string         `json:"columns_only_before" required:"true" description:"Columns only in the earlier run."`
	OnlyAfter  []string         `json:"columns_only_after" required:"true" description:"Columns only in the later run."`
	Rows       []comparedRow    `json:"rows" required:"true" description:"Rows of the page."`
	kit.PageCounts
}

type comparedRun struct {
	ID        int64           `json:"id" required:"true" description:"The id of the run."`
	Name      string          `json:"name" required:"true" description:"Name."`
	DatasetID int64           `json:"dataset_id" required:"true" description:"The id of the dataset."`
	CreatedAt rest.Time       `json:"created_at" required:"true" description:"When it was started."`
	Score     *rest.RawObject `json:"score" required:"true" description:"Score of the run."`
}

type scoreDifference struct {
	Before *float64 `json:"before" required:"true" description:"Score of the earlier run; null if there is none."`
	After  *float64 `json:"after" required:"true" description:"Score of the later run; null if there is none."`
	Change *float64 `json:"change" required:"true" description:"Difference: later minus earlier."`
	Low    *float64 `json:"confidence_low" required:"true" description:"Lower bound of the 95 % confidence interval of the change; null if there is too little data."`
	High   *float64 `json:"confidence_high" required:"true" description:"Upper bound of the confidence interval."`
}

type comparedRows struct {
	Compared   int64 `json:"compared" required:"true" description:"Number of rows in both runs with equal dataset values."`
	Different  int64 `json:"different" required:"true" description:"Number of rows in both runs with different dataset values."`
	OnlyBefore int64 `json:"only_before" required:"true" description:"Number of rows only in the earlier run."`
	OnlyAfter  int64 `json:"only_after" required:"true" description:"Number of rows only in the later run."`
}

type comparedColumn struct {
	Name   string  `json:"name" required:"true" description:"The column."`
	Scored bool    `json:"is_part_of_score" required:"true" description:"Whether it is part of the score in both runs."`
	Kind   *string `json:"score_type" required:"true" description:"boolean or numeric if both scores are of that type, otherwise null."`
	scoreDifference
	Counts changeCounts `json:"changes" required:"true" description:"Number of cells by kind of change."`
}

type changeCounts struct {
	Same          int64 `json:"same" required:"true" description:"Number of unchanged cells."`
	Improved      int64 `json:"improved" required:"true" description:"Number of cells that became true or whose value increased."`
	Worsened      int64 `json:"worsened" required:"true" description:"Number of cells that became false or whose value decreased."`
	Changed       int64 `json:"changed" required:"true" description:"Number of cells with a different value that is neither better nor worse."`
	NowFails      int64 `json:"now_fails" required:"true" description:"Number of cells that only the later run failed to compute."`
	NoLongerFails int64 `json:"no_longer_fails" required:"true" description:"Number of cells that only the earlier run failed to compute."`
	NotCompared   int64 `json:"not_compared" required:"true" description:"Number of cells in rows that cannot be compared."`
}

type comparedRow struct {
	Position int64          `json:"position" required:"true" description:"Position of the row, starting at 0."`
	Cells    []comparedCell `json:"cells" required:"true" description:"One cell per column in both runs."`
}

type comparedCell struct {
	Change string     `json:"change" required:"true" enum:"same,improved,worsened,changed,now_fails,no_longer_fails,pending,not_compared" description:"What changed in this version."`
	Before *sidedCell `json:"before" required:"true" description:"The cell of the earlier run; null if it has no such row."`
	After  *sidedCell `json:"after" required:"true" description:"The cell of the later run; null if it has no such row."`
}

// sidedCell is the cell of one of the two runs.
type sidedCell struct {
	Status string   `json:"status" required:"true" enum:"PASSED,FAILED,QUEUED,RUNNING" description:"Status."`
	Value  *rawJSON `json:"value" required:"true" description:"The value; null if there is none."`
	Error  *string  `json:"error_message" required:"true" description:"Why the cell failed."`
}

func (h evaluations) compare(ctx context.Context, in *compareRunsQuery) (*comparisonResponse, error) {
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
