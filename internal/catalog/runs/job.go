package runs

import (
	"context"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/job"
)

const jobColumns = `id, workspace_id, kind, subject_id, cancelled, token`

func scanJob(r engine.Row) (job.Job, error) {
	var j job.Job
	err := r.Scan(&j.ID, &j.Workspace, &j.Kind, &j.Subject, &j.Cancelled, &j.Token)
	return j, err
}

// AddJob stores a job.
func (s *Store) AddJob(ctx context.Context, one job.Job, lease job.Lease) (job.Job, error) {
	added, err := engine.ExecOne(ctx, s.db, scanJob, table.Job.Insert(`
(workspace_id, kind, subject_id, owner, lease_until, token)
VALUES ($1, $2, $3, $4, `+engine.Clock+` + $5, 1)
RETURNING `+jobColumns), one.Workspace, string(one.Kind), one.Subject, engine.OrNull(lease.Owner), lease.For)
	return engine.Wrap(added, err, "add job")
}

// EnsureJob makes a process look at a subject soon, with a job that may exist.
func (s *Store) EnsureJob(ctx context.Context, workspaceID int64, kind job.Kind, subject int64) error {
	return engine.WrapError(engine.EnsureJob(ctx, s.db, workspaceID, string(kind), subject), "add job")
}

// OpenJobs lists jobs without a lease.
func (s *Store) OpenJobs(ctx context.Context, without []int64, limit int) ([]job.Job, error) {
	var where engine.Where
	where.Add("lease_until <= " + engine.Clock)
	if len(without) > 0 {
		engine.AddList(&where, "workspace_id NOT", without)
	}
	open, err := engine.QueryAll(ctx, s.db, scanJob, `
SELECT `+jobColumns+`
FROM job
WHERE `+where.SQL()+`
ORDER BY id
LIMIT `+where.Arg(limit), where.Args...)
	return engine.Wrap(open, err, "list open jobs")
}

// TakeJob leases a job.
func (s *Store) TakeJob(ctx context.Context, id int64, lease job.Lease) (job.Job, bool, error) {
	return s.updateJob(ctx, "take job", table.Job.Update(`
SET owner = $2, lease_until = `+engine.Clock+` + $3, token = token + 1
WHERE id = $1
AND lease_until <= `+engine.Clock+`
RETURNING `+jobColumns), id, engine.OrNull(lease.Owner), lease.For)
}

// ExtendJobs extends the leases of an owner.
func (s *Store) ExtendJobs(ctx context.Context, lease job.Lease) ([]job.Job, error) {
	held, err := engine.Transact(ctx, s.db, func(ctx context.Context) ([]job.Job, error) {
		return engine.ExecAll(ctx, s.db, scanJob, table.Job.Update(`
SET lease_until = `+engine.Clock+` + $2
WHERE owner = $1
RETURNING `+jobColumns), lease.Owner, lease.For)
	})
	return engine.Wrap(held, err, "extend jobs")
}

// HoldJob locks a job.
func (s *Store) HoldJob(ctx context.Context, held job.Job) (bool, error) {
	return s.changeJob(ctx, "hold job", table.Job.Update(`
SET token = token
WHERE id = $1
AND token = $2`), held.ID, held.Token)
}

// EndJob deletes a job.
func (s *Store) EndJob(ctx context.Context, held job.Job) (bool, error) {
	return s.changeJob(ctx, "end job", table.Job.Delete(`
WHERE id = $1
AND token = $2`), held.ID, held.Token)
}

// LeaveJob ends the lease of a job.
func (s *Store) LeaveJob(ctx context.Context, held job.Job, delay time.Duration) error {
	_, err := s.changeJob(ctx, "leave job", table.Job.Update(`
SET owner = NULL, lease_until = `+engine.Clock+` + $3, token = token + 1
WHERE id = $1
AND token = $2`), held.ID, held.Token, delay)
	return err
}

// LeaveJobs ends all leases.
func (s *Store) LeaveJobs(ctx context.Context) error {
	_, err := s.changeJob(ctx, "leave jobs", table.Job.Update(`
SET owner = NULL, lease_until = 0, token = token + 1
WHERE lease_until > 0`))
	return err
}

// changeJob runs a statement and reports whether it changed a job.
func (s *Store) changeJob(ctx context.Context, what string, statement table.Statement, args ...any) (bool, error) {
	changed, err := engine.Transact(ctx, s.db, func(ctx context.Context) (int64, error) { return engine.Exec(ctx, s.db, statement, args...) })
	if err != nil {
		return false, fmt.Errorf("%s: %w", what, err)
	}
	return changed > 0, nil
}

// CancelJob marks a job as cancelled.
func (s *Store) CancelJob(ctx context.Context, workspace int64, kind job.Kind, subject int64) (job.Job, bool, error) {
	return s.updateJob(ctx, "cancel job", table.Job.Update(`
SET cancelled = 1
WHERE workspace_id = $1
AND kind = $2
AND subject_id = $3
RETURNING `+jobColumns), workspace, string(kind), subject)
}

// updateJob runs a statement that returns the job, and reports whether there is one.
func (s *Store) updateJob(ctx context.Context, what string, statement table.Statement, args ...any) (job.Job, bool, error) {
	found, err := engine.Transact(ctx, s.db, func(ctx context.Context) ([]job.Job, error) {
		return engine.ExecAll(ctx, s.db, scanJob, statement, args...)
	})
	if err != nil {
		return job.Job{}, false, fmt.Errorf("%s: %w", what, err)
	}
	if len(found) == 0 {
		return job.Job{}, false, nil
	}
	return found[0], true, nil
}
