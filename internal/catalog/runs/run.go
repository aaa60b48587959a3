package runs

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/catalog/webhooks"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

const runColumns = `id, workspace_id, workflow_id, version_id, dry_run, inputs, metadata, all_outputs, callback_url, channel, started_by,
created_at, ended_at`

func scanRun(r engine.Row) (run.Run, error) {
	var one run.Run
	err := r.Scan(&one.ID, &one.Workspace, &one.WorkflowID, &one.VersionID, &one.DryRun, engine.JSON(&one.Inputs), engine.JSON(&one.Metadata),
		&one.AllOutputs, &one.CallbackURL, &one.Channel, &one.StartedBy, engine.Time(&one.CreatedAt), engine.NullTime(&one.EndedAt))
	return one, err
}

// CreateRun stores a run.
func (s *Store) CreateRun(ctx context.Context, one run.Run) (int64, error) {
	id, err := engine.Transact(ctx, s.db, func(ctx context.Context) (int64, error) {
		return engine.ExecOne(ctx, s.db, engine.ScanInt, table.WorkflowRun.Insert(`
(workspace_id, workflow_id, version_id, dry_run, inputs, metadata, all_outputs, callback_url, channel, started_by, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
RETURNING id`), one.Workspace, one.WorkflowID, one.VersionID, engine.Flag(one.DryRun), engine.ObjectText(one.Inputs), engine.ObjectText(one.Metadata), engine.Flag(one.AllOutputs),
			one.CallbackURL, one.Channel, one.StartedBy, one.CreatedAt)
	})
	return engine.Wrap(id, engine.Missing(err, "Workflow not found"), "create run")
}

// AddDefinition stores the definition of a dry run.
func (s *Store) AddDefinition(ctx context.Context, runID int64, definition []byte) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		_, err := engine.Exec(ctx, s.db, table.WorkflowRunDefinition.Insert(`
(run_id, definition)
VALUES ($1, $2)`), runID, string(definition))
		return err
	})
	return engine.WrapError(engine.Missing(err, "Run not found"), "store the definition of a run")
}

// RunDefinition returns the definition of a dry run.
func (s *Store) RunDefinition(ctx context.Context, runID int64) ([]byte, error) {
	found, err := engine.QueryOne(ctx, s.db, func(r engine.Row) ([]byte, error) {
		var definition string
		err := r.Scan(&definition)
		return []byte(definition), err
	}, `
SELECT definition
FROM workflow_run_definition
WHERE run_id = $1`, runID)
	return engine.Wrap(found, engine.NotFound(err, "Run %d has no definition", runID), "read the definition of a run")
}

// GetRun returns a run by its id.
func (s *Store) GetRun(ctx context.Context, workspace, id int64) (run.Run, error) {
	found, err := engine.QueryOne(ctx, s.db, scanRun, `
SELECT `+runColumns+`
FROM workflow_run
WHERE workspace_id = $1
AND id = $2`, workspace, id)
	return engine.Wrap(found, engine.NotFound(err, "Run %d not found", id), "get run")
}

// FindRunByChannel returns the newest run of a channel.
func (s *Store) FindRunByChannel(ctx context.Context, workspace, workflowID int64, channel string) (run.Run, error) {
	found, err := engine.QueryOne(ctx, s.db, scanRun, `
SELECT `+runColumns+`
FROM workflow_run
WHERE workspace_id = $1
AND workflow_id = $2
AND channel = $3
AND channel <> ''
ORDER BY id DESC
LIMIT 1`, workspace, workflowID, channel)
	return engine.Wrap(found, engine.NotFound(err, "Run not found"), "find run")
}

// RunsOfChannel lists the runs of a channel.
func (s *Store) RunsOfChannel(
	ctx context.Context, workspace, workflowID int64, channel string, after int64, limit int,
) ([]int64, error) {
	found, err := engine.QueryAll(ctx, s.db, engine.ScanInt, `
SELECT id
FROM workflow_run
WHERE workspace_id = $1
AND workflow_id = $2
AND channel = $3
AND channel <> ''
AND id > $4
ORDER BY id
LIMIT $5`, workspace, workflowID, channel, after, limit)
	return engine.Wrap(found, err, "list the runs of a channel")
}

// RunNodes returns the states of the nodes of a run.
func (s *Store) RunNodes(ctx context.Context, runID int64) ([]run.NodeState, error) {
	found, err := engine.QueryAll(ctx, s.db, func(r engine.Row) (run.NodeState, error) {
		var n run.NodeState
		err := r.Scan(&n.Position, &n.Status, engine.JSON(&n.Value), &n.Message, &n.Raw, &n.Sequence, &n.Retries, engine.NullTime(&n.StartedAt), engine.NullTime(&n.EndedAt))
		return n, err
	}, `
SELECT position, status, value, message, raw, sequence, retries, started_at, ended_at
FROM workflow_run_node
WHERE run_id = $1
ORDER BY position`, runID)
	return engine.Wrap(found, err, "read the nodes of a run")
}

// SaveRunNodes stores the states of nodes.
func (s *Store) SaveRunNodes(ctx context.Context, runID int64, nodes []run.NodeState) error {
	rows := make([][]any, len(nodes))
	for i, n := range nodes {
		var value any
		if n.Value.Kind() != jsontree.Absent {
			value = string(n.Value.Raw())
		}
		rows[i] = []any{runID, n.Position, string(n.Status), value, n.Message, n.Raw, n.Sequence, n.Retries, n.StartedAt, n.EndedAt}
	}
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		return engine.PutRows(ctx, s.db, table.WorkflowRunNode, `(run_id, position, status, value, message, raw, sequence, retries, started_at, ended_at)`, rows, `
ON CONFLICT (run_id, position) DO UPDATE SET status = excluded.status, value = excluded.value, message = excluded.message,
raw = excluded.raw, sequence = excluded.sequence, retries = excluded.retries, started_at = excluded.started_at, ended_at = excluded.ended_at`)
	})
	return engine.WrapError(err, "save the nodes of a run")
}

// EndRun stores the end of a run.
func (s *Store) EndRun(ctx context.Context, runID int64, status run.Status, when time.Time) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		ended, err := engine.ExecOne(ctx, s.db, scanRun, table.WorkflowRun.Update(`
SET status = $2, ended_at = $3
WHERE id = $1
RETURNING `+runColumns), runID, string(status), when)
		if err != nil {
			return engine.NotFound(err, "Run %d not found", runID)
		}
		if ended.DryRun {
			return nil // webhooks are about what applications run
		}
		return webhooks.RunEnded(ctx, s.db, ended.Workspace, ended.WorkflowID, ended.ID, string(status), status == run.Failed)
	})
	return engine.WrapError(err, "end run")
}
