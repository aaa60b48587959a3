package job_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/job"
)

func TestTwoRunnersRunEachJobOnce(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p *place) {
		const many = 1000
		done := newTally()
		work := func(ctx context.Context, task *job.Task) error {
			done.add(task.Subject)
			return p.end(ctx, task)
		}
		few := func(o *job.Options) { o.Total, o.Each = 20, 10 }
		runners := []*job.Runner{p.runner("a", work, few), p.runner("b", work, few)}
		var adding sync.WaitGroup
		for i := range 10 {
			adding.Go(func() {
				for n := range many / 10 {
					p.add(runners[(i+n)%2], p.workspaces[n%3])
				}
			})
		}
		adding.Wait()
		check.Eventually(t, "all jobs end", func() bool { return p.left() == 0 })
		if got := len(done.all()); got != many {
			t.Errorf("%d jobs ran, want %d", got, many)
		}
		for subject, times := range done.all() {
			if times != 1 {
				t.Errorf("job %d ran %d times", subject, times)
			}
		}
	})
}

// TestJobsActInTheirWorkspace checks that what a job uses counts as a part of its
// workspace.
func TestJobsActInTheirWorkspace(t *testing.T) {
	t.Parallel()
	p := onSQLite(t)
	got := make(chan int64, 1)
	r := p.runner("a", func(ctx context.Context, task *job.Task) error {
		got <- access.CallerOf(ctx).Workspace
		return p.end(ctx, task)
	})
	p.add(r, p.workspaces[1])
	check.Equal(t, "workspace", <-got, p.workspaces[1])
}

func TestRetriesFailedJobAfterLease(t *testing.T) {
	t.Parallel()
	tests := map[string]func() error{
		"panic": func() error { panic("oh") },
		"error": func() error { return errOurs },
	}
	for name, fail := range tests {
		t.Run(name, func(t *testing.T) {
			onEachEngine(t, func(t *testing.T, p *place) {
				begun, release := make(chan int64, 10), make(chan struct{})
				tries := newTally()
				r := p.runner("a", func(ctx context.Context, task *job.Task) error {
					begun <- task.Subject
					switch try := tries.add(task.Subject); {
					case task.Subject == 1:
						<-release // keeps extending its lease
					case try == 1:
						return fail()
					}
					return p.end(ctx, task)
				}, func(o *job.Options) { o.LeaseFor = 30 * often })
				p.add(r, p.workspaces[0])
				check.Next(t, begun)
				p.add(r, p.workspaces[0])
				check.Next(t, begun)
				quiet(t, begun)
				p.clock.Advance(40 * often)
				if got := check.Next(t, begun); got != 2 {
					t.Errorf("job %d was retried, want the failed one", got)
				}
				close(release)
				check.Eventually(t, "all jobs end", func() bool { return p.left() == 0 })
			})
		})
	}
}

func TestIgnoresJobsOfUnknownKind(t *testing.T) {
	t.Parallel()
	p := onSQLite(t)
	r := job.NewRunner(job.Options{Store: p.catalog.Runs, Owner: "a"})
	check.OK(t, r.Start(t.Context(), map[job.Kind]job.Worker{}))
	p.add(r, p.workspaces[0])
	stopNow(r)
	if got := p.left(); got != 1 {
		t.Errorf("%d jobs are left, want 1", got)
	}
}

func TestJobsWaitForTheStart(t *testing.T) {
	t.Parallel()
	p := onSQLite(t)
	r := job.NewRunner(job.Options{Store: p.catalog.Runs, Owner: "a"})
	added := p.add(r, p.workspaces[0])
	done := make(chan int64, 1)
	check.OK(t, r.Start(t.Context(), map[job.Kind]job.Worker{kind: workerFunc(func(ctx context.Context, task *job.Task) error {
		err := p.end(ctx, task)
		done <- task.Subject
		return err
	})}))
	t.Cleanup(func() { stopNow(r) })
	check.Equal(t, "the job that ran", check.Next(t, done), added)
}

