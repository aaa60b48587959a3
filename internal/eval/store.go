package eval

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
)

// Store keeps evaluations and their runs. Its methods join the transaction of
// the context; the promises of those about entities are those of
// catalog.Catalog.
type Store interface {
	InTx(ctx context.Context, fn func(ctx context.Context) error) error

	GetEntity(ctx context.Context, workspace, id int64) (entity.Entity, error)
	EntitiesByName(ctx context.Context, workspace int64, kind entity.Kind, names []string) (map[string]int64, error)
	ListEntities(ctx context.Context, query entity.Query) ([]entity.Entity, int64, error)
	LockEntity(ctx context.Context, workspace, id int64) error
	RenameEntity(ctx context.Context, workspace, id int64, name string) (entity.Entity, error)
	SetTags(ctx context.Context, workspace, id int64, tags []string) (entity.Entity, error)
	SoftDelete(ctx context.Context, workspace int64, ids []int64) (int64, error)
	AttachExternalID(ctx context.Context, workspace, entity int64, ref entity.ExternalRef) error
	ExternalIDsByEntity(ctx context.Context, workspace int64, entities []int64) (map[int64][]entity.ExternalID, error)

	blueprintStore
	runStore
}

// blueprintStore keeps what only evaluations have.
type blueprintStore interface {
	// CreateReport creates an evaluation with its columns, which get ids, and
	// returns both.
	CreateReport(ctx context.Context, input entity.New, one Evaluation, columns []Column) (Evaluation, []Column, error)
	// GetReport returns an evaluation, also a deleted one, or a NotFound fault
	// when the workspace has none.
	GetReport(ctx context.Context, workspace, id int64) (Evaluation, error)
	// FillReports adds to entities what belongs to them as evaluations.
	FillReports(ctx context.Context, workspace int64, evaluations []Evaluation) error
	// LiveReports returns the ids of the evaluations of exactly this name that
	// are not deleted.
	LiveReports(ctx context.Context, workspace int64, name string) ([]int64, error)
	// SetReportScoring replaces the scoring of an evaluation.
	SetReportScoring(ctx context.Context, workspace, id int64, scoring *Scoring) error
	// ReportColumns returns all columns of an evaluation by position.
	ReportColumns(ctx context.Context, id int64) ([]Column, error)
	// SaveReportColumns replaces all columns of an evaluation. Those without an
	// id are new; they are returned with one.
	SaveReportColumns(ctx context.Context, workspace, id int64, columns []Column) ([]Column, error)
	// FindReportColumn returns the id of the evaluation or run that has the
	// column; the fault is NotFound when the workspace has no such column.
	FindReportColumn(ctx context.Context, workspace, columnID int64) (owner int64, err error)
}

// runStore keeps runs.
type runStore interface {
	// CreateReportRun stores a run with its columns, which get ids of their
	// own, and returns it with its id.
	CreateReportRun(ctx context.Context, run Run, columns []Column) (Run, []Column, error)
	// GetReportRun returns a run, also an archived one, or a NotFound fault
	// when the workspace has none.
	GetReportRun(ctx context.Context, workspace, id int64) (Run, error)
	// ReportRuns returns the newest runs of each evaluation, newest first, by
	// the evaluation's id.
	ReportRuns(ctx context.Context, workspace int64, evaluations []int64, status entity.Status, limit int) (map[int64][]Run, error)
	// ListReportRuns returns a page of the runs of an evaluation, newest first,
	// and how many there are in all.
	ListReportRuns(ctx context.Context, workspace, evaluation int64, status entity.Status, page entity.Page) ([]Run, int64, error)
	// LiveReportRuns returns the ids of the runs of exactly this name that are
	// not archived.
	LiveReportRuns(ctx context.Context, workspace int64, name string) ([]int64, error)
	// RenameReportRun gives a run that is not archived another name and tags,
	// each unless nil; the fault is NotFound when there is none.
	RenameReportRun(ctx context.Context, workspace, id int64, name *string, tags []string) error
	// ArchiveReportRuns hides runs and returns how many were not hidden before.
	ArchiveReportRuns(ctx context.Context, workspace int64, ids []int64) (int64, error)
	// SetScoreCard changes how a run is scored and reports whether it did: not
	// when the card has a result and the run goes on, or has none and the run
	// has ended.
	SetScoreCard(ctx context.Context, workspace, id int64, card ScoreCard) (bool, error)

	// ReportRunColumns returns all columns of a run by position.
	ReportRunColumns(ctx context.Context, runID int64) ([]Column, error)
	// SaveReportRows stores rows and how far the run has come with them.
	SaveReportRows(ctx context.Context, runID int64, rows []Row, progress Progress) error
	// ReportRows returns stored rows by position, from one on and before
	// another. Rows that nothing has happened to are missing.
	ReportRows(ctx context.Context, runID, from, before int64, limit int) ([]Row, error)
	// EndReportRun stores the end of a run and reports whether it did: not when
	// its revision has changed.
	EndReportRun(ctx context.Context, runID int64, end End) (bool, error)
}
