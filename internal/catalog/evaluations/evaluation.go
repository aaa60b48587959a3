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

const reportColumns = `report.dataset_id, report.comment, report.score_code, report.score_language`

// scoringColumns are the columns of a scoring; both are NULL without one.
type scoringColumns struct{ code, language *string }

func (s scoringColumns) scoring() *eval.Scoring {
	if s.code == nil || s.language == nil {
		return nil
	}
	return &eval.Scoring{Code: *s.code, Language: *s.language}
}

func scoringArgs(s *eval.Scoring) (code, language *string) {
	if s == nil {
		return nil, nil
	}
	return &s.Code, &s.Language
}

// CreateReport creates an evaluation.
func (s *Store) CreateReport(
	ctx context.Context, input entity.New, one eval.Evaluation, columns []eval.Column,
) (eval.Evaluation, []eval.Column, error) {
	saved := append([]eval.Column{}, columns...)
	created, err := engine.Change(ctx, s.db, input.WorkspaceID, func(ctx context.Context) (_ eval.Evaluation, err error) {
		if one.Entity, err = s.entities.CreateEntity(ctx, input); err != nil {
			return one, err
		}
		code, language := scoringArgs(one.Scoring)
		if _, err := engine.Exec(ctx, s.db, table.Report.Insert(`
(entity_id, dataset_id, comment, score_code, score_language)
VALUES ($1, $2, $3, $4, $5)`), one.Entity.ID, one.DatasetID, one.Comment, code, language); err != nil {
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
	found, err := engine.QueryOne(ctx, s.db, func(r engine.Row) (eval.Evaluation, error) {
		var e eval.Evaluation
		var scoring scoringColumns
		err := r.Scan(append(entities.Into(&e.Entity), &e.DatasetID, &e.Comment, &scoring.code, &scoring.language)...)
		e.Scoring = scoring.scoring()
		return e, err
	}, `
SELECT `+entities.Columns+`, `+reportColumns+`
FROM report
JOIN entity ON entity.id = report.entity_id
WHERE entity.workspace_id = $1
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
		found, err := engine.QueryAll(ctx, s.db, scanReport, `
SELECT report.entity_id, `+reportColumns+`
FROM report
WHERE `+where.SQL(), where.Args...)
		for _, one := range found {
			known := byID[one.Entity.ID]
			known.DatasetID, known.Comment, known.Scoring = one.DatasetID, one.Comment, one.Scoring
		}
		return err
	})
	return engine.WrapError(err, "read reports")
}

// scanReport scans the id of an entity and reportColumns.
func scanReport(r engine.Row) (eval.Evaluation, error) {
	var e eval.Evaluation
	var scoring scoringColumns
	err := r.Scan(&e.Entity.ID, &e.DatasetID, &e.Comment, &scoring.code, &scoring.language)
	e.Scoring = scoring.scoring()
	return e, err
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
		code, language := scoringArgs(scoring)
		_, err := engine.Exec(ctx, s.db, table.Report.Update(`
SET score_code = $2, score_language = $3
WHERE entity_id = $1`), id, code, language)
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
	touched, err := engine.ExecOne(ctx, s.db, entities.Scan, table.Entity.Update(`
SET updated_at = $3
WHERE workspace_id = $1
AND id = $2
AND deleted_at IS NULL
RETURNING `+entities.Columns), workspaceID, id, s.db.Now())
	if err != nil {
		return engine.NotFound(err, "Report %d not found", id)
	}
	return entities.Note(ctx, s.db, touched, audit.Change, nil)
}

const columnColumns = `id, position, type, name, configuration, scored`

func scanColumn(r engine.Row) (eval.Column, error) {
	var one eval.Column
	err := r.Scan(&one.ID, &one.Position, &one.Type, &one.Name, engine.JSON(&one.Configuration), &one.Scored)
	return one, err
}

// ReportColumns returns the columns of an evaluation.
func (s *Store) ReportColumns(ctx context.Context, id int64) ([]eval.Column, error) {
	found, err := engine.QueryAll(ctx, s.db, scanColumn, `
SELECT `+columnColumns+`
FROM report_column
WHERE report_id = $1
ORDER BY position`, id)
	return engine.Wrap(found, err, "read the columns of a report")
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
	rows := make([][]any, len(columns))
	for i, one := range columns {
		rows[i] = []any{one.ID, id, one.Position, one.Type, one.Name, engine.ObjectText(one.Configuration), engine.Flag(one.Scored)}
	}
	return engine.InsertRows(ctx, s.db, table.ReportColumn, `(id, report_id, position, type, name, configuration, scored)`, rows)
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
