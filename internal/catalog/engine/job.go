package engine

import (
	"context"

	"github.com/promptuary/promptuary/internal/catalog/table"
)

// EnsureJob makes a process look at a subject soon, with a job that may exist. It
// locks the job until the transaction ends, so that a process that is about to end or
// leave it sees what changed first, or did so before.
func EnsureJob(ctx context.Context, db *DB, workspaceID int64, kind string, subject int64) error {
	_, err := Exec(ctx, db, table.Job.Insert(`
(workspace_id, kind, subject_id, owner, lease_until, token)
VALUES ($1, $2, $3, NULL, 0, 1)
ON CONFLICT (kind, subject_id) DO UPDATE SET lease_until = CASE WHEN job.owner IS NULL THEN 0 ELSE job.lease_until END`), workspaceID, kind, subject)
	return err
}
