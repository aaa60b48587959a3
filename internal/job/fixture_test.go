package job_test

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/job"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

const kind job.Kind = "test"

// workerFunc adapts a function to a worker.
type workerFunc func(ctx context.Context, task *job.Task) error

func (f workerFunc) Work(ctx context.Context, task *job.Task) error { return f(ctx, task) }

// place is a catalog that runners share.
type place struct {
	t          *testing.T
	dsn        string
	catalog    *catalog.Catalog
	clock      *catalogtest.Clock
	workspaces []int64
	mu         sync.Mutex
	subject    int64
}

func newPlace(t *testing.T, dsn string) *place {
	t.Helper()
	c := catalogtest.Open(t, dsn)
	p := &place{t: t, dsn: dsn, catalog: c, clock: catalogtest.StopClock(t, dsn, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))}
	for _, name := range []string{"first", "second", "third"} {
		w, err := c.Accounts.CreateWorkspace(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		p.workspaces = append(p.workspaces, w.ID)
	}
	return p
}

// onEachEngine runs a test on a new catalog of each engine.
func onEachEngine(t *testing.T, test func(t *testing.T, p *place)) {
	t.Helper()
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) { test(t, newPlace(t, dsn)) })
}

// onSQLite returns a new SQLite catalog, for tests that do not depend on the
// engine.
func onSQLite(t *testing.T) *place {
	t.Helper()
	return newPlace(t, catalogtest.SQLite(t))
}

// often is the polling interval of runners in tests.
const often = 5 * time.Millisecond

// runner starts a runner, which is stopped at the end of the test.
func (p *place) runner(owner string, work workerFunc, changes ...func(*job.Options)) *job.Runner {
	p.t.Helper()
	options := job.Options{
		Store: p.catalog.Runs, Owner: owner,
		LeaseFor: time.Minute, LookEvery: often,
	}
	for _, change := range changes {
		change(&options)
	}
	r := job.NewRunner(options)
	if err := r.Start(p.t.Context(), map[job.Kind]job.Worker{kind: work}); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { stopNow(r) })
	return r
}

// shortLease makes a runner extend its leases and poll all the time.
func shortLease(o *job.Options) { o.LeaseFor = 3 * often }

func stopNow(r *job.Runner) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	r.Stop(ended)
}

// add adds a job for a new subject, whose id it returns.
func (p *place) add(r *job.Runner, workspace int64) int64 {
	p.t.Helper()
	p.mu.Lock()
	p.subject++
	subject := p.subject
	p.mu.Unlock()
	err := r.Add(p.t.Context(), job.Job{Workspace: workspace, Kind: kind}, p.catalog.InTx,
		func(context.Context) (int64, error) { return subject, nil })
	if err != nil {
		p.t.Error(err)
	}
	return subject
}

// abandoned adds a job that is held by a process that no longer exists.
func (p *place) abandoned(workspace int64) int64 {
	p.t.Helper()
	p.mu.Lock()
	p.subject++
	subject := p.subject
	p.mu.Unlock()
	err := p.catalog.InTx(p.t.Context(), func(ctx context.Context) error {
		_, err := p.catalog.Runs.AddJob(ctx, job.Job{Workspace: workspace, Kind: kind, Subject: subject},
			job.Lease{Owner: "lost", For: time.Minute})
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return subject
}

// open adds jobs that no process holds.
func (p *place) open(workspace int64, many int) {
	p.t.Helper()
	check.OK(p.t, p.catalog.InTx(p.t.Context(), func(ctx context.Context) error {
		for range many {
			p.subject++
			if _, err := p.catalog.Runs.AddJob(ctx, job.Job{Workspace: workspace, Kind: kind, Subject: p.subject}, job.Lease{}); err != nil {
				return err
			}
		}
		return nil
	}))
}

// left returns the number of jobs that have not ended.
func (p *place) left() int {
	p.t.Helper()
	return len(p.clock.Jobs())
}

// end ends a job as a worker does.
func (p *place) end(ctx context.Context, task *job.Task) error {
	return p.catalog.InTx(context.WithoutCancel(ctx), task.End)
}

// quiet fails the test if the channel delivers a value within several polling
// intervals.
func quiet[T any](t *testing.T, from <-chan T) {
	t.Helper()
	select {
	case value := <-from:
		t.Fatalf("got %v, want nothing", value)
	case <-time.After(20 * often):
	}
}

// tally counts values.
type tally struct {
	mu    sync.Mutex
	count map[int64]int
}

func newTally() *tally { return &tally{count: map[int64]int{}} }

func (c *tally) add(key int64) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count[key]++
	return c.count[key]
}

func (c *tally) all() map[int64]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := map[int64]int{}
	for key, n := range c.count {
		all[key] = n
	}
	return all
}

var errOurs = errors.New("ours")
