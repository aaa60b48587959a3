package work

import (
	"context"
	"net/http"
	"slices"

	"github.com/swaggest/jsonschema-go"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
)

func (h evaluations) runOperations() []rest.Op {
	return []rest.Op{
		{
			Method: http.MethodPost, Path: "/reports/{report_id}/run", ID: "runReport", Summary: "Run an evaluation",
			Description: "Starts a run and returns its id immediately; use the id to get its status. With refresh_dataset, " +
				"the dataset's filter is run again first and the run uses its current results.",
			Status: http.StatusCreated, Also: []int{http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusServiceUnavailable},
			Handler: rest.Handle(h.start),
		},
		{
			Method: http.MethodGet, Path: "/reports/{report_id}/score", ID: "getReportScore", Summary: "Get the score of a run",
			Description: "Returns the score of a run. While the run is in progress, and if nothing can be scored, its type is none.",
			Also:        []int{http.StatusBadRequest, http.StatusNotFound}, Handler: rest.Handle(h.score),
		},
		{
			Method: http.MethodGet, Path: evaluationBasePath + "/{evaluation_id}/rows", ID: "listEvaluationRows", Summary: "List the rows of a run",
			Description: "Returns a page of the rows of a run, also while it is in progress: the values of the dataset, then a cell for each " +
				"computed column. A cell has the status PASSED once it was computed, whatever its value. Cells of an evaluation have no status.",
			Also: []int{http.StatusBadRequest, http.StatusNotFound}, Handler: rest.RawBound(evaluationRowsResponse{}, h.rows),
		},
		{
			Method: http.MethodPost, Path: evaluationBasePath + "/{evaluation_id}/cancel", ID: "cancelEvaluationRun", Summary: "Cancel a run",
			Description: "Cancels a run: cells that were not computed fail, and there is no score. Has no effect on a run that has ended.",
			Status:      http.StatusAccepted, Also: []int{http.StatusForbidden, http.StatusNotFound}, Handler: rest.Handle(h.cancel),
		},
		{
			Method: http.MethodGet, Path: evaluationBasePath + "/{evaluation_id}/compare", ID: "compareEvaluationRuns", Summary: "Compare two runs",
			Description: "Compares two runs of the same evaluation: the change of the score and of each column, with a 95 % " +
				"confidence interval, and for a page of rows the change of each cell. Both runs must have ended.",
			Also:    []int{http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusServiceUnavailable},
			Handler: rest.Handle(h.compare),
		},
		{
			Method: http.MethodGet, Path: evaluationBasePath + "/{evaluation_id}/runs", ID: "listEvaluationRuns",
			Summary:     "List the runs of an evaluation",
			Description: "Returns a page of the runs of an evaluation, newest first, with their status, progress and score.",
			Also:        []int{http.StatusNotFound}, Handler: rest.Handle(h.runs),
		},
		h.usageOperation(),
		h.agreementOperation(),
	}
}

type runReportRequest struct {
	reportPath
	Name      string  `json:"name" required:"true" minLength:"1" maxLength:"255" description:"Name of the run."`
	Comment   *string `json:"comment" maxLength:"10000" description:"Comment of the run; defaults to that of the evaluation."`
	DatasetID *int64  `json:"dataset_id" minimum:"1" description:"Dataset to use instead of the evaluation's."`
	Refresh   bool    `json:"refresh_dataset" description:"Whether to run the dataset's filter again first."`
}

type runReportResponse struct {
	Success  bool    `json:"success" required:"true" description:"Always true."`
	ReportID int64   `json:"report_id" required:"true" description:"The id of the run."`
	TraceID  *string `json:"trace_id" required:"true" description:"The id of the trace that the run writes; null if it has no cells."`
}

func (h evaluations) start(ctx context.Context, in *runReportRequest) (*runReportResponse, error) {
	started, err := h.service.Start(ctx, kit.Workspace(ctx), in.ReportID, eval.RunInput{
		Name: in.Name, Comment: in.Comment, DatasetID: in.DatasetID, Refresh: in.Refresh, Author: kit.Author(ctx),
	})
	if err != nil {
		return nil, err
	}
	return &runReportResponse{Success: true, ReportID: started.ID, TraceID: traceOf(&started)}, nil
}

type runScoreResponse struct {
	Success bool           `json:"success" required:"true" description:"Always true."`
	Message string         `json:"message" required:"true" description:"Always \"success\"."`
	Score   rest.RawObject `json:"score" required:"true" description:"The score: overall_score, score_type, has_custom_scoring and details."`
}

