package evaluations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/entities"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/fault"
)

// scoringText maps a text of a scoring, whose columns are NULL without one.
type scoringText struct {
	at   **eval.Scoring
	text func(*eval.Scoring) *string
}

// Scan implements sql.Scanner.
func (s scoringText) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return nil
	}
	if *s.at == nil {
		*s.at = &eval.Scoring{}
	}
	*s.text(*s.at) = text
	return nil
}

// Stored implements engine.Mapping.
func (s scoringText) Stored() (any, error) {
	if *s.at == nil {
		return nil, nil
	}
	return *s.text(*s.at), nil
}

func scoringCode(at **eval.Scoring) engine.Mapping {
	return scoringText{at, func(s *eval.Scoring) *string { return &s.Code }}
}

func scoringLanguage(at **eval.Scoring) engine.Mapping {
	return scoringText{at, func(s *eval.Scoring) *string { return &s.Language }}
}

func fields(e *eval.Evaluation) engine.Fields {
	return engine.Fields{
		"report.dataset_id", &e.DatasetID, "report.comment", &e.Comment,
		"report.score_code", scoringCode(&e.Scoring), "report.score_language", scoringLanguage(&e.Scoring),
	}
}

var (
	reports = engine.NewRecord(table.Report, func(e *eval.Evaluation) engine.Fields {
		return append(fields(e), "report.entity_id", &e.Entity.ID)
	})
	insertReport = reports.Insert()
	setScoring   = reports.Set("WHERE entity_id = $1", "score_code", "score_language")

	// withEntities are evaluations with their entities.
	withEntities = engine.NewView("report\nJOIN entity ON entity.id = report.entity_id", func(e *eval.Evaluation) engine.Fields {
		return append(entities.Fields(&e.Entity), fields(e)...)
	})
)

// CreateReport creates an evaluation.
func (s *Store) CreateReport(
	ctx context.Context, input entity.New, one eval.Evaluation, columns []eval.Column,
) (eval.Evaluation, []eval.Column, error) {
	saved := append([]eval.Column{}, columns...)
	created, err := engine.Change(ctx, s.db, input.WorkspaceID, func(ctx context.Context) (_ eval.Evaluation, err error) {
		if one.Entity, err = s.entities.CreateEntity(ctx, input); err != nil {
			return one, err
		}
		if _, err := insertReport.Exec(ctx, s.db, &one); err != nil {
			return one, err
		}
		copy(saved, columns)
		if err := s.numberColumns(ctx, saved); err != nil {
			return one, err
		}
		return one, s.replaceColumns(ctx, one.Entity.ID, saved)
	})
	if err != nil {
		return eval.Evaluation{}, nil, fmt.Errorf("create report: %w", err)
	}
	return created, saved, nil
}

// GetReport returns an evaluation by its id.
func (s *Store) GetReport(ctx context.Context, workspaceID, id int64) (eval.Evaluation, error) {
	found, err := withEntities.One(ctx, s.db, `WHERE entity.workspace_id = $1
AND entity.id = $2`, workspaceID, id)
	return engine.Wrap(found, engine.NotFound(err, "Report %d not found", id), "get report")
}

// FillReports adds to evaluations what is not part of their entities.
func (s *Store) FillReports(ctx context.Context, workspaceID int64, evaluations []eval.Evaluation) error {
	byID := make(map[int64]*eval.Evaluation, len(evaluations))
	ids := make([]int64, len(evaluations))
	for i := range evaluations {
		ids[i] = evaluations[i].Entity.ID
		byID[ids[i]] = &evaluations[i]
	}
	err := engine.InChunks(ids, func(ids []int64) error {
		var where engine.Where
		engine.AddList(&where, "report.entity_id", ids)
		found, err := reports.All(ctx, s.db, "WHERE "+where.SQL(), where.Args...)
		for _, one := range found {
			known := byID[one.Entity.ID]
			known.DatasetID, known.Comment, known.Scoring = one.DatasetID, one.Comment, one.Scoring
		}
		return err
	})
	return engine.WrapError(err, "read reports")
}

// LiveReports finds evaluations by name.
func (s *Store) LiveReports(ctx context.Context, workspaceID int64, name string) ([]int64, error) {
	found, err := engine.QueryAll(ctx, s.db, engine.ScanInt, `
SELECT id
FROM entity
WHERE workspace_id = $1
AND kind = $2
AND name = $3
AND deleted_at IS NULL
ORDER BY id`, workspaceID, entity.KindReport, name)
	return engine.Wrap(found, err, "find reports by name")
}

// SetReportScoring replaces the scoring of an evaluation.
func (s *Store) SetReportScoring(ctx context.Context, workspaceID, id int64, scoring *eval.Scoring) error {
	err := s.db.Change(ctx, workspaceID, func(ctx context.Context) error {
		if err := s.touchReport(ctx, workspaceID, id); err != nil {
			return err
		}
		_, err := setScoring.Exec(ctx, s.db, &eval.Evaluation{Scoring: scoring}, id)
		return err
	})
	return engine.WrapError(err, "set the scoring of a report")
}