func TestLostLeaseEndsContext(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p *place) {
		causes := make(chan error, 2)
		begun := make(chan *job.Task, 2)
		r := p.runner("a", func(ctx context.Context, task *job.Task) error {
			begun <- task
			<-ctx.Done()
			causes <- context.Cause(ctx)
			return p.end(ctx, task)
		}, shortLease)
		p.add(r, p.workspaces[0])
		task := check.Next(t, begun)
		// In one transaction, so that the runner does not take it back in between.
		check.OK(t, p.catalog.InTx(t.Context(), func(ctx context.Context) error {
			if err := p.catalog.Runs.LeaveJob(ctx, task.Job, 0); err != nil {
				return err
			}
			_, taken, err := p.catalog.Runs.TakeJob(ctx, task.ID, job.Lease{Owner: "b", For: time.Hour})
			if err == nil && !taken {
				err = errors.New("cannot take the job away")
			}
			return err
		}))
		if cause := check.Next(t, causes); !errors.Is(cause, job.ErrLost) {
			t.Errorf("cause = %v, want ErrLost", cause)
		}
		stopNow(r)
		if got := p.left(); got != 1 {
			t.Error("the previous owner ended the job")
		}
		for name, call := range map[string]func(context.Context) error{"Hold": task.Hold, "End": task.End} {
			if err := p.catalog.InTx(t.Context(), call); !errors.Is(err, job.ErrLost) {
				t.Errorf("%s returned %v, want ErrLost", name, err)
			}
		}
	})
}

// A process that was suspended finds its own leases expired.
func TestDoesNotStartOwnJobTwice(t *testing.T) {
	t.Parallel()
	p := onSQLite(t)
	begun, release := make(chan int64, 2), make(chan struct{})
	r := p.runner("a", func(ctx context.Context, task *job.Task) error {
		begun <- task.Subject
		<-release
		return p.end(ctx, task)
	})
	p.add(r, p.workspaces[0])
	check.Next(t, begun)
	p.clock.Advance(time.Hour)
	quiet(t, begun)
	close(release)
	check.Eventually(t, "the job ends", func() bool { return p.left() == 0 })
}

func TestCancelWhileRunning(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p *place) {
		w := newCancelled(p)
		r := p.runner("a", w.work)
		subject := p.add(r, p.workspaces[0])
		check.Next(t, w.begun)
		w.cancel(t, r, subject)
	})
}

func TestCancelWhileRunningElsewhere(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p *place) {
		w := newCancelled(p)
		subject := p.add(p.runner("b", w.work, shortLease), p.workspaces[0])
		check.Next(t, w.begun)
		w.cancel(t, p.runner("a", w.work), subject)
	})
}

func TestCancelBeforeStart(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p *place) {
		w := newCancelled(p)
		subject := p.abandoned(p.workspaces[0])
		r := p.runner("a", w.work)
		if _, err := r.Cancel(t.Context(), p.workspaces[0], kind, subject); err != nil {
			t.Fatal(err)
		}
		p.clock.Advance(time.Hour)
		w.cancel(t, r, subject)
	})
}

// cancelledWork runs until it is interrupted.
type cancelledWork struct {
	place  *place
	begun  chan struct{}
	causes chan error
}

func newCancelled(p *place) *cancelledWork {
	return &cancelledWork{place: p, begun: make(chan struct{}, 1), causes: make(chan error, 1)}
}

func (w *cancelledWork) work(ctx context.Context, task *job.Task) error {
	w.begun <- struct{}{}
	<-ctx.Done()
	w.causes <- context.Cause(ctx)
	return w.place.end(ctx, task)
}

// cancel cancels the job and fails the test unless its worker is interrupted.
func (w *cancelledWork) cancel(t *testing.T, r *job.Runner, subject int64) {
	t.Helper()
	workspace := w.place.workspaces[0]
	if _, err := r.Cancel(t.Context(), workspace, kind, subject); err != nil {
		t.Fatal(err)
	}
	if cause := check.Next(t, w.causes); !errors.Is(cause, job.ErrCancelled) {
		t.Errorf("cause = %v, want ErrCancelled", cause)
	}
	check.Eventually(t, "the job ends", func() bool { return w.place.left() == 0 })
	if found, err := r.Cancel(t.Context(), workspace, kind, subject); found || err != nil {
		t.Errorf("Cancel after the end = %v, %v", found, err)
	}
}
