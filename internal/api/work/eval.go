package work

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
)

// evaluations has the handlers of evaluations, which older operations call
// reports, and their runs.
type evaluations struct{ service *eval.Service }

const evaluationTag = "Evaluations"

func (h evaluations) operations() []rest.Op {
	ops := append(h.reportOperations(), h.columnOperations()...)
	ops = append(ops, h.runOperations()...)
	return kit.Tagged(evaluationTag, append(ops, h.personOperations()...))
}

func (h evaluations) reportOperations() []rest.Op {
	changing := []int{http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound}
	return []rest.Op{
		{
			Method: http.MethodPost, Path: "/reports", ID: "createReport", Summary: "Create an evaluation",
			Description: "Creates an evaluation of a version of a dataset group, with columns that are computed for each row. " +
				"Nothing is stored if the request is rejected.",
			Status: http.StatusCreated, Also: append(changing[:3:3], http.StatusConflict), Handler: rest.Handle(h.create),
		},
		{
			Method: http.MethodGet, Path: "/reports/{report_id}", ID: "getReport", Summary: "Get an evaluation or a run",
			Description: "Returns an evaluation or a run, also if archived, with its columns and the progress of the run.",
			Also:        []int{http.StatusNotFound}, Handler: rest.Handle(h.get),
		},
		{
			Method: http.MethodPatch, Path: "/reports/{report_id}/rename", ID: "renameReport", Summary: "Rename an evaluation or a run",
			Description: "Changes the name, the tags or the comment of an evaluation or a run. Names need not be unique.",
			Also:        changing, Handler: rest.Handle(h.rename),
		},
		{
			Method: http.MethodPatch, Path: "/reports/{report_id}/score-card", ID: "setReportScoreCard", Summary: "Set the scoring",
			Description: "Sets the columns that are part of the score and the code that computes it. An evaluation passes them on to future runs. " +
				"A completed run is scored again before the response is sent, a run in progress when it ends.",
			Also: append(changing[1:3:3], http.StatusServiceUnavailable), Handler: rest.Handle(h.setScoreCard),
		},
		{
			Method: http.MethodDelete, Path: "/reports/{report_id}", ID: "deleteReport", Summary: "Archive an evaluation or a run",
			Description: "Archives an evaluation or a run. It can still be read but not changed; a run in progress is cancelled.",
			Also:        changing[1:], Handler: rest.Handle(h.remove),
		},
		{
			Method: http.MethodDelete, Path: "/reports/name/{report_name...}", ID: "deleteReportsByName", Summary: "Archive by name",
			Description: "Archives all evaluations and runs with exactly this name.",
			Also:        changing[1:], Handler: rest.Handle(h.removeByName),
		},
		{
			Method: http.MethodGet, Path: evaluationBasePath, ID: "listEvaluations", Summary: "List evaluations",
			Description: "Returns a page of evaluations, newest first, optionally with their newest runs.",
			Also:        changing[:1], Handler: rest.Handle(h.list),
		},
	}
}

const evaluationBasePath = "/api/public/v2/evaluations"

func (h evaluations) columnOperations() []rest.Op {
	changing := []int{http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound}
	return []rest.Op{
		{
			Method: http.MethodPost, Path: "/report-columns", ID: "createReportColumn", Summary: "Add a column",
			Description: "Adds a column to an evaluation, which future runs compute. It may refer to columns to its left.",
			Status:      http.StatusCreated, Also: changing, Handler: rest.Handle(h.addColumn),
		},
		{
			Method: http.MethodPatch, Path: "/report-columns/{report_column_id}", ID: "patchReportColumn", Summary: "Change a column",
			Description: "Changes a column of an evaluation. References to its name in other columns are not updated.",
			Also:        changing, Handler: rest.Handle(h.patchColumn),
		},
		{
			Method: http.MethodDelete, Path: "/report-columns/{report_column_id}", ID: "deleteReportColumn", Summary: "Delete a column",
			Description: "Deletes a column of an evaluation. Existing runs keep it.",
			Status:      http.StatusNoContent, Also: changing[1:], Handler: rest.Handle(h.deleteColumn),
		},
	}
}

