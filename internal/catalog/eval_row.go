package catalog

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/eval"
)

// ReportRunColumns returns all columns of a run by position.
func (c *Catalog) ReportRunColumns(ctx context.Context, runID int64) ([]eval.Column, error) {
	found, err := queryAll(ctx, c, func(r row) (eval.Column, error) {
		var one eval.Column
		err := r.Scan(&one.ID, &one.Position, &one.Type, &one.Name, treeOf{&one.Configuration}, &one.Scored, textOf{&one.Score})
		return one, err
	}, `
SELECT `+columnColumns+`, score
FROM report_run_column
WHERE run_id = $1
ORDER BY position`, runID)
	if err != nil {
		return nil, fmt.Errorf("read the columns of a run: %w", err)
	}
	return found, nil
}

// SaveReportRows stores rows and how far the run has come with them. The fault
// is Invalid when a cell has text that cannot be stored, and NotFound when
// there is no such run.
func (c *Catalog) SaveReportRows(ctx context.Context, runID int64, rows []eval.Row, progress eval.Progress) error {
	values := make([][]any, len(rows))
	for i, one := range rows {
		values[i] = []any{runID, one.Position, one.Cells, flag(one.Final)}
	}
	err := c.InTx(ctx, func(ctx context.Context) error {
		changed, err := c.exec(ctx, `
UPDATE report_run
SET completed = completed + $2, failed = failed + $3, running = $4
WHERE id = $1`, runID, progress.Completed, progress.Failed, progress.Running)
		if err == nil && changed == 0 {
			err = reportRunMissing(runID)
		}
		if err != nil {
			return err
		}
		return c.putRows(ctx, `INSERT INTO report_row (run_id, position, cells, final)`, values, `
ON CONFLICT (run_id, position) DO UPDATE SET cells = excluded.cells, final = excluded.final`)
	})
	if err != nil {
		return fmt.Errorf("save the rows of a run: %w", err)
	}
	return nil
}

// ReportRows returns stored rows by position, from one on and before another.
// Rows that nothing has happened to are missing.
func (c *Catalog) ReportRows(ctx context.Context, runID, from, before int64, limit int) ([]eval.Row, error) {
	found, err := queryAll(ctx, c, func(r row) (eval.Row, error) {
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
	if err != nil {
		return nil, fmt.Errorf("read the rows of a run: %w", err)
	}
	return found, nil
}

// EndReportRun stores the end of a run and reports whether it did: not when
// its revision has changed.
func (c *Catalog) EndReportRun(ctx context.Context, runID int64, end eval.End) (bool, error) {
	ended, err := inTx(ctx, c, func(ctx context.Context) (bool, error) {
		changed, err := c.exec(ctx, `
UPDATE report_run
SET ended_at = $3, updated_at = $3, running = 0, end_note = $4, score = $5, score_matrix = $6, score_failure = $7
WHERE id = $1
AND revision = $2`, runID, end.Revision, end.At, end.Note,
			orNull(end.Result.Score), orNull(end.Result.Matrix), orNull(end.Result.Failure))
		if err != nil || changed == 0 {
			return false, err
		}
		return true, c.setColumnScores(ctx, runID, end.Scores)
	})
	if err != nil {
		return false, fmt.Errorf("end run: %w", err)
	}
	return ended, nil
}

// setColumnScores gives each column of a run its score; those without one lose
// what they had.
func (c *Catalog) setColumnScores(ctx context.Context, runID int64, scores map[int64]string) error {
	_, err := c.exec(ctx, `
UPDATE report_run_column
SET score = NULL
WHERE run_id = $1`, runID)
	for id, score := range scores {
		if err != nil {
			return err
		}
		_, err = c.exec(ctx, `
UPDATE report_run_column
SET score = $3
WHERE run_id = $1
AND id = $2`, runID, id, orNull(score))
	}
	return err
}

// SetScoreCard changes how a run is scored and reports whether it did: not when
// the card has a result and the run goes on, or has none and the run has ended,
// or was archived.
func (c *Catalog) SetScoreCard(ctx context.Context, workspaceID, id int64, card eval.ScoreCard) (bool, error) {
	set, err := inTx(ctx, c, func(ctx context.Context) (bool, error) {
		var fields conditions
		changed, err := c.exec(ctx, "UPDATE report_run\nSET "+c.cardFields(&fields, card)+cardCondition(&fields, workspaceID, id, card), fields.args...)
		if err != nil || changed == 0 {
			return false, err
		}
		if err := c.setScored(ctx, id, card.Scored); err != nil || card.Result == nil {
			return true, err
		}
		return true, c.setColumnScores(ctx, id, card.Scores)
	})
	if err != nil {
		return false, fmt.Errorf("set the score card of a run: %w", err)
	}
	return set, nil
}

func (c *Catalog) cardFields(fields *conditions, card eval.ScoreCard) string {
	code, language := scoringArgs(card.Scoring)
	text := "revision = revision + 1, updated_at = " + fields.arg(c.now()) +
		", score_code = " + fields.arg(code) + ", score_language = " + fields.arg(language)
	if r := card.Result; r != nil {
		text += ", score = " + fields.arg(orNull(r.Score)) + ", score_matrix = " + fields.arg(orNull(r.Matrix)) +
			", score_failure = " + fields.arg(orNull(r.Failure))
	}
	return text
}

func cardCondition(fields *conditions, workspaceID, id int64, card eval.ScoreCard) string {
	text := "\nWHERE workspace_id = " + fields.arg(workspaceID) + "\nAND id = " + fields.arg(id) + "\nAND archived_at IS NULL\nAND ended_at IS "
	if card.Result != nil {
		text += "NOT "
	}
	return text + "NULL"
}

// setScored says which columns of a run are part of its score.
func (c *Catalog) setScored(ctx context.Context, runID int64, scored []int64) error {
	_, err := c.exec(ctx, `
UPDATE report_run_column
SET scored = 0
WHERE run_id = $1`, runID)
	if err != nil || len(scored) == 0 {
		return err
	}
	return inChunks(scored, func(ids []int64) error {
		where := conditions{args: []any{runID}}
		where.add("run_id = $1")
		addList(&where, "id", ids)
		_, err := c.exec(ctx, "UPDATE report_run_column\nSET scored = 1\nWHERE "+where.where(), where.args...)
		return err
	})
}
