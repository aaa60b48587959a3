package evaluations

import (
	"context"
	"fmt"
	"strings"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/fault"
)

// savePersonCells stores the waiting cells of rows and marks answers as used.
func (s *Store) savePersonCells(ctx context.Context, workspaceID, runID int64, rows []eval.Row) error {
	var waiting [][]any
	for _, row := range rows {
		for _, cell := range row.Waiting {
			waiting = append(waiting, []any{runID, row.Position, cell.ColumnID, workspaceID, askedText(cell.People)})
		}
		for _, one := range row.Used {
			if err := s.useAnswer(ctx, runID, one); err != nil {
				return err
			}
		}
	}
	return engine.PutRows(ctx, s.db, table.PersonCell, `(run_id, position, column_id, workspace_id, asked)`, waiting, `
ON CONFLICT (run_id, position, column_id) DO NOTHING`)
}

// useAnswer marks an answer as used; a later one to the same cell stays unused.
func (s *Store) useAnswer(ctx context.Context, runID int64, answer eval.Answer) error {
	_, err := engine.Exec(ctx, s.db, table.PersonCell.Update(`
SET used = revision
WHERE run_id = $1
AND position = $2
AND column_id = $3
AND revision = $4`), runID, answer.Position, answer.ColumnID, answer.Revision)
	return err
}

// askedText returns the folded addresses, each between line breaks, nil if
// everyone is asked.
func askedText(people []string) *string {
	if len(people) == 0 {
		return nil
	}
	return new("\n" + engine.Fold(strings.Join(people, "\n")) + "\n")
}

// closePersonCells forgets the cells of a run that were not answered.
func (s *Store) closePersonCells(ctx context.Context, runID int64) error {
	_, err := engine.Exec(ctx, s.db, table.PersonCell.Delete(`
WHERE run_id = $1
AND revision = 0`), runID)
	return err
}

// OpenReportCells lists the cells that wait for a person.
func (s *Store) OpenReportCells(ctx context.Context, workspaceID int64, query eval.OpenCellQuery) ([]eval.OpenCell, int64, error) {
	list := engine.PageQuery{
		Columns: `person_cell.run_id, report_run.report_id, report_run.dataset_id, report_run.name, person_cell.position,
report_run_column.id, report_run_column.position, report_run_column.type, report_run_column.name, report_run_column.configuration, report_run_column.scored`,
		From: `person_cell
JOIN report_run ON report_run.id = person_cell.run_id
JOIN report_run_column ON report_run_column.id = person_cell.column_id`,
		Order: "ORDER BY person_cell.run_id, person_cell.position, person_cell.column_id", Page: query.Page,
	}
	list.Where.Add("person_cell.workspace_id = ?", workspaceID)
	list.Where.Add("person_cell.revision = 0")
	list.Where.Add("report_run.archived_at IS NULL")
	if query.ReportID != nil {
		list.Where.Add("(person_cell.run_id = ? OR report_run.report_id = ?)", *query.ReportID, *query.ReportID)
	}
	if query.AskedOf != nil {
		list.Where.Add(`(person_cell.asked IS NULL OR person_cell.asked LIKE ? ESCAPE '\')`, engine.Containing("\n"+*query.AskedOf+"\n"))
	}
	found, total, err := engine.QueryPage(ctx, s.db, func(r engine.Row) (eval.OpenCell, error) {
		var one eval.OpenCell
		c := &one.Column
		err := r.Scan(&one.RunID, &one.ReportID, &one.DatasetID, &one.RunName, &one.Position,
			&c.ID, &c.Position, &c.Type, &c.Name, engine.JSON(&c.Configuration), &c.Scored)
		return one, err
	}, list)
	if err != nil {
		return nil, 0, fmt.Errorf("list open cells: %w", err)
	}
	return found, total, nil
}

// AnswerReportCell stores an answer.
func (s *Store) AnswerReportCell(ctx context.Context, workspaceID, runID int64, answer eval.Answer) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		// The worker of the run locks the job first, too.
		if err := engine.EnsureJob(ctx, s.db, workspaceID, string(eval.Kind), runID); err != nil {
			return err
		}
		changed, err := engine.Exec(ctx, s.db, table.ReportRun.Update(`
SET revision = revision + 1, state = CASE WHEN state = 'WAITING' THEN 'ANSWERS' ELSE state END, updated_at = $3
WHERE workspace_id = $1
AND id = $2
AND ended_at IS NULL
AND archived_at IS NULL`), workspaceID, runID, s.db.Now())
		if err == nil && changed == 0 {
			err = fault.Conflictf("The run has ended")
		}
		if err != nil {
			return err
		}
		return s.storeAnswer(ctx, runID, answer)
	})
	return engine.WrapError(err, "answer cell")
}