// SetReportComment replaces the comment of an evaluation.
func (s *Store) SetReportComment(ctx context.Context, workspaceID, id int64, comment *string) error {
	err := s.db.Change(ctx, workspaceID, func(ctx context.Context) error {
		if err := s.touchReport(ctx, workspaceID, id); err != nil {
			return err
		}
		_, err := engine.Exec(ctx, s.db, table.Report.Update(`
SET comment = $2
WHERE entity_id = $1`), id, comment)
		return err
	})
	return engine.WrapError(err, "set the comment of a report")
}

// touchReport audits a change to a live evaluation; the fault is NotFound when there
// is none.
func (s *Store) touchReport(ctx context.Context, workspaceID, id int64) error {
	touched, err := entities.Record.Update(ctx, s.db, `SET updated_at = $3
`+engine.InWorkspace+`
AND deleted_at IS NULL`, workspaceID, id, s.db.Now())
	if err != nil {
		return engine.NotFound(err, "Report %d not found", id)
	}
	return entities.Note(ctx, s.db, touched, audit.Change, nil)
}

// column is a column of an evaluation or a run, its owner.
type column struct {
	owner int64
	eval.Column
}

// columnFields returns the fields of columns that belong to an owner.
func columnFields(owner string) func(c *column) engine.Fields {
	return func(c *column) engine.Fields {
		return engine.Fields{
			"id", &c.ID, owner, &c.owner, "position", &c.Position, "type", &c.Type, "name", &c.Name,
			"configuration", engine.JSON(&c.Configuration), "scored", &c.Scored,
		}
	}
}

var (
	reportColumns = engine.NewRecord(table.ReportColumn, columnFields("report_id"))
	insertColumns = reportColumns.Insert()
	runColumns    = engine.NewRecord(table.ReportRunColumn, func(c *column) engine.Fields {
		return append(columnFields("run_id")(c), "score", engine.NullText(&c.Score))
	})
	insertRunColumn = runColumns.Insert("score")
)

// ownedBy returns columns as rows of their owner, and plain the columns of rows.
func ownedBy(owner int64, columns []eval.Column) []column {
	owned := make([]column, len(columns))
	for i, one := range columns {
		owned[i] = column{owner, one}
	}
	return owned
}

func plain(owned []column) []eval.Column {
	columns := make([]eval.Column, len(owned))
	for i := range owned {
		columns[i] = owned[i].Column
	}
	return columns
}

// ReportColumns returns the columns of an evaluation.
func (s *Store) ReportColumns(ctx context.Context, id int64) ([]eval.Column, error) {
	found, err := reportColumns.All(ctx, s.db, `WHERE report_id = $1
ORDER BY position`, id)
	return engine.Wrap(plain(found), err, "read the columns of a report")
}

// columnSequence is the sequence of the ids of columns.
const columnSequence = "report_column"

// numberColumns gives ids to columns without one.
func (s *Store) numberColumns(ctx context.Context, columns []eval.Column) error {
	wanted := int64(0)
	for i := range columns {
		if columns[i].ID == 0 {
			wanted++
		}
	}
	if wanted == 0 {
		return nil
	}
	next, err := engine.ReserveIDs(ctx, s.db, columnSequence, wanted)
	for i := range columns {
		if columns[i].ID == 0 {
			columns[i].ID = next
			next++
		}
	}
	return err
}

// SaveReportColumns replaces the columns of an evaluation.
func (s *Store) SaveReportColumns(ctx context.Context, workspaceID, id int64, columns []eval.Column) ([]eval.Column, error) {
	saved, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) ([]eval.Column, error) {
		saved := append([]eval.Column{}, columns...)
		if err := s.touchReport(ctx, workspaceID, id); err != nil {
			return nil, err
		}
		if err := s.numberColumns(ctx, saved); err != nil {
			return nil, err
		}
		return saved, s.replaceColumns(ctx, id, saved)
	})
	return engine.Wrap(saved, err, "save the columns of a report")
}

func (s *Store) replaceColumns(ctx context.Context, id int64, columns []eval.Column) error {
	_, err := engine.Exec(ctx, s.db, table.ReportColumn.Delete(`WHERE report_id = $1`), id)
	if err != nil {
		return err
	}
	return insertColumns.InsertAll(ctx, s.db, ownedBy(id, columns))
}

// FindReportColumn returns the evaluation or run that has a column.
func (s *Store) FindReportColumn(ctx context.Context, workspaceID, columnID int64) (int64, error) {
	owner, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT report_column.report_id
FROM report_column
JOIN entity ON entity.id = report_column.report_id
WHERE report_column.id = $1
AND entity.workspace_id = $2`, columnID, workspaceID)
	if errors.Is(err, sql.ErrNoRows) {
		owner, err = engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT report_run_column.run_id
FROM report_run_column
JOIN report_run ON report_run.id = report_run_column.run_id
WHERE report_run_column.id = $1
AND report_run.workspace_id = $2`, columnID, workspaceID)
	}
	return engine.Wrap(owner, engine.NotFound(err, "Column %d not found", columnID), "find column")
}

// reportRunMissing returns the fault for an unknown run.
func reportRunMissing(id int64) error { return fault.NotFoundf("Run %d not found", id) }
