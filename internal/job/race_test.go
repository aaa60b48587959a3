package job_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/job"
)

// lateStore waits after listing jobs, so that another runner takes them first.
type lateStore struct {
	job.Store
	listed, resume chan struct{}
}

func (s lateStore) OpenJobs(ctx context.Context, without []int64, limit int) ([]job.Job, error) {
	open, err := s.Store.OpenJobs(ctx, without, limit)
	if err == nil && len(open) > 0 {
		select {
		case s.listed <- struct{}{}:
			<-s.resume
		case <-ctx.Done():
		}
	}
	return open, err
}

// askedStore lists jobs only when it is permitted.
type askedStore struct {
	job.Store
	permits chan struct{}
}

func (s askedStore) OpenJobs(ctx context.Context, without []int64, limit int) ([]job.Job, error) {
	select {
	case <-s.permits:
		return s.Store.OpenJobs(ctx, without, limit)
	default:
		return nil, nil
	}
}

// TestLosingRunnerKeepsItsSlots checks that a job that another runner took first uses
// no slot of the runner that lost the race.
func TestLosingRunnerKeepsItsSlots(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p *place) {
		const each = 3
		done := make(chan string, 1)
		worker := func(owner string) workerFunc {
			return func(ctx context.Context, task *job.Task) error {
				err := p.end(ctx, task)
				done <- owner
				return err
			}
		}
		late := lateStore{p.catalog.Runs, make(chan struct{}), make(chan struct{})}
		asked := askedStore{p.catalog.Runs, make(chan struct{}, 1)}
		first := p.runner("first", worker("first"), func(o *job.Options) { o.Store = asked })
		loser := p.runner("loser", worker("loser"), func(o *job.Options) { o.Store, o.Each = late, each })
		for range each + 1 {
			p.open(p.workspaces[0], 1)
			check.Next(t, late.listed)
			asked.permits <- struct{}{}
			check.Equal(t, "the runner of the job", check.Next(t, done), "first")
			late.resume <- struct{}{}
		}
		stopNow(first)
		p.open(p.workspaces[0], 1)
		check.Next(t, late.listed)
		late.resume <- struct{}{}
		check.Equal(t, "the runner of the last job", check.Next(t, done), "loser")
		check.Eventually(t, "all slots are free", func() bool { return loser.Slots().Stats().Running == 0 })
	})
}

// TestTwoServersRaceForJobs has two servers run many jobs of one workspace, of which
// each server may run a few at a time.
func TestTwoServersRaceForJobs(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p *place) {
		const many, each = 3000, 3
		done, running := newTally(), newGauge()
		p.open(p.workspaces[0], many)
		var runners []*job.Runner
		for i := range int64(2) {
			server := catalogtest.Open(t, p.dsn, catalog.WithClock(p.clock.Now))
			work := func(ctx context.Context, task *job.Task) error {
				running.change(1, i)
				defer running.change(-1, i)
				done.add(task.Subject)
				return server.InTx(context.WithoutCancel(ctx), task.End)
			}
			runners = append(runners, p.runner(fmt.Sprint(i), work, func(o *job.Options) { o.Store, o.Each = server.Runs, each }))
		}
		check.Eventually(t, "all jobs end", func() bool { return p.left() == 0 })
		check.Equal(t, "jobs that ran", len(done.all()), many)
		for subject, times := range done.all() {
			if times != 1 {
				t.Errorf("job %d ran %d times", subject, times)
			}
		}
		for i, r := range runners {
			if most := running.most(int64(i)); most == 0 || most > each {
				t.Errorf("server %d ran up to %d jobs at a time, want 1 to %d", i, most, each)
			}
			check.Eventually(t, "all slots are free", func() bool { return r.Slots().Stats().Running == 0 })
		}
	})
}
