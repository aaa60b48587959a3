package evaluations

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
)

// ListReportRuns returns a page of the runs of an evaluation, newest first, and
// how many there are in all; none when the evaluation is unknown.
func (s *Store) ListReportRuns(
	ctx context.Context, workspaceID, reportID int64, status entity.Status, page entity.Page,
) ([]eval.Run, int64, error) {
	where := reportRunConditions(workspaceID, reportID, status)
	condition := where.SQL()
	found, err := engine.QueryAll(ctx, s.db, scanReportRun, `
SELECT `+reportRunColumns+`
FROM report_run
WHERE `+condition+`
ORDER BY id DESC`+where.AddPage(page), where.Args...)
	if err != nil {
		return nil, 0, fmt.Errorf("list runs: %w", err)
	}
	total, err := engine.Total(page, len(found), func() (int64, error) {
		where := reportRunConditions(workspaceID, reportID, status)
		return engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM report_run
WHERE `+where.SQL(), where.Args...)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("count runs: %w", err)
	}
	return found, total, nil
}

func reportRunConditions(workspaceID, reportID int64, status entity.Status) engine.Where {
	var where engine.Where
	// The sign keeps SQLite from reading all runs of the workspace instead of
	// those of the evaluation.
	where.Add("+workspace_id = ?", workspaceID)
	where.Add("report_id = ?", reportID)
	switch status {
	case entity.Live:
		where.Add("archived_at IS NULL")
	case entity.Deleted:
		where.Add("archived_at IS NOT NULL")
	}
	return where
}
