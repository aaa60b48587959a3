// Package job keeps work going in the background until it has ended, whatever
// happens to the process that does it. A job is stored together with the work
// that it stands for; a process takes it for a while (a lease) and extends
// that as long as it works. When the process is lost, the lease ends and
// another process, or the same one after a restart, goes on.
package job

import (
	"context"
	"errors"
	"time"
)

// Kind says what a job is about, and so who can do it.
type Kind string

// Job is some work that has not ended.
type Job struct {
	ID        int64
	Workspace int64
	Kind      Kind
	// Subject is the id of what the job is about, such as a run.
	Subject int64
	// Cancelled says that somebody asked for the job to be ended.
	Cancelled bool
}

// Lease is how a process holds a job.
type Lease struct {
	// Owner is the process, "" for a job that nobody holds yet.
	Owner string
	// Until is when others may take the job.
	Until time.Time
}

// Held is a job as its owner sees it.
type Held struct {
	ID int64
	// Cancelled says that somebody asked for the job to be ended.
	Cancelled bool
}

// Store keeps jobs. Its methods join the transaction of the context.
type Store interface {
	// AddJob stores a job, held as the lease says, and returns it with its id.
	AddJob(ctx context.Context, job Job, lease Lease) (Job, error)
	// OpenJobs returns the oldest jobs that nobody holds at the time, without
	// those of the workspaces.
	OpenJobs(ctx context.Context, at time.Time, without []int64, limit int) ([]Job, error)
	// TakeJob gives a job that nobody holds at the time to the lease's owner,
	// and returns it as it is now and whether it did.
	TakeJob(ctx context.Context, id int64, at time.Time, lease Lease) (Job, bool, error)
	// ExtendJobs extends the leases of the owner and returns all that it holds.
	ExtendJobs(ctx context.Context, lease Lease) ([]Held, error)
	// HoldJob keeps others from taking a job until the transaction ends, and
	// reports whether the owner has it.
	HoldJob(ctx context.Context, id int64, owner string) (bool, error)
	// EndJob removes a job that the owner has, and reports whether it did.
	EndJob(ctx context.Context, id int64, owner string) (bool, error)
	// LeaveJob lets others take a job of the owner once the time is over, at
	// once where it is zero.
	LeaveJob(ctx context.Context, id int64, owner string, until time.Time) error
	// LeaveJobs lets others take all jobs at once, whoever holds them. It is
	// for the start of the only process that works with the store.
	LeaveJobs(ctx context.Context) error
	// CancelJob asks for the job about a subject to be ended, and returns it
	// and whether there is one.
	CancelJob(ctx context.Context, workspace int64, kind Kind, subject int64) (Job, bool, error)
}

// Why the context of a job has ended.
var (
	// ErrCancelled says that somebody asked for it.
	ErrCancelled = errors.New("the job was cancelled")
	// ErrLost says that another process may have the job. Nothing more must be
	// written.
	ErrLost = errors.New("the job is held by another process")
	// ErrStopped says that the process stops. What was done is to be written;
	// another process goes on.
	ErrStopped = errors.New("the process stops")
)

// Task is a job that this process holds.
type Task struct {
	Job
	store    Store
	owner    string
	stopping <-chan struct{}
}

// Stopping is closed when the process is about to stop: nothing new should be
// begun, and what is under way may be finished.
func (t *Task) Stopping() <-chan struct{} { return t.stopping }

// Hold makes sure, within a transaction, that the process still has the job;
// the error is ErrLost when it has not.
func (t *Task) Hold(ctx context.Context) error {
	return orLost(t.store.HoldJob(ctx, t.ID, t.owner))
}

// End ends the job, within the transaction of the last change that it makes;
// the error is ErrLost when the process does not have it any more.
func (t *Task) End(ctx context.Context) error {
	return orLost(t.store.EndJob(ctx, t.ID, t.owner))
}

func orLost(held bool, err error) error {
	if err == nil && !held {
		return ErrLost
	}
	return err
}

// Worker does jobs of one kind.
type Worker interface {
	// Work does the job, or goes on with it, and ends it with Task.End. The
	// cause of the context's end is one of the errors above. A job that it
	// returns from without ending it is tried again later.
	Work(ctx context.Context, task *Task) error
}
