package runs

import (
	"context"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// Load is how much a workspace has going on in the background.
type Load struct {
	// Running is how many jobs a process works on, Waiting how many wait for
	// one.
	Running, Waiting int64
	// WaitingSince is when the oldest of those that wait was asked for, nil
	// when none waits.
	WaitingSince *time.Time
}

// Load returns how much the workspace has going on. A job waits when nobody
// holds it; when it was asked for is known by the run that it is about.
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
LEFT JOIN job AS waiting ON waiting.id = job.id AND waiting.lease_until < $2
LEFT JOIN workflow_run ON waiting.kind = $3 AND workflow_run.id = waiting.subject_id
LEFT JOIN report_run ON waiting.kind = $4 AND report_run.id = waiting.subject_id
WHERE job.workspace_id = $1`, workspaceID, s.db.Now(), string(run.Kind), string(eval.Kind))
	if err != nil {
		return Load{}, fmt.Errorf("count jobs: %w", err)
	}
	return load, nil
}
