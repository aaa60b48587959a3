package evaluations

import (
	"context"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/catalog/webhooks"
	"github.com/promptuary/promptuary/internal/eval"
)

// ReportRunColumns returns the columns of a run.
func (s *Store) ReportRunColumns(ctx context.Context, runID int64) ([]eval.Column, error) {
	found, err := runColumns.All(ctx, s.db, `WHERE run_id = $1
ORDER BY position`, runID)
	return engine.Wrap(plain(found), err, "read the columns of a run")
}

// SaveReportRows stores rows of a run and its progress.
func (s *Store) SaveReportRows(ctx context.Context, runID int64, rows []eval.Row, progress eval.Progress) error {
	values := make([][]any, len(rows))
	for i, one := range rows {
		values[i] = []any{runID, one.Position, one.Cells, engine.Flag(one.Final)}
	}
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		workspace, err := engine.ExecAll(ctx, s.db, engine.ScanInt, table.ReportRun.Update(`
SET completed = completed + $2, failed = failed + $3, running = $4, waiting = waiting + $5
WHERE id = $1
RETURNING workspace_id`), runID, progress.Completed, progress.Failed, progress.Running, progress.Waiting)
		if err == nil && len(workspace) == 0 {
			err = reportRunMissing(runID)
		}
		if err != nil {
			return err
		}
		err = engine.PutRows(ctx, s.db, table.ReportRow, `(run_id, position, cells, final)`, values, `
ON CONFLICT (run_id, position) DO UPDATE SET cells = excluded.cells, final = excluded.final`)
		if err != nil {
			return err
		}
		if err = s.saveWorkflows(ctx, runID, progress.Workflows); err != nil {
			return err
		}
		return s.savePersonCells(ctx, workspace[0], runID, rows)
	})
	return engine.WrapError(err, "save the rows of a run")
}

// saveWorkflows adds versions of workflows that a run has run.
func (s *Store) saveWorkflows(ctx context.Context, runID int64, used []eval.UsedWorkflow) error {
	values := make([][]any, len(used))
	for i, one := range used {
		values[i] = []any{runID, one.ColumnID, one.ID, one.Version, one.Runs}
	}
	return engine.PutRows(ctx, s.db, table.ReportRunWorkflow, `(run_id, column_id, workflow_id, version, runs)`, values, `
ON CONFLICT (run_id, column_id, workflow_id, version) DO UPDATE SET runs = report_run_workflow.runs + excluded.runs`)
}

// ReportRunWorkflows returns the versions of workflows that a run has run.
func (s *Store) ReportRunWorkflows(ctx context.Context, runID int64, limit int) ([]eval.UsedWorkflow, error) {
	found, err := engine.QueryAll(ctx, s.db, func(r engine.Row) (eval.UsedWorkflow, error) {
		var one eval.UsedWorkflow
		err := r.Scan(&one.ColumnID, &one.ID, &one.Version, &one.Runs)
		return one, err
	}, `
SELECT column_id, workflow_id, version, runs
FROM report_run_workflow
WHERE run_id = $1
ORDER BY runs DESC, column_id, workflow_id, version DESC
LIMIT $2`, runID, limit)
	return engine.Wrap(found, err, "read the workflows of a run")
}

// ReportRows returns rows of a run.
func (s *Store) ReportRows(ctx context.Context, runID, from, before int64, limit int) ([]eval.Row, error) {
	found, err := engine.QueryAll(ctx, s.db, func(r engine.Row) (eval.Row, error) {
		var one eval.Row
		err := r.Scan(&one.Position, &one.Cells, &one.Final)
		return one, err
	}, `
SELECT position, cells, final
FROM report_row
WHERE run_id = $1
AND position >= $2
AND position < $3
ORDER BY position
LIMIT $4`, runID, from, before, limit)
	return engine.Wrap(found, err, "read the rows of a run")
}

