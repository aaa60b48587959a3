package catalog

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// EngineVersion returns the name of the engine and its version, "" where that
// cannot be read.
func (c *Catalog) EngineVersion(ctx context.Context) (name, version string) {
	name, version, _ = strings.Cut(c.Engine(ctx), " ")
	return name, version
}

// Size returns how many bytes the database has, with room that it will use
// again.
func (c *Catalog) Size(ctx context.Context) (int64, error) {
	size, err := queryOne(ctx, c, scanInt, c.engine.sizeQuery)
	if err != nil {
		return 0, fmt.Errorf("read the size of the catalog: %w", err)
	}
	return size, nil
}

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
func (c *Catalog) Load(ctx context.Context, workspaceID int64) (Load, error) {
	load, err := queryOne(ctx, c, func(r row) (Load, error) {
		var l Load
		var all int64
		err := r.Scan(&all, &l.Waiting, maybeAt{&l.WaitingSince})
		l.Running = all - l.Waiting
		return l, err
	}, `
SELECT COUNT(*), COUNT(waiting.id), MIN(COALESCE(workflow_run.created_at, report_run.created_at))
FROM job
LEFT JOIN job AS waiting ON waiting.id = job.id AND waiting.lease_until < $2
LEFT JOIN workflow_run ON waiting.kind = $3 AND workflow_run.id = waiting.subject_id
LEFT JOIN report_run ON waiting.kind = $4 AND report_run.id = waiting.subject_id
WHERE job.workspace_id = $1`, workspaceID, c.now(), string(run.Kind), string(eval.Kind))
	if err != nil {
		return Load{}, fmt.Errorf("count jobs: %w", err)
	}
	return load, nil
}