// storeAnswer stores an answer; the first one to a cell ends its waiting.
func (s *Store) storeAnswer(ctx context.Context, runID int64, answer eval.Answer) error {
	revisions, err := engine.ExecAll(ctx, s.db, engine.ScanInt, table.PersonCell.Update(`
SET revision = revision + 1, value = $4, comment = $5, author = $6, answered_at = $7
WHERE run_id = $1
AND position = $2
AND column_id = $3
RETURNING revision`), runID, answer.Position, answer.ColumnID, string(answer.Value.Raw()), answer.Comment, answer.Author, answer.At)
	switch {
	case err != nil:
		return err
	case len(revisions) == 0:
		return fault.Conflictf("The cell does not wait for an answer yet")
	case revisions[0] > 1:
		return nil
	}
	_, err = engine.Exec(ctx, s.db, table.ReportRun.Update(`
SET waiting = waiting - 1
WHERE id = $1`), runID)
	return err
}

// ReportAnswers returns answers in rows of a run.
func (s *Store) ReportAnswers(ctx context.Context, runID, from, before int64, unused bool) ([]eval.Answer, error) {
	which := "revision > 0"
	if unused {
		which = "used < revision"
	}
	found, err := engine.QueryAll(ctx, s.db, func(r engine.Row) (eval.Answer, error) {
		var one eval.Answer
		var used int64
		err := r.Scan(&one.Position, &one.ColumnID, engine.JSON(&one.Value), &one.Comment, &one.Author, engine.Time(&one.At), &one.Revision, &used)
		one.Used = used == one.Revision
		return one, err
	}, `
SELECT position, column_id, value, comment, author, answered_at, revision, used
FROM person_cell
WHERE run_id = $1
AND position >= $2
AND position < $3
AND `+which+`
ORDER BY position, column_id`, runID, from, before)
	return engine.Wrap(found, err, "read the answers of a run")
}

// RowsWithAnswers returns the rows of a run with answers.
func (s *Store) RowsWithAnswers(ctx context.Context, runID, from int64, limit int) ([]int64, error) {
	found, err := engine.QueryAll(ctx, s.db, engine.ScanInt, `
SELECT DISTINCT position
FROM person_cell
WHERE run_id = $1
AND position >= $2
AND revision > 0
ORDER BY position
LIMIT $3`, runID, from, limit)
	return engine.Wrap(found, err, "find rows with answers")
}

// AnsweredRows returns the rows of a run with unused answers.
func (s *Store) AnsweredRows(ctx context.Context, runID int64, limit int) ([]int64, error) {
	found, err := engine.QueryAll(ctx, s.db, engine.ScanInt, `
SELECT DISTINCT position
FROM person_cell
WHERE run_id = $1
AND used < revision
ORDER BY position
LIMIT $2`, runID, limit)
	return engine.Wrap(found, err, "find answered rows")
}

// PauseReportRun stores what is left to do in a run.
func (s *Store) PauseReportRun(ctx context.Context, runID int64) (eval.State, error) {
	left, err := engine.Transact(ctx, s.db, func(ctx context.Context) (eval.State, error) {
		left, err := s.leftIn(ctx, runID)
		if err != nil || left == "" || left == eval.StateCancelled {
			return left, err
		}
		_, err = engine.Exec(ctx, s.db, table.ReportRun.Update(`
SET state = $2
WHERE id = $1`), runID, string(left))
		return left, err
	})
	return engine.Wrap(left, err, "pause run")
}

// leftIn returns what is left to do in a run.
func (s *Store) leftIn(ctx context.Context, runID int64) (eval.State, error) {
	answered, err := s.AnsweredRows(ctx, runID, 1)
	if err != nil {
		return "", err
	}
	if len(answered) > 0 {
		return eval.StateAnswers, nil
	}
	waiting, err := engine.QueryAll(ctx, s.db, engine.ScanInt, `
SELECT COALESCE(MAX(job.cancelled), 0)
FROM report_run
LEFT JOIN job ON job.kind = $2
AND job.subject_id = report_run.id
WHERE report_run.id = $1
AND report_run.waiting > 0
GROUP BY report_run.id`, runID, string(eval.Kind))
	switch {
	case err != nil || len(waiting) == 0:
		return "", err
	case waiting[0] > 0:
		return eval.StateCancelled, nil
	}
	return eval.StateWaiting, nil
}

// QueueReportRun ensures that a run has a job.
func (s *Store) QueueReportRun(ctx context.Context, workspaceID, id int64) (bool, error) {
	queued, err := engine.Transact(ctx, s.db, func(ctx context.Context) (bool, error) {
		active, err := engine.QueryAll(ctx, s.db, engine.ScanInt, `
SELECT id
FROM report_run
WHERE workspace_id = $1
AND id = $2
AND ended_at IS NULL`, workspaceID, id)
		if err != nil || len(active) == 0 {
			return false, err
		}
		return true, engine.EnsureJob(ctx, s.db, workspaceID, string(eval.Kind), id)
	})
	return engine.Wrap(queued, err, "queue run")
}
