package work

import (
	"strconv"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/step"
)

type newReportColumn struct {
	Type          string         `json:"column_type" required:"true" minLength:"1" description:"Column type, in upper case."`
	Name          string         `json:"name" required:"true" minLength:"1" maxLength:"255" description:"Name of the column, unique in the evaluation."`
	Configuration rest.RawObject `json:"configuration" required:"true" description:"Configuration of the column; its members depend on the type."`
	Position      *int64         `json:"position" minimum:"1" description:"Sort position of the column; columns without one come last."`
	Scored        bool           `json:"is_part_of_score" description:"Whether the column is part of the score."`
}

func (c *newReportColumn) column() (eval.NewColumn, error) {
	configuration, err := jsontree.Parse(c.Configuration)
	return eval.NewColumn{Type: c.Type, Name: c.Name, Configuration: configuration, Position: c.Position, Scored: c.Scored}, err
}

type scoreConfiguration struct {
	Code     string `json:"code" required:"true" minLength:"1" maxLength:"1000000" description:"Code that returns an object with a numeric score."`
	Language string `json:"code_language" enum:"PYTHON,JAVASCRIPT" default:"PYTHON" description:"Programming language of the code."`
}

func (c *scoreConfiguration) scoring() *eval.Scoring {
	if c == nil {
		return nil
	}
	return &eval.Scoring{Code: c.Code, Language: c.Language}
}

func wireScoring(s *eval.Scoring) *scoreConfiguration {
	if s == nil {
		return nil
	}
	return &scoreConfiguration{Code: s.Code, Language: s.Language}
}

type createReportRequest struct {
	GroupID       int64               `json:"dataset_group_id" required:"true" minimum:"1" description:"The id of the dataset group."`
	Name          *string             `json:"name" minLength:"1" maxLength:"255" description:"Name; generated if omitted."`
	Comment       *string             `json:"comment" maxLength:"10000" description:"Purpose, which runs take over."`
	FolderID      *int64              `json:"folder_id" minimum:"1" description:"The id of the folder; defaults to the root."`
	DatasetNumber *int64              `json:"dataset_version_number" description:"Version number of the dataset; defaults to the latest."`
	Columns       []newReportColumn   `json:"columns" maxItems:"1000" description:"Columns to compute for each row."`
	Scoring       *scoreConfiguration `json:"score_configuration" description:"Code that computes the score."`
	ExternalIDs   []kit.ExternalID    `json:"external_ids" maxItems:"1000" description:"External ids to attach to the report."`
}

type createReportResponse struct {
	Success     bool             `json:"success" required:"true" description:"Always true."`
	ReportID    int64            `json:"report_id" required:"true" description:"The id of the report."`
	Columns     []reportColumn   `json:"report_columns,omitzero" description:"The computed columns; only if columns were sent."`
	ExternalIDs []kit.ExternalID `json:"external_ids" required:"true" description:"The external ids."`
}

type reportColumn struct {
	ID            int64          `json:"id" required:"true" description:"The id of the column."`
	ReportID      int64          `json:"report_id" required:"true" description:"The id of the report."`
	Type          string         `json:"column_type" required:"true" description:"Column type; DATASET for a column of the dataset."`
	Name          string         `json:"name" required:"true" description:"Name."`
	Position      int64          `json:"position" required:"true" description:"Position, starting at 1; the dataset's columns come first."`
	Scored        bool           `json:"is_part_of_score" required:"true" description:"Whether it is part of the score."`
	Configuration rest.RawObject `json:"configuration" required:"true" description:"Configuration of the column, with … in place of credentials."`
}

func wireReportColumn(reportID int64, c *eval.Column) reportColumn {
	configuration := rest.RawObject(step.Conceal(c.Type, c.Configuration))
	if c.Configuration.Kind() != jsontree.Object {
		configuration = rest.RawObject("{}")
	}
	return reportColumn{
		ID: c.ID, ReportID: reportID, Type: c.Type, Name: c.Name, Position: c.Position, Scored: c.Scored, Configuration: configuration,
	}
}

// scoredColumn is a column with its score.
type scoredColumn struct {
	reportColumn
	Score *float64 `json:"score" required:"true" description:"Score of the column; null if there is none."`
}