// EndReportRun stores the end of a run.
func (s *Store) EndReportRun(ctx context.Context, runID int64, end eval.End) (bool, error) {
	ended, err := engine.Transact(ctx, s.db, func(ctx context.Context) (bool, error) {
		wanted := eval.Run{EndedAt: &end.At, UpdatedAt: end.At, EndNote: end.Note, Result: end.Result}
		changed, err := endRun.All(ctx, s.db, &wanted, runID, end.Revision)
		if err != nil || len(changed) == 0 {
			return false, err
		}
		if err := s.closePersonCells(ctx, runID); err != nil {
			return false, err
		}
		if err := s.emitEnded(ctx, &changed[0]); err != nil {
			return false, err
		}
		return true, s.setColumnScores(ctx, runID, end.Scores)
	})
	return engine.Wrap(ended, err, "end run")
}

// emitEnded tells webhooks about the end of a run.
func (s *Store) emitEnded(ctx context.Context, run *eval.Run) error {
	return webhooks.EvaluationEnded(ctx, s.db, webhooks.Evaluation{
		Workspace: run.Workspace, Report: run.ReportID, Run: run.ID, Name: run.Name, Score: run.Result.Overall(), Failed: run.Counts.Failed,
	})
}

// setColumnScores replaces the scores of all columns of a run.
func (s *Store) setColumnScores(ctx context.Context, runID int64, scores map[int64]string) error {
	_, err := engine.Exec(ctx, s.db, table.ReportRunColumn.Update(`
SET score = NULL
WHERE run_id = $1`), runID)
	for id, score := range scores {
		if err != nil {
			return err
		}
		_, err = engine.Exec(ctx, s.db, table.ReportRunColumn.Update(`
SET score = $3
WHERE run_id = $1
AND id = $2`), runID, id, engine.OrNull(score))
	}
	return err
}

// SetScoreCard changes the scoring of a run.
func (s *Store) SetScoreCard(ctx context.Context, workspaceID, id int64, card eval.ScoreCard) (bool, error) {
	set, err := engine.Transact(ctx, s.db, func(ctx context.Context) (bool, error) {
		var fields engine.Where
		changed, err := engine.Exec(ctx, s.db, table.ReportRun.Update("SET "+s.cardFields(&fields, card)+cardCondition(&fields, workspaceID, id, card)), fields.Args...)
		if err != nil || changed == 0 {
			return false, err
		}
		if err := s.setScored(ctx, id, card.Scored); err != nil || card.Result == nil {
			return true, err
		}
		return true, s.setColumnScores(ctx, id, card.Scores)
	})
	return engine.Wrap(set, err, "set the score card of a run")
}

func (s *Store) cardFields(fields *engine.Where, card eval.ScoreCard) string {
	var code, language *string
	if card.Scoring != nil {
		code, language = &card.Scoring.Code, &card.Scoring.Language
	}
	text := "revision = revision + 1, updated_at = " + fields.Arg(s.db.Now()) +
		", score_code = " + fields.Arg(code) + ", score_language = " + fields.Arg(language)
	if r := card.Result; r != nil {
		text += ", score = " + fields.Arg(engine.OrNull(r.Score)) + ", score_matrix = " + fields.Arg(engine.OrNull(r.Matrix)) +
			", score_failure = " + fields.Arg(engine.OrNull(r.Failure))
	}
	return text
}

func cardCondition(fields *engine.Where, workspaceID, id int64, card eval.ScoreCard) string {
	text := "\nWHERE workspace_id = " + fields.Arg(workspaceID) + "\nAND id = " + fields.Arg(id) + "\nAND archived_at IS NULL\nAND ended_at IS "
	if card.Result != nil {
		text += "NOT "
	}
	return text + "NULL"
}

// setScored sets which columns count towards the score of a run.
func (s *Store) setScored(ctx context.Context, runID int64, scored []int64) error {
	_, err := engine.Exec(ctx, s.db, table.ReportRunColumn.Update(`
SET scored = 0
WHERE run_id = $1`), runID)
	if err != nil || len(scored) == 0 {
		return err
	}
	return engine.InChunks(scored, func(ids []int64) error {
		where := engine.Where{Args: []any{runID}}
		where.Add("run_id = $1")
		engine.AddList(&where, "id", ids)
		_, err := engine.Exec(ctx, s.db, table.ReportRunColumn.Update("SET scored = 1\nWHERE "+where.SQL()), where.Args...)
		return err
	})
}
