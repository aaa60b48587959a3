// Package job runs background work to completion, even if the process that runs
// it is lost. A job is stored together with its work. A process holds a lease on
// the job and extends it while it works. When the process is lost, the lease
// expires and another process, or the same one after a restart, continues.
package job

import (
	"context"
	"errors"
	"time"

	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/guard"
)

// Kind is the kind of a job. It selects the worker.
type Kind string

// Job is work that has not ended.
type Job struct {
	ID        int64
	Workspace int64
	Kind      Kind
	// Subject is the id of the subject of the job, such as a run.
	Subject int64
	// Cancelled reports whether cancellation was requested.
	Cancelled bool
	// Token identifies the lease of the job: it changes whenever a lease begins
	// or ends. What a process does with an old token has no effect, even if the
	// process took the job again since.
	Token int64
}

// Lease is the claim of a process on a job.
type Lease struct {
	// Owner is the name of the process, empty for a job without a lease.
	Owner string
	// For is the time until others may take the job. The store measures it with
	// one clock for all processes.
	For time.Duration
}

// Store stores jobs. Its methods join the transaction of the context.
type Store interface {
	// AddJob stores a job with a lease and returns the job with its id.
	AddJob(ctx context.Context, job Job, lease Lease) (Job, error)
	// OpenJobs returns the oldest jobs without a valid lease, except those of the
	// workspaces in without.
	OpenJobs(ctx context.Context, without []int64, limit int) ([]Job, error)
	// TakeJob gives a job without a valid lease to the owner of the lease. It
	// returns the current job and whether it was taken.
	TakeJob(ctx context.Context, id int64, lease Lease) (Job, bool, error)
	// ExtendJobs extends the leases of the owner and returns all jobs it holds.
	ExtendJobs(ctx context.Context, lease Lease) ([]Job, error)
	// HoldJob prevents others from taking a job until the transaction ends. It
	// reports whether the job has the lease of held.
	HoldJob(ctx context.Context, held Job) (bool, error)
	// EndJob removes a job that has the lease of held. It reports whether it
	// did.
	EndJob(ctx context.Context, held Job) (bool, error)
	// LeaveJob ends the lease of held. Others may take the job after a delay.
	LeaveJob(ctx context.Context, held Job, delay time.Duration) error
	// LeaveJobs releases all jobs, regardless of their owner. Only a process
	// that has the store to itself may call it, at its start.
	LeaveJobs(ctx context.Context) error
	// CancelJob requests cancellation of the job of a subject. It returns the
	// job and whether it exists.
	CancelJob(ctx context.Context, workspace int64, kind Kind, subject int64) (Job, bool, error)
}

// Causes for the end of the context of a job.
var (
	// ErrCancelled means that cancellation was requested.
	ErrCancelled = errors.New("job was cancelled")
	// ErrLost means that another process may hold the job. The worker must not
	// write anything more.
	ErrLost = errors.New("job is held by another process")
	// ErrStopped means that the process is stopping. The worker writes its
	// results; another process continues.
	ErrStopped = errors.New("process is stopping")
)

// Queue accepts background work. Services receive it when they are built, before the
// runner starts with their workers.
type Queue interface {
	// Add stores a job and starts it immediately if there is a free slot. Within the
	// transaction it calls store, which stores the subject and returns its id.
	Add(ctx context.Context, job Job, inTx func(context.Context, func(context.Context) error) error,
		store func(ctx context.Context) (subject int64, err error)) error
	// Wake starts jobs that are stored and due now.
	Wake()
	// Cancel requests cancellation of the job of a subject. It reports whether the job
	// exists.
	Cancel(ctx context.Context, workspace int64, kind Kind, subject int64) (bool, error)
}

// Task is a job that this process holds.
type Task struct {
	Job
	store    Store
	stopping <-chan struct{}
}

// Stopping returns a channel that is closed when the process is about to stop.
// The worker should then start nothing new, but may finish work in progress.
func (t *Task) Stopping() <-chan struct{} { return t.stopping }

// UntilStopping returns a context that also ends when the process is about to stop,
// with the cause ErrStopped, for workers that wait for something. The caller must
// call done.
func (t *Task) UntilStopping(ctx context.Context) (until context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	guard.Go("wait for the end of a process", func() {
		select {
		case <-t.stopping:
			cancel(ErrStopped)
		case <-ctx.Done():
		}
	})
	return ctx, func() { cancel(nil) }
}

// Turn waits for a slot of a queue that workspaces share, which end gives back. If the
// job has to end first, it returns without a slot, and Work.Continue returns why.
func (t *Task) Turn(ctx context.Context, queue *fair.Queue) (end func()) {
	ctx, done := t.UntilStopping(ctx)
	defer done()
	end, err := queue.Acquire(ctx, t.Workspace)
	if err != nil {
		return func() {}
	}
	return end
}

// Hold ensures, until the transaction ends, that the process holds the job. The
// error is ErrLost if it does not.
func (t *Task) Hold(ctx context.Context) error {
	return orLost(t.store.HoldJob(ctx, t.Job))
}

// End ends the job within the transaction of its last change. The error is
// ErrLost if the process no longer holds the job.
func (t *Task) End(ctx context.Context) error {
	return orLost(t.store.EndJob(ctx, t.Job))
}

// Leave ends the lease within the transaction of the worker's last change: the job
// continues after a delay. The error is ErrLost if the process no longer holds the job.
func (t *Task) Leave(ctx context.Context, delay time.Duration) error {
	if err := t.Hold(ctx); err != nil {
		return err
	}
	return t.store.LeaveJob(ctx, t.Job, delay)
}

func orLost(held bool, err error) error {
	if err == nil && !held {
		return ErrLost
	}
	return err
}

// Worker runs jobs of one kind.
type Worker interface {
	// Work runs or resumes the job and ends it with Task.End, or puts it off with
	// Task.Leave. The cause of the
	// end of the context is one of the errors above. If Work returns without
	// ending the job, the job is retried later.
	Work(ctx context.Context, task *Task) error
}