func wireColumns(reportID int64, columns []eval.Column) []scoredColumn {
	return kit.EachRef(columns, func(c *eval.Column) scoredColumn {
		column := scoredColumn{reportColumn: wireReportColumn(reportID, c)}
		if score, err := strconv.ParseFloat(c.Score, 64); err == nil {
			column.Score = &score
		}
		return column
	})
}

// reportBase is what evaluations and runs have in common in all responses.
type reportBase struct {
	ID          int64               `json:"id" required:"true" description:"The id of the report."`
	Name        string              `json:"name" required:"true" description:"Name."`
	Comment     *string             `json:"comment" required:"true" description:"Purpose."`
	IsBlueprint bool                `json:"is_blueprint" required:"true" description:"Whether it is an evaluation rather than a run."`
	Deleted     bool                `json:"deleted" required:"true" description:"Whether it was archived."`
	CreatedAt   rest.Time           `json:"created_at" required:"true" description:"When it was created."`
	UpdatedAt   rest.Time           `json:"updated_at" required:"true" description:"When it was last changed."`
	WorkspaceID int64               `json:"workspace_id" required:"true" description:"The id of the workspace."`
	FolderID    *int64              `json:"folder_id" required:"true" description:"The id of the folder; null at the root and for runs."`
	UserID      *int64              `json:"user_id" required:"true" description:"The id of the account that created it; null if unknown."`
	DatasetID   *int64              `json:"dataset_id" required:"true" description:"The id of the dataset."`
	ParentID    *int64              `json:"parent_report_id" required:"true" description:"The id of the evaluation of a run."`
	Scoring     *scoreConfiguration `json:"score_configuration" required:"true" description:"Code that computes the score; null if there is none."`
}

func evaluationBase(e *eval.Evaluation) reportBase {
	return reportBase{
		ID: e.Entity.ID, Name: e.Entity.Name, Comment: e.Comment, IsBlueprint: true, Deleted: e.Entity.DeletedAt != nil,
		CreatedAt: kit.Time(e.Entity.CreatedAt), UpdatedAt: kit.Time(e.Entity.UpdatedAt),
		WorkspaceID: e.Entity.WorkspaceID, FolderID: e.Entity.FolderID, UserID: e.Entity.CreatorID, DatasetID: &e.DatasetID, Scoring: wireScoring(e.Scoring),
	}
}

func runBase(r *eval.Run) reportBase {
	return reportBase{
		ID: r.ID, Name: r.Name, Comment: r.Comment, Deleted: r.ArchivedAt != nil,
		CreatedAt: kit.Time(r.CreatedAt), UpdatedAt: kit.Time(r.UpdatedAt),
		WorkspaceID: r.Workspace, UserID: r.CreatorID, DatasetID: &r.DatasetID, ParentID: &r.ReportID, Scoring: wireScoring(r.Scoring),
	}
}

// runOutcome is the result of a run.
type runOutcome struct {
	Score   *rest.RawObject `json:"score" required:"true" description:"The score; null for evaluations and for runs in progress."`
	Matrix  *rawList        `json:"score_matrix" required:"true" description:"Matrices computed by code; null if no code ran."`
	Failure *string         `json:"score_calculation_error" required:"true" description:"Why the code returned no score."`
	TraceID *string         `json:"trace_id" required:"true" description:"The id of its trace; null for evaluations and for runs without cells. Runs of earlier versions of the server have no trace."`
}

// traceOf returns the id of the trace of a run, nil if it has nothing to compute.
func traceOf(r *eval.Run) *string {
	if r.Cells == 0 {
		return nil
	}
	return new(r.TraceID())
}

func wireRunOutcome(r *eval.Run) runOutcome {
	o := runOutcome{Score: kit.RawOrNull([]byte(r.Result.Score)), TraceID: traceOf(r)}
	if r.Result.Matrix != "" {
		o.Matrix = new(rawList(r.Result.Matrix))
	}
	if r.Result.Failure != "" {
		o.Failure = &r.Result.Failure
	}
	return o
}

type statusCounts struct {
	Completed int64 `json:"COMPLETED" required:"true" description:"Number of cells with a value."`
	Failed    int64 `json:"FAILED" required:"true" description:"Number of cells that failed."`
	Queued    int64 `json:"QUEUED" required:"true" description:"Number of cells not yet started."`
	Running   int64 `json:"RUNNING" required:"true" description:"Number of cells being computed."`
	Waiting   int64 `json:"WAITING,omitempty" description:"Number of cells that wait for a person; omitted if there are none."`
}

