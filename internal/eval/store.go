package eval

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
)

// Store stores runs, and everything about evaluations except their entities.
// Its methods join the transaction of the context, if any. An evaluation or run
// of another workspace is treated as nonexistent. Returned slices belong to the
// caller and are never nil.
type Store interface {
	blueprintStore
	runStore
	personStore
}

// blueprintStore stores evaluations, which are called reports on the wire and
// in the method names.
type blueprintStore interface {
	// CreateReport creates an evaluation with its columns, which get ids, and
	// returns both. Faults are those of entity.Store.CreateEntity.
	CreateReport(ctx context.Context, input entity.New, one Evaluation, columns []Column) (Evaluation, []Column, error)
	// GetReport returns an evaluation, even a deleted one, or a NotFound fault.
	GetReport(ctx context.Context, workspace, id int64) (Evaluation, error)
	// FillReports sets all fields of evaluations of which only the entities are
	// set. Entities that are not evaluations are left unchanged.
	FillReports(ctx context.Context, workspace int64, evaluations []Evaluation) error
	// LiveReports returns the ids of the live evaluations with exactly this
	// name, in ascending order.
	LiveReports(ctx context.Context, workspace int64, name string) ([]int64, error)
	// SetReportScoring replaces the scoring of a live evaluation; the fault is
	// NotFound when there is none.
	SetReportScoring(ctx context.Context, workspace, id int64, scoring *Scoring) error
	// SetReportComment replaces the comment of a live evaluation; the fault is
	// NotFound when there is none.
	SetReportComment(ctx context.Context, workspace, id int64, comment *string) error
	// ReportColumns returns all columns of an evaluation ordered by position.
	ReportColumns(ctx context.Context, id int64) ([]Column, error)
	// SaveReportColumns replaces all columns of a live evaluation and returns
	// them; those without an id get one. The fault is NotFound when there is no
	// such evaluation.
	SaveReportColumns(ctx context.Context, workspace, id int64, columns []Column) ([]Column, error)
	// FindReportColumn returns the id of the evaluation, even a deleted one, or
	// of the run that has the column; the fault is NotFound when there is no
	// such column.
	FindReportColumn(ctx context.Context, workspace, columnID int64) (owner int64, err error)
}

// runStore stores runs of evaluations.
type runStore interface {
	// CreateReportRun stores a run with its columns, which get new ids, and
	// returns both. The fault is NotFound if the evaluation does not exist.
	CreateReportRun(ctx context.Context, run Run, columns []Column) (Run, []Column, error)
	// GetReportRun returns a run, even an archived one, or a NotFound fault.
	GetReportRun(ctx context.Context, workspace, id int64) (Run, error)
	// ReportRuns returns up to limit runs of each evaluation, newest first, by
	// the evaluation's id. Evaluations without runs are omitted.
	ReportRuns(ctx context.Context, workspace int64, evaluations []int64, status entity.Status, limit int) (map[int64][]Run, error)
	// CountReportRuns returns the number of runs of each evaluation by its id.
	// Evaluations without runs are omitted.
	CountReportRuns(ctx context.Context, workspace int64, evaluations []int64, status entity.Status) (map[int64]int64, error)
	// ListReportRuns returns a page of the runs of an evaluation, newest first,
	// and the number of all its runs.
	ListReportRuns(ctx context.Context, workspace, evaluation int64, status entity.Status, page entity.Page) ([]Run, int64, error)
	// LiveReportRuns returns the ids of the runs with exactly this name that are
	// not archived, in ascending order.
	LiveReportRuns(ctx context.Context, workspace int64, name string) ([]int64, error)
	// PatchReportRun changes a run that is not archived. The fault is NotFound when
	// there is none, and Invalid when the name is blank or too long or the tags are
	// invalid as for entity.Store.SetTags.
	PatchReportRun(ctx context.Context, workspace, id int64, patch Patch) error
	// ArchiveReportRuns archives runs and returns the number of those that were
	// not archived before. Unknown ids are ignored.
	ArchiveReportRuns(ctx context.Context, workspace int64, ids []int64) (int64, error)
	// SetScoreCard changes the scoring of a run and reports whether it did. It
	// does not when the card has a result and the run has not ended, when the
	// card has none and the run has ended, or when the run is archived.
	SetScoreCard(ctx context.Context, workspace, id int64, card ScoreCard) (bool, error)

	// ReportRunColumns returns all columns of a run ordered by position.
	ReportRunColumns(ctx context.Context, runID int64) ([]Column, error)
	// SaveReportRows stores rows with their waiting cells, marks the answers as
	// used, and adds the progress to the run. The fault is Invalid when a cell has text that cannot be stored, and NotFound when
	// the run does not exist.
	SaveReportRows(ctx context.Context, runID int64, rows []Row, progress Progress) error
	// ReportRunWorkflows returns up to limit versions of workflows that a run has run,
	// most frequent first.
	ReportRunWorkflows(ctx context.Context, runID int64, limit int) ([]UsedWorkflow, error)
	// ReportRows returns up to limit stored rows with positions in [from,
	// before), ordered by position. Rows that have not been computed are
	// missing.
	ReportRows(ctx context.Context, runID, from, before int64, limit int) ([]Row, error)
	// EndReportRun stores the end of a run and reports whether it did. It does
	// not when the revision of the run has changed. No cell waits any more.
	EndReportRun(ctx context.Context, runID int64, end End) (bool, error)
}
