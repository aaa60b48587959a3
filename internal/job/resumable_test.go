package job_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
)

// count is the subject of a job that counts to ten.
type count struct {
	N     int
	Ended string
}

// counts are subjects in memory. Their jobs are in the catalog.
type counts struct {
	*place
	stored map[int64]count
	// part is called with the number that is about to be stored.
	part   func(n int) error
	runner *job.Runner
}

// cancelAt cancels the job while a part is done.
func (c *counts) cancelAt(n, at int) error {
	if n != at {
		return nil
	}
	_, err := c.runner.Cancel(c.t.Context(), c.workspaces[0], kind, 1)
	return err
}

func (c *counts) Work(ctx context.Context, task *job.Task) error {
	id := task.Subject
	r := job.Resumable[count]{
		InTx: c.catalog.InTx, Active: func(one *count) bool { return one.Ended == "" },
		Load: func(context.Context, int64, int64) (count, error) {
			if one, found := c.stored[id]; found {
				return one, nil
			}
			return count{}, fault.NotFoundf("No such count")
		},
		Save: func(_ context.Context, now, next count) error {
			check.Equal(c.t, "the state before", now, c.stored[id])
			c.stored[id] = next
			return nil
		},
	}
	return r.Run(ctx, task, func(ctx context.Context, w *job.Work[count]) error {
		err := w.Parts(ctx, func() (more bool, err error) {
			next := w.Now
			next.N++
			if err := w.Write(func() error { return c.part(next.N) }); err != nil {
				return false, err
			}
			return next.N < 10, w.Save(next)
		})
		next := w.Now
		failure, permanent := job.Failure(err)
		switch {
		case err == nil:
			next.Ended = "done"
		case job.IsCancelled(ctx, err):
			next.Ended = "cancelled"
		case permanent:
			next.Ended = "failed: " + failure
		default:
			return err
		}
		return w.End(next)
	})
}

// run runs the job of a count until it ends, and returns what is stored.
func (c *counts) run() count {
	c.t.Helper()
	c.open(c.workspaces[0], 1)
	c.runner = job.NewRunner(job.Options{Store: c.catalog.Runs, Owner: "a", LookEvery: often, LeaseFor: time.Minute})
	check.OK(c.t, c.runner.Start(c.t.Context(), map[job.Kind]job.Worker{kind: c}))
	check.Eventually(c.t, "the job ends", func() bool {
		c.clock.Advance(time.Minute) // failed jobs are retried after a lease
		return c.left() == 0
	})
	stopNow(c.runner)
	return c.stored[1]
}

func TestResumableWork(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		part func(c *counts, n int) error
		want count
	}{
		"done": {func(*counts, int) error { return nil }, count{10, "done"}},
		"failed": {func(_ *counts, n int) error {
			if n == 4 {
				return fmt.Errorf("part: %w", fault.BadRequestf("Not\x00 \xffthat"))
			}
			return nil
		}, count{3, "failed: Not\uFFFD \uFFFDthat"}},
		"retried": {func() func(*counts, int) error {
			failed := false
			return func(_ *counts, n int) error {
				if n == 4 && !failed {
					failed = true
					return errors.New("the disk is full")
				}
				return nil
			}
		}(), count{10, "done"}},
		"refused for a time": {func() func(*counts, int) error {
			tries := 0
			return func(*counts, int) error {
				if tries++; tries == 3 {
					return fault.New(fault.Unavailable, "Too many logs are waiting")
				}
				return nil
			}
		}(), count{10, "done"}},
		"cancelled": {func(c *counts, n int) error { return c.cancelAt(n, 4) }, count{4, "cancelled"}},
		"cancelled, and cannot succeed": {func(c *counts, n int) error {
			if err := c.cancelAt(n, 4); err != nil || n < 4 {
				return err
			}
			return fault.BadRequestf("Not that")
		}, count{3, "cancelled"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := &counts{place: onSQLite(t), stored: map[int64]count{1: {}}}
			c.part = func(n int) error { return test.part(c, n) }
			check.Equal(t, "the subject", c.run(), test.want)
		})
	}
	t.Run("deleted", func(t *testing.T) {
		c := &counts{place: onSQLite(t)}
		check.Equal(t, "the subject", c.run(), count{})
	})
}
