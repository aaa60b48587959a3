package evaluations

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
)

// ListReportRuns lists the runs of an evaluation.
func (s *Store) ListReportRuns(
	ctx context.Context, workspaceID, reportID int64, status entity.Status, page entity.Page,
) ([]eval.Run, int64, error) {
	var where engine.Where
	// The + keeps SQLite from using the index of the workspace instead of that of
	// the evaluation.
	where.Add("+workspace_id = ?", workspaceID)
	where.Add("report_id = ?", reportID)
	addArchived(&where, status)
	found, total, err := runs.Page(ctx, s.db, where, "ORDER BY id DESC", page)
	if err != nil {
		return nil, 0, fmt.Errorf("list runs: %w", err)
	}
	return found, total, nil
}

// CountReportRuns counts the runs of evaluations.
func (s *Store) CountReportRuns(ctx context.Context, workspaceID int64, evaluations []int64, status entity.Status) (map[int64]int64, error) {
	counts := map[int64]int64{}
	err := engine.InChunks(engine.Distinct(evaluations), func(ids []int64) error {
		var where engine.Where
		where.Add("+workspace_id = ?", workspaceID)
		engine.AddList(&where, "report_id", ids)
		addArchived(&where, status)
		_, err := engine.QueryAll(ctx, s.db, func(r engine.Row) (struct{}, error) {
			var id, count int64
			err := r.Scan(&id, &count)
			counts[id] = count
			return struct{}{}, err
		}, `
SELECT report_id, COUNT(*)
FROM report_run
WHERE `+where.SQL()+`
GROUP BY report_id`, where.Args...)
		return err
	})
	return engine.Wrap(counts, err, "count runs")
}

// addArchived adds the condition on the status, which is deleted for archived
// runs.
func addArchived(where *engine.Where, status entity.Status) {
	switch status {
	case entity.Live:
		where.Add("archived_at IS NULL")
	case entity.Deleted:
		where.Add("archived_at IS NOT NULL")
	}
}
