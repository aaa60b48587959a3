package job_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/job"
)

func TestStopLetsWorkersFinish(t *testing.T) {
	t.Parallel()
	p := onSQLite(t)
	begun := make(chan struct{})
	r := p.runner("a", func(ctx context.Context, task *job.Task) error {
		close(begun)
		<-task.Stopping()
		if ctx.Err() != nil {
			t.Error("the worker was interrupted")
		}
		return p.end(ctx, task)
	})
	p.add(r, p.workspaces[0])
	check.Next(t, begun)
	r.Stop(t.Context())
	if got := p.left(); got != 0 {
		t.Errorf("%d jobs are left", got)
	}
	r.Stop(t.Context()) // does nothing
}

// TestStopEndsWaiting has a worker that waits for something which never happens.
func TestStopEndsWaiting(t *testing.T) {
	t.Parallel()
	p := onSQLite(t)
	begun := make(chan struct{})
	causes := make(chan error, 1)
	r := p.runner("a", func(ctx context.Context, task *job.Task) error {
		until, done := task.UntilStopping(ctx)
		defer done()
		close(begun)
		<-until.Done()
		causes <- context.Cause(until)
		if ctx.Err() != nil {
			t.Error("the worker was interrupted")
		}
		return job.ErrStopped
	})
	p.add(r, p.workspaces[0])
	check.Next(t, begun)
	r.Stop(t.Context())
	if cause := check.Next(t, causes); !errors.Is(cause, job.ErrStopped) {
		t.Errorf("cause = %v, want ErrStopped", cause)
	}
}

func TestStopInterruptsSlowWorkers(t *testing.T) {
	t.Parallel()
	p := onSQLite(t)
	begun := make(chan struct{})
	var cause error
	r := p.runner("a", func(ctx context.Context, _ *job.Task) error {
		close(begun)
		<-ctx.Done()
		cause = context.Cause(ctx)
		return cause
	})
	p.add(r, p.workspaces[0])
	check.Next(t, begun)
	stopNow(r)
	if !errors.Is(cause, job.ErrStopped) {
		t.Errorf("cause = %v, want ErrStopped", cause)
	}
}

func TestAnotherRunnerContinues(t *testing.T) {
	t.Parallel()
	tests := map[string]func(t *testing.T, p *place) int64{
		"after the first has stopped": func(t *testing.T, p *place) int64 {
			begun := make(chan struct{})
			r := p.runner("a", func(_ context.Context, task *job.Task) error {
				close(begun)
				<-task.Stopping()
				return job.ErrStopped
			})
			subject := p.add(r, p.workspaces[0])
			check.Next(t, begun)
			r.Stop(t.Context())
			return subject
		},
		"with a job added to a stopped runner": func(t *testing.T, p *place) int64 {
			r := p.runner("a", func(context.Context, *job.Task) error {
				t.Error("a stopped runner started a job")
				return nil
			})
			r.Stop(t.Context())
			return p.add(r, p.workspaces[0])
		},
		"after the first was lost": func(_ *testing.T, p *place) int64 {
			subject := p.abandoned(p.workspaces[0])
			p.clock.Advance(2 * time.Minute)
			return subject
		},
	}
	for name, leave := range tests {
		t.Run(name, func(t *testing.T) {
			onEachEngine(t, func(t *testing.T, p *place) {
				want := leave(t, p)
				done := make(chan int64, 2)
				p.runner("b", func(ctx context.Context, task *job.Task) error {
					done <- task.Subject
					return p.end(ctx, task)
				})
				if got := check.Next(t, done); got != want {
					t.Errorf("job %d ran, want %d", got, want)
				}
				check.Eventually(t, "the job ends", func() bool { return p.left() == 0 })
				quiet(t, done)
			})
		})
	}
}

func TestHeldJobsAreNotTakenEarly(t *testing.T) {
	t.Parallel()
	p := onSQLite(t)
	p.abandoned(p.workspaces[0])
	done := make(chan int64, 1)
	p.runner("b", func(ctx context.Context, task *job.Task) error {
		done <- task.Subject
		return p.end(ctx, task)
	})
	quiet(t, done)
}

func TestOnlyProcessContinuesImmediately(t *testing.T) {
	t.Parallel()
	p := onSQLite(t)
	p.abandoned(p.workspaces[0])
	done := make(chan int64, 1)
	p.runner("b", func(ctx context.Context, task *job.Task) error {
		done <- task.Subject
		return p.end(ctx, task)
	}, func(o *job.Options) { o.Alone = true })
	check.Next(t, done)
}
