package runs

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

func scanListedRun(r engine.Row) (run.Listed, error) {
	var one run.Listed
	err := r.Scan(&one.ID, &one.Workspace, &one.WorkflowID, &one.VersionID, &one.DryRun, &one.VersionNumber, &one.Status, engine.JSON(&one.Inputs),
		&one.AllOutputs, &one.CallbackURL, &one.Channel, &one.StartedBy, engine.Time(&one.CreatedAt), engine.NullTime(&one.EndedAt))
	return one, err
}

// ListRuns lists the runs of a workflow.
func (s *Store) ListRuns(ctx context.Context, workspaceID int64, query run.ListQuery) ([]run.Listed, int64, error) {
	where := runConditions(workspaceID, query)
	// The subquery finds the page in an index before anything large is read.
	page := `
SELECT workflow_run.id
FROM workflow_run
WHERE ` + where.SQL() + `
ORDER BY workflow_run.id DESC` + where.AddPage(query.Page)
	found, err := engine.QueryAll(ctx, s.db, scanListedRun, `
SELECT workflow_run.id, workflow_run.workspace_id, workflow_run.workflow_id, version_id, dry_run, version.number, status,
CASE WHEN OCTET_LENGTH(inputs) <= `+where.Arg(run.MaxListedInputs)+` THEN inputs END,
all_outputs, callback_url, channel, started_by, workflow_run.created_at, ended_at
FROM workflow_run
JOIN version ON version.id = workflow_run.version_id
WHERE workflow_run.id IN (`+page+`)
ORDER BY workflow_run.id DESC`, where.Args...)
	if err != nil {
		return nil, 0, fmt.Errorf("list runs: %w", err)
	}
	total, err := engine.Total(query.Page, len(found), func() (int64, error) {
		where := runConditions(workspaceID, query)
		return engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM workflow_run
WHERE `+where.SQL(), where.Args...)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("count runs: %w", err)
	}
	return found, total, nil
}

func runConditions(workspaceID int64, query run.ListQuery) engine.Where {
	var where engine.Where
	where.Add("workflow_run.workspace_id = ?", workspaceID)
	where.Add("workflow_run.workflow_id = ?", query.WorkflowID)
	if query.RunID != 0 {
		where.Add("workflow_run.id = ?", query.RunID)
	}
	// Constants, because the index of dry runs is partial.
	switch query.DryRuns {
	case run.WithoutDryRuns:
		where.Add("workflow_run.dry_run = 0")
	case run.OnlyDryRuns:
		where.Add("workflow_run.dry_run = 1")
	}
	if query.Status != "" {
		where.Add("workflow_run.status = ?", string(query.Status))
	}
	return where
}
