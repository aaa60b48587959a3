package job_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/job"
)

// skew is how far the clocks of servers differ: more than a lease.
const skew = 45 * time.Second

// TestServersWithDifferentClocks runs jobs on two servers whose clocks differ by
// more than a lease. None of them may take a job that the other works on.
func TestServersWithDifferentClocks(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p *place) {
		const many = 10
		gate := make(chan struct{})
		begun, failed := make(chan int64, 2*many), make(chan error, 2*many)
		servers, runners := make([]*catalog.Catalog, 2), make([]*job.Runner, 2)
		for i, owner := range []string{"behind", "ahead"} {
			now := func() time.Time { return p.clock.Now().Add(time.Duration(i) * skew) }
			servers[i] = catalogtest.Open(t, p.dsn, catalog.WithClock(now))
			work := func(ctx context.Context, task *job.Task) error {
				begun <- task.Subject
				<-gate
				err := servers[i].InTx(context.WithoutCancel(ctx), task.End)
				failed <- errors.Join(err, context.Cause(ctx))
				return err
			}
			runners[i] = p.runner(owner, work, func(o *job.Options) { o.Store, o.LeaseFor = servers[i].Runs, 30*time.Second })
		}
		open := sync.OnceFunc(func() { close(gate) })
		t.Cleanup(open) // before the runners are stopped
		for i := range many {
			check.OK(t, runners[i%2].Add(t.Context(), job.Job{Workspace: p.workspaces[0], Kind: kind}, servers[i%2].InTx,
				func(context.Context) (int64, error) { return int64(i), nil }))
		}
		for range many {
			check.Next(t, begun)
		}
		quiet(t, begun) // nobody takes what another works on
		open()
		for range many {
			check.OK(t, check.Next(t, failed))
		}
	})
}

// suspended is the store of a process that is suspended: it extends no leases.
type suspended struct{ job.Store }

func (suspended) ExtendJobs(context.Context, job.Lease) ([]job.Job, error) { return nil, errOurs }

// TestSuspendedWorkerCannotWrite suspends a process until another has its job,
// also one of the same name, as if the process had taken the job again.
func TestSuspendedWorkerCannotWrite(t *testing.T) {
	t.Parallel()
	for name, owner := range map[string]string{"taken by another process": "b", "taken again under the same name": "a"} {
		t.Run(name, func(t *testing.T) {
			onEachEngine(t, func(t *testing.T, p *place) { suspendWorker(t, p, owner) })
		})
	}
}

func suspendWorker(t *testing.T, p *place, owner string) {
	t.Helper()
	begun, resume, resumed, finish := make(chan *job.Task, 2), make(chan struct{}), make(chan struct{}), make(chan struct{})
	r := p.runner("a", func(ctx context.Context, task *job.Task) error {
		defer close(resumed)
		begun <- task
		<-resume
		held, ended := p.catalog.InTx(context.WithoutCancel(ctx), task.Hold), p.end(ctx, task)
		if !errors.Is(held, job.ErrLost) || !errors.Is(ended, job.ErrLost) {
			t.Errorf("the suspended worker wrote: Hold = %v, End = %v, want ErrLost", held, ended)
		}
		return errOurs // makes the process leave the job, which it no longer holds
	}, func(o *job.Options) { o.Store, o.LookEvery = suspended{p.catalog.Runs}, time.Hour })
	goOn := sync.OnceFunc(func() { close(resume) })
	t.Cleanup(goOn) // before the runner is stopped
	p.add(r, p.workspaces[0])
	first := check.Next(t, begun)
	p.clock.Advance(2 * time.Minute)
	p.runner(owner, func(ctx context.Context, task *job.Task) error {
		begun <- task
		<-finish
		return p.end(ctx, task)
	})
	second := check.Next(t, begun)
	if second.ID != first.ID || second.Token == first.Token {
		t.Errorf("job %d was taken with token %d, before it was %d with %d", second.ID, second.Token, first.ID, first.Token)
	}
	goOn()
	check.Next(t, resumed)
	stopNow(r)
	err := p.catalog.InTx(t.Context(), second.Hold)
	close(finish)
	check.OK(t, err)
	check.Eventually(t, "the job ends", func() bool { return p.left() == 0 })
}