func (h evaluations) create(ctx context.Context, in *createReportRequest) (*createReportResponse, error) {
	columns := make([]eval.NewColumn, len(in.Columns))
	for i := range columns {
		var err error
		if columns[i], err = in.Columns[i].column(); err != nil {
			return nil, err
		}
	}
	made, stored, err := h.service.Create(ctx, kit.Workspace(ctx), eval.CreateInput{
		DatasetGroupID: in.GroupID, DatasetNumber: in.DatasetNumber, Name: in.Name, Comment: in.Comment, FolderID: in.FolderID, Columns: columns,
		Scoring: in.Scoring.scoring(), ExternalIDs: kit.ExternalRefs(in.ExternalIDs), Author: kit.Author(ctx),
	})
	if err != nil {
		return nil, err
	}
	answer := &createReportResponse{Success: true, ReportID: made.Entity.ID, ExternalIDs: kit.WireExternalIDs(made.ExternalIDs)}
	if in.Columns == nil {
		return answer, nil
	}
	answer.Columns = []reportColumn{}
	for i := range stored {
		if stored[i].Type != eval.TypeDataset {
			answer.Columns = append(answer.Columns, wireReportColumn(made.Entity.ID, &stored[i]))
		}
	}
	return answer, nil
}

type reportPath struct {
	ReportID int64 `path:"report_id" minimum:"1" description:"The id of the evaluation or run."`
}

func (h evaluations) get(ctx context.Context, in *reportPath) (*reportResponse, error) {
	found, err := h.service.Get(ctx, kit.Workspace(ctx), in.ReportID)
	if err != nil {
		return nil, err
	}
	answer := &reportResponse{
		Success: true, Message: "success", Report: wireReport(found), Status: runCompleted, Columns: wireColumns(in.ReportID, found.Columns),
	}
	if found.Run != nil {
		answer.Status, answer.Stats = progressOf(found.Run)
	}
	return answer, nil
}

type renameReportRequest struct {
	reportPath
	Name    *string  `json:"name" minLength:"1" maxLength:"255" description:"New name."`
	Tags    []string `json:"tags" maxItems:"1000" items.minLength:"1" items.maxLength:"255" description:"New tags, which replace all."`
	Comment *string  `json:"comment" maxLength:"10000" description:"New comment; an empty text removes it."`
}

func (h evaluations) rename(ctx context.Context, in *renameReportRequest) (*changedReportResponse, error) {
	return changedReport(h.service.Rename(ctx, kit.Workspace(ctx), in.ReportID, eval.Patch{Name: in.Name, Tags: in.Tags, Comment: in.Comment}))
}

func changedReport(changed *eval.Report, err error) (*changedReportResponse, error) {
	if err != nil {
		return nil, err
	}
	return &changedReportResponse{Success: true, Report: wireReport(changed)}, nil
}

type scoreCardRequest struct {
	reportPath
	Columns  []string `json:"column_names" required:"true" maxItems:"1000" description:"Names of all columns that are part of the score."`
	Code     *string  `json:"code" minLength:"1" maxLength:"1000000" description:"Code that computes the score. If omitted, no code is used."`
	Language string   `json:"code_language" enum:"PYTHON,JAVASCRIPT" default:"PYTHON" description:"Programming language of the code."`
}

func (h evaluations) setScoreCard(ctx context.Context, in *scoreCardRequest) (*changedReportResponse, error) {
	var scoring *eval.Scoring
	if in.Code != nil {
		scoring = &eval.Scoring{Code: *in.Code, Language: in.Language}
	}
	return changedReport(h.service.SetScoreCard(ctx, kit.Workspace(ctx), in.ReportID, in.Columns, scoring))
}

func (h evaluations) remove(ctx context.Context, in *reportPath) (*kit.DoneResponse, error) {
	return kit.Done("Report archived successfully", h.service.Delete(ctx, kit.Workspace(ctx), in.ReportID))
}

type reportNamePath struct {
	Name string `path:"report_name" minLength:"1" description:"Name. Slashes need not be escaped."`
}

func (h evaluations) removeByName(ctx context.Context, in *reportNamePath) (*kit.DoneResponse, error) {
	return kit.Done("Reports archived successfully", h.service.DeleteByName(ctx, kit.Workspace(ctx), in.Name))
}

type addColumnRequest struct {
	ReportID      int64          `json:"report_id" required:"true" minimum:"1" description:"The id of the evaluation."`
	Type          string         `json:"column_type" required:"true" minLength:"1" description:"Column type, in upper case."`
	Name          string         `json:"name" required:"true" minLength:"1" maxLength:"255" description:"Name of the column, unique in the evaluation."`
	Configuration rest.RawObject `json:"configuration" required:"true" description:"Configuration of the column; its members depend on the type."`
	Position      *int64         `json:"position" minimum:"0" description:"Position, starting at 1; the dataset's columns come first. Defaults to the end, as do values beyond it."`
	Scored        bool           `json:"is_part_of_score" description:"Whether the column is part of the score."`
}

