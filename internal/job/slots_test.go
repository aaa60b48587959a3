package job_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/job"
)

// gauge counts concurrent jobs and remembers the maximum.
type gauge struct {
	mu       sync.Mutex
	now, max map[int64]int
}

const inAll = -1

func newGauge() *gauge { return &gauge{now: map[int64]int{}, max: map[int64]int{}} }

func (g *gauge) change(by int, keys ...int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, key := range keys {
		g.now[key] += by
		g.max[key] = max(g.max[key], g.now[key])
	}
}

func (g *gauge) most(key int64) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.max[key]
}

func TestSlotsLimitJobsWithoutStarvation(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p *place) {
		const total, each, many = 5, 3, 20
		running, done := newGauge(), newTally()
		release := make(chan struct{})
		r := p.runner("a", func(ctx context.Context, task *job.Task) error {
			running.change(1, inAll, task.Workspace)
			defer running.change(-1, inAll, task.Workspace)
			if task.Workspace == p.workspaces[0] && done.all()[p.workspaces[1]] < many {
				<-release // the first workspace keeps its slots
			}
			done.add(task.Workspace)
			return p.end(ctx, task)
		}, func(o *job.Options) { o.Total, o.Each = total, each })
		for range many {
			p.add(r, p.workspaces[0])
		}
		for range many {
			p.add(r, p.workspaces[1])
		}
		check.Eventually(t, "the second workspace is served", func() bool { return done.all()[p.workspaces[1]] == many })
		if got := done.all()[p.workspaces[0]]; got != 0 {
			t.Errorf("%d jobs of the first workspace ended, want none yet", got)
		}
		close(release)
		check.Eventually(t, "all jobs end", func() bool { return p.left() == 0 })
		if got := running.most(inAll); got > total {
			t.Errorf("%d concurrent jobs, want at most %d", got, total)
		}
		for _, workspace := range p.workspaces[:2] {
			if got := running.most(workspace); got > each || got == 0 {
				t.Errorf("%d concurrent jobs of a workspace, want 1 to %d", got, each)
			}
		}
	})
}

func TestFreeSlotIsUsedImmediately(t *testing.T) {
	t.Parallel()
	p := onSQLite(t)
	begun, release := make(chan int64, 3), make(chan struct{})
	r := p.runner("a", func(ctx context.Context, task *job.Task) error {
		begun <- task.Subject
		<-release
		return p.end(ctx, task)
	}, func(o *job.Options) { o.Total, o.LookEvery = 1, check.Patience })
	first := p.add(r, p.workspaces[0])
	if got := check.Next(t, begun); got != first {
		t.Fatalf("job %d started, want %d", got, first)
	}
	second, third := p.add(r, p.workspaces[0]), p.add(r, p.workspaces[1])
	quiet(t, begun)
	for _, want := range []int64{second, third} {
		release <- struct{}{}
		if got := check.Next(t, begun); got != want {
			t.Errorf("job %d started, want %d", got, want)
		}
	}
	close(release)
}

func TestFailedAddTakesNoSlot(t *testing.T) {
	t.Parallel()
	p := onSQLite(t)
	var worked atomic.Int64
	r := p.runner("a", func(ctx context.Context, task *job.Task) error {
		worked.Add(1)
		return p.end(ctx, task)
	}, func(o *job.Options) { o.Total = 1 })
	for range 3 {
		err := r.Add(t.Context(), job.Job{Workspace: p.workspaces[0], Kind: kind}, p.catalog.InTx,
			func(context.Context) (int64, error) { return 0, errOurs })
		if err == nil {
			t.Error("Add succeeded, want an error")
		}
	}
	p.add(r, p.workspaces[0])
	check.Eventually(t, "the job ends", func() bool { return p.left() == 0 })
	if got := worked.Load(); got != 1 {
		t.Errorf("%d jobs ran, want 1", got)
	}
}