type runStats struct {
	Counts statusCounts `json:"status_counts" required:"true" description:"Number of cells by status, without the dataset's own cells."`
}

const (
	runRunning   = "RUNNING"
	runWaiting   = "WAITING"
	runCompleted = "COMPLETED"
)

// progressOf returns the status and the progress of a run.
func progressOf(r *eval.Run) (string, runStats) {
	stats := runStats{statusCounts{r.Counts.Completed, r.Counts.Failed, r.Counts.Queued, r.Counts.Running, r.Counts.Waiting}}
	switch {
	case r.EndedAt != nil:
		return runCompleted, stats
	case r.State == eval.StateWaiting:
		return runWaiting, stats
	}
	return runRunning, stats
}

// reportRecord is an evaluation or a run with all details.
type reportRecord struct {
	reportBase
	runOutcome
	PromptID      *int64           `json:"prompt_registry_id" required:"true" description:"Always null."`
	PromptVersion *int64           `json:"prompt_version_number" required:"true" description:"Always null."`
	Tags          []string         `json:"tags" required:"true" description:"Tags."`
	ExternalIDs   []kit.ExternalID `json:"external_ids" required:"true" description:"The external ids; runs have none."`
}

func wireReport(r *eval.Report) reportRecord {
	if r.Run != nil {
		return reportRecord{
			reportBase: runBase(r.Run), runOutcome: wireRunOutcome(r.Run), Tags: rest.NonNil(r.Run.Tags), ExternalIDs: []kit.ExternalID{},
		}
	}
	return reportRecord{
		reportBase: evaluationBase(r.Evaluation), Tags: rest.NonNil(r.Evaluation.Entity.Tags), ExternalIDs: kit.WireExternalIDs(r.Evaluation.ExternalIDs),
	}
}

type reportResponse struct {
	Success bool           `json:"success" required:"true" description:"Always true."`
	Message string         `json:"message" required:"true" description:"Always \"success\"."`
	Report  reportRecord   `json:"report" required:"true" description:"The report."`
	Status  string         `json:"status" required:"true" enum:"RUNNING,WAITING,COMPLETED" description:"Whether the run is in progress, waits for people or has ended; evaluations are always completed."`
	Stats   runStats       `json:"stats" required:"true" description:"Progress of the run."`
	Columns []scoredColumn `json:"report_columns" required:"true" description:"All columns, by position."`
}

type changedReportResponse struct {
	Success bool         `json:"success" required:"true" description:"Always true."`
	Report  reportRecord `json:"report" required:"true" description:"The changed evaluation or run."`
}

// evaluationTags returns tags as an object with true for each, nil if there
// are none.
func evaluationTags(tags []string) *rest.RawObject {
	if len(tags) == 0 {
		return nil
	}
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		for _, tag := range tags {
			w.Key(tag).Bool(true)
		}
	})
	return new(rest.RawObject(w.Bytes()))
}

type evaluationItem struct {
	reportBase
	Tags        *rest.RawObject  `json:"tags" required:"true" description:"Object with true for each tag; null if there are none."`
	ExternalIDs []kit.ExternalID `json:"external_ids" required:"true" description:"The external ids."`
	Runs        *[]runItem       `json:"runs,omitempty" description:"The 100 newest runs, newest first; only with include_runs."`
	RunCount    *int64           `json:"run_count,omitempty" description:"Number of all runs, of which runs lists the newest; only with include_runs."`
}

type runItem struct {
	reportBase
	Tags *rest.RawObject `json:"tags" required:"true" description:"Object with true for each tag; null if there are none."`
	runOutcome
	Status string   `json:"status" required:"true" enum:"RUNNING,WAITING,COMPLETED" description:"Whether the run is in progress, waits for people or has ended."`
	Stats  runStats `json:"stats" required:"true" description:"Progress of the run."`
}

func wireEvaluation(e *eval.Evaluation, withRuns bool) evaluationItem {
	item := evaluationItem{reportBase: evaluationBase(e), Tags: evaluationTags(e.Entity.Tags), ExternalIDs: kit.WireExternalIDs(e.ExternalIDs)}
	if !withRuns {
		return item
	}
	item.Runs, item.RunCount = new(kit.EachRef(e.Runs, wireRun)), &e.RunCount
	return item
}