type reportColumnResponse struct {
	Success bool         `json:"success" required:"true" description:"Always true."`
	Column  reportColumn `json:"report_column" required:"true" description:"The changed column."`
}

func (h evaluations) addColumn(ctx context.Context, in *addColumnRequest) (*reportColumnResponse, error) {
	configuration, err := jsontree.Parse(in.Configuration)
	if err != nil {
		return nil, err
	}
	added, err := h.service.AddColumn(ctx, kit.Workspace(ctx), in.ReportID, eval.NewColumn{
		Type: in.Type, Name: in.Name, Configuration: configuration, Position: in.Position, Scored: in.Scored,
	})
	if err != nil {
		return nil, err
	}
	return &reportColumnResponse{Success: true, Column: wireReportColumn(in.ReportID, &added)}, nil
}

type columnPath struct {
	ColumnID int64 `path:"report_column_id" minimum:"1" description:"The id of the column."`
}

type patchColumnRequest struct {
	columnPath
	ReportID      int64          `json:"report_id" required:"true" minimum:"1" description:"The id of the evaluation with the column."`
	Type          string         `json:"column_type" required:"true" minLength:"1" description:"Column type, in upper case."`
	Configuration jsontree.Value `json:"configuration" description:"New configuration, which replaces the old one, except that … keeps a credential; kept if omitted."`
	Name          *string        `json:"name" minLength:"1" maxLength:"255" description:"New name."`
	Position      *int64         `json:"position" minimum:"1" description:"New position, starting at 1; values beyond the end put it last."`
}

// Validate checks what the tags cannot express.
func (in *patchColumnRequest) Validate(problems *fault.Problems) {
	if in.Configuration.Given() && in.Configuration.Kind() != jsontree.Object {
		problems.Report(fault.At(kit.BodyLoc, "configuration"), fault.ObjectType)
	}
}

func (h evaluations) patchColumn(ctx context.Context, in *patchColumnRequest) (*reportColumnResponse, error) {
	changed, err := h.service.PatchColumn(ctx, kit.Workspace(ctx), in.ColumnID, eval.ColumnPatch{
		ReportID: in.ReportID, Type: in.Type, Name: in.Name, Configuration: in.Configuration, Position: in.Position,
	})
	if err != nil {
		return nil, err
	}
	return &reportColumnResponse{Success: true, Column: wireReportColumn(in.ReportID, &changed)}, nil
}

func (h evaluations) deleteColumn(ctx context.Context, in *columnPath) (*kit.SuccessResponse, error) {
	return nil, h.service.DeleteColumn(ctx, kit.Workspace(ctx), in.ColumnID)
}

type listEvaluationsQuery struct {
	kit.ShortPaging
	Name        string `query:"name" description:"Part of the name, ignoring case."`
	Status      string `query:"status" enum:"active,deleted,all" default:"active" description:"Whether to list archived evaluations and runs."`
	IncludeRuns bool   `query:"include_runs" default:"false" description:"Whether to list the 100 newest runs of each evaluation. run_count is the number of all; listEvaluationRuns returns the others."`
	kit.EntityFilters
}

type evaluationPage struct {
	Success     bool             `json:"success" required:"true" description:"Always true."`
	Message     string           `json:"message" required:"true" description:"Always \"success\"."`
	Evaluations []evaluationItem `json:"evaluations" required:"true" description:"The evaluations."`
	listCounts
}

func (h evaluations) list(ctx context.Context, in *listEvaluationsQuery) (*evaluationPage, error) {
	query := in.Query(kit.Workspace(ctx))
	query.NameContains, query.Status = in.Name, kit.Statuses[in.Status]
	query.Page = in.Slice()
	found, total, err := h.service.List(ctx, query, in.IncludeRuns)
	if err != nil {
		return nil, err
	}
	return &evaluationPage{
		Success: true, Message: "success", listCounts: wireCounts(in.Counts(total)),
		Evaluations: kit.EachRef(found, func(e *eval.Evaluation) evaluationItem { return wireEvaluation(e, in.IncludeRuns) }),
	}, nil
}

var reportRoutes = kit.EntityRoutes{
	Kind: entity.KindReport, ID: "Report", Noun: "evaluation", Tag: evaluationTag, Base: "/reports/{report_id}",
}

// EntityKey implements kit.EntityPath.
func (p reportPath) EntityKey() (int64, string) { return p.ReportID, "" }

// The inputs with an external id in the body or in the path.
type (
	attachReportExternalID struct {
		reportPath
		kit.ExternalID
	}
	deleteReportExternalID struct {
		reportPath
		kit.ExternalIDPath
	}
)
