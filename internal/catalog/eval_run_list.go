package catalog

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/eval"
)

// ListReportRuns returns a page of the runs of an evaluation, newest first, and
// how many there are in all; none when the evaluation is unknown.
func (c *Catalog) ListReportRuns(
	ctx context.Context, workspaceID, reportID int64, status Status, page Page,
) ([]eval.Run, int64, error) {
	where := reportRunConditions(workspaceID, reportID, status)
	condition := where.where()
	found, err := queryAll(ctx, c, scanReportRun, `
SELECT `+reportRunColumns+`
FROM report_run
WHERE `+condition+`
ORDER BY id DESC`+pageClause(page, &where), where.args...)
	if err != nil {
		return nil, 0, fmt.Errorf("list runs: %w", err)
	}
	total, err := totalOf(page, len(found), func() (int64, error) {
		where := reportRunConditions(workspaceID, reportID, status)
		return queryOne(ctx, c, scanInt, `
SELECT COUNT(*)
FROM report_run
WHERE `+where.where(), where.args...)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("count runs: %w", err)
	}
	return found, total, nil
}

func reportRunConditions(workspaceID, reportID int64, status Status) conditions {
	var where conditions
	// The sign keeps SQLite from reading all runs of the workspace instead of
	// those of the evaluation.
	where.add("+workspace_id = ?", workspaceID)
	where.add("report_id = ?", reportID)
	switch status {
	case Live:
		where.add("archived_at IS NULL")
	case Deleted:
		where.add("archived_at IS NOT NULL")
	}
	return where
}
