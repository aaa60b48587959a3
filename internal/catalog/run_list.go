package catalog

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/workflow/run"
)

func scanListedRun(r row) (run.Listed, error) {
	var one run.Listed
	err := r.Scan(&one.ID, &one.Workspace, &one.WorkflowID, &one.VersionID, &one.VersionNumber, &one.Status, treeOf{&one.Inputs},
		&one.AllOutputs, &one.CallbackURL, &one.Channel, &one.StartedBy, at{&one.CreatedAt}, maybeAt{&one.EndedAt})
	return one, err
}

// ListRuns returns a page of the runs of a workflow, newest first, and how many
// there are in all; none when the workflow is unknown. Inputs that are larger
// than a list shows are left out, and so is all metadata.
func (c *Catalog) ListRuns(ctx context.Context, workspaceID int64, query run.ListQuery) ([]run.Listed, int64, error) {
	where := runConditions(workspaceID, query)
	// The page is found in an index before anything large is read.
	page := `
SELECT workflow_run.id
FROM workflow_run
WHERE ` + where.where() + `
ORDER BY workflow_run.id DESC` + pageClause(query.Page, &where)
	found, err := queryAll(ctx, c, scanListedRun, `
SELECT workflow_run.id, workflow_run.workspace_id, workflow_run.workflow_id, version_id, version.number, status,
CASE WHEN OCTET_LENGTH(inputs) <= `+where.arg(run.MaxListedInputs)+` THEN inputs END,
all_outputs, callback_url, channel, started_by, workflow_run.created_at, ended_at
FROM workflow_run
JOIN version ON version.id = workflow_run.version_id
WHERE workflow_run.id IN (`+page+`)
ORDER BY workflow_run.id DESC`, where.args...)
	if err != nil {
		return nil, 0, fmt.Errorf("list runs: %w", err)
	}
	total, err := totalOf(query.Page, len(found), func() (int64, error) {
		where := runConditions(workspaceID, query)
		return queryOne(ctx, c, scanInt, `
SELECT COUNT(*)
FROM workflow_run
WHERE `+where.where(), where.args...)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("count runs: %w", err)
	}
	return found, total, nil
}

func runConditions(workspaceID int64, query run.ListQuery) conditions {
	var where conditions
	where.add("workflow_run.workspace_id = ?", workspaceID)
	where.add("workflow_run.workflow_id = ?", query.WorkflowID)
	if query.Status != "" {
		where.add("workflow_run.status = ?", string(query.Status))
	}
	return where
}
