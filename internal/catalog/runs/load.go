package runs

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// Load is the background work of a workspace.
type Load struct {
	// Running is the number of jobs that a process works on, Waiting the number
	// of jobs that one could take now. Jobs that go on later count as neither.
	Running, Waiting int64
	// WaitingSince is the creation time of the oldest waiting job, nil when none
	// is waiting.
	WaitingSince *time.Time
}

// Load returns the background work of a workspace. The creation time of a job is
// that of its run.
func (s *Store) Load(ctx context.Context, workspaceID int64) (Load, error) {
	load, err := engine.QueryOne(ctx, s.db, func(r engine.Row) (Load, error) {
		var l Load
		var all int64
		err := r.Scan(&all, &l.Waiting, engine.NullTime(&l.WaitingSince))
		l.Running = all - l.Waiting
		return l, err
	}, `
SELECT COUNT(*), COUNT(waiting.id), MIN(COALESCE(workflow_run.created_at, report_run.created_at))
FROM job
LEFT JOIN job AS waiting ON waiting.id = job.id AND waiting.lease_until <= `+engine.Clock+`
LEFT JOIN workflow_run ON waiting.kind = $2 AND workflow_run.id = waiting.subject_id
LEFT JOIN report_run ON waiting.kind = $3 AND report_run.id = waiting.subject_id
WHERE job.workspace_id = $1
AND (job.owner IS NOT NULL OR waiting.id IS NOT NULL)`, workspaceID, string(run.Kind), string(eval.Kind))
	return engine.Wrap(load, err, "count jobs")
}