func (h evaluations) score(ctx context.Context, in *reportPath) (*runScoreResponse, error) {
	score, err := h.service.Score(ctx, kit.Workspace(ctx), in.ReportID)
	if err != nil {
		return nil, err
	}
	return &runScoreResponse{Success: true, Message: "success", Score: rest.RawObject(score)}, nil
}

type evaluationPath struct {
	EvaluationID int64 `path:"evaluation_id" minimum:"1" description:"The id of the run or evaluation."`
}

func (h evaluations) cancel(ctx context.Context, in *evaluationPath) (*kit.DoneResponse, error) {
	found, err := h.service.Cancel(ctx, kit.Workspace(ctx), in.EvaluationID)
	if err != nil {
		return nil, err
	}
	if found.EndedAt != nil {
		return kit.Done("The run has already ended", nil)
	}
	return kit.Done("The run is being cancelled", nil)
}

type evaluationRowsQuery struct {
	evaluationPath
	kit.WorkspaceQuery
	kit.ShortPaging
}

// evaluationRowsResponse documents what rows writes.
type evaluationRowsResponse struct {
	Success bool               `json:"success" required:"true" description:"Always true."`
	Message string             `json:"message" required:"true" description:"Always \"success\"."`
	Columns []string           `json:"columns" required:"true" description:"Names of the columns: first the dataset's, then the computed ones."`
	Rows    [][]evaluationCell `json:"rows" required:"true" description:"Rows, each with one cell per column."`
	kit.PageCounts
}

type evaluationCell struct {
	Type   string         `json:"type" required:"true" enum:"dataset,eval" description:"Whether the cell comes from the dataset or was computed."`
	Status *string        `json:"status" description:"Status of a computed cell: PASSED, FAILED, QUEUED, RUNNING or WAITING (for a person); null for an evaluation."`
	Value  jsontree.Value `json:"value" required:"true" description:"The value; null if there is none."`
	Reason *string        `json:"reason,omitempty" description:"Why a judge gave the value; omitted unless there is a reason."`
	Error  *string        `json:"error_message" description:"Why the cell failed."`
	Answer *personAnswer  `json:"answer,omitempty" description:"Who gave the value; omitted unless a person did."`
}

// rows writes the rows as they are read, because a page may not fit in
// memory.
func (h evaluations) rows(w http.ResponseWriter, r *rest.Request, in *evaluationRowsQuery) error {
	ctx := r.Context()
	table, err := h.service.Rows(ctx, kit.Workspace(ctx), in.EvaluationID, in.Slice())
	if err != nil {
		return err
	}
	out := newRowsWriter(w)
	return out.write(slices.Concat(table.Given, table.Computed), in.ShortPaging, func() (int64, error) {
		return table.Total, table.Each(ctx, func(row eval.TableRow) error {
			return out.row(func() {
				out.given(row.Values)
				for i := range table.Computed {
					out.computed(&row, i)
				}
			})
		})
	})
}

// computed writes one computed cell. An evaluation that is not a run has none.
func (w *rowsWriter) computed(row *eval.TableRow, i int) {
	w.Object(func() {
		w.Key("type").String("eval")
		if row.Cells == nil {
			w.Key("status").Null()
			w.Key("value").Null()
			return
		}
		cell := &row.Cells[i]
		w.Key("status").String(cellStatus(cell.Status))
		w.Key("value").Value(cell.Value)
		if cell.Reason != "" {
			w.Key("reason").String(cell.Reason)
		}
		if cell.Status == grid.Failed {
			w.Key("error_message").String(cell.Error)
		}
		if answer, given := row.Answers[i]; given {
			w.answer(&answer)
		}
	})
}

// cellStatus returns the status of a cell on the wire.
func cellStatus(status grid.Status) string {
	if status == grid.Completed {
		return "PASSED"
	}
	return string(status)
}

// rawList is a JSON array as text.
type rawList []byte

// MarshalJSON writes the array.
func (l rawList) MarshalJSON() ([]byte, error) { return l, nil }

// InlineJSONSchema keeps the type out of the named schemas.
func (rawList) InlineJSONSchema() {}

// JSONSchema allows any array.
func (rawList) JSONSchema() (jsonschema.Schema, error) {
	s := jsonschema.Schema{}
	s.AddType(jsonschema.Array)
	s.ItemsEns().SchemaOrBoolEns().TypeBoolean = new(true)
	return s, nil
}

// rawJSON is any JSON value as text.
type rawJSON []byte

// MarshalJSON returns the value.
func (v rawJSON) MarshalJSON() ([]byte, error) { return v, nil }

// InlineJSONSchema keeps the type out of the named schemas.
func (rawJSON) InlineJSONSchema() {}

// JSONSchema allows all types.
func (rawJSON) JSONSchema() (jsonschema.Schema, error) { return runOutput{}.JSONSchema() }
