package run_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/runtrace"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/workbench"
	"github.com/promptuary/promptuary/internal/workflow"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// lab is a catalog with workflows in which processes run them.
type lab struct {
	t         testing.TB
	ctx       context.Context
	catalog   *catalog.Catalog
	workflows *workflow.Service
	clock     *catalogtest.Clock
	// outside may call servers of this machine.
	outside   *outbound.Client
	workspace int64
	other     int64
}

func newLab(t testing.TB, dsn string) *lab {
	t.Helper()
	l := &lab{t: t, ctx: access.AsSystem(context.Background()), catalog: catalogtest.Open(t, dsn)}
	l.clock = catalogtest.StopClock(t, dsn, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	l.workspace = check.Must(l.catalog.Accounts.CreateWorkspace(l.ctx, "first"))(t).ID
	l.other = check.Must(l.catalog.Accounts.CreateWorkspace(l.ctx, "second"))(t).ID
	l.workflows = workflow.NewService(l.catalog.Entities, workflow.StepTypes{}, workflow.RandomID)
	l.outside = outbound.New(outbound.Options{Allow: check.Must(outbound.ParseAllowed("127.0.0.1"))(t)})
	t.Cleanup(l.outside.Close)
	return l
}

// onEachEngine runs a test in a new lab.
func onEachEngine(t *testing.T, test func(t *testing.T, l *lab)) {
	t.Helper()
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) { test(t, newLab(t, dsn)) })
}

// onSQLite returns a new lab for tests that do not depend on the engine.
func onSQLite(t testing.TB) *lab {
	t.Helper()
	return newLab(t, catalogtest.SQLite(t))
}

// process is a simulated process of the program.
type process struct {
	*run.Service
	lab  *lab
	jobs *job.Runner
	// life determines when it dies.
	life   *life
	traces *runtrace.Writer
	// ended receives the channels of each run that the process has ended.
	ended chan []string
}

// setup configures a process.
type setup struct {
	lab     *lab
	options run.Options
	jobs    job.Options
	scripts step.Scripts
	prompts step.Prompts
	life    *life
	// seen is called with the scope of each environment; it may be nil.
	seen func(scope run.Scope)
}

// process starts a process, which is stopped at the end of the test.
func (l *lab) process(owner string, changes ...func(*setup)) *process {
	l.t.Helper()
	p := &process{lab: l, ended: make(chan []string, 10_000)}
	s := &setup{lab: l, life: &life{}}
	s.options = run.Options{
		Definitions: l.workflows, Post: l.post, CheckURL: l.outside.CheckURL, Clock: l.clock.Now,
		Ended: func(_ int64, channels ...string) { p.ended <- channels },
	}
	s.jobs = job.Options{Owner: owner, LeaseFor: time.Minute, LookEvery: 20 * time.Millisecond}
	for _, change := range changes {
		change(s)
	}
	p.life, p.traces = s.life, s.options.Traces
	store := mortal{l.catalog.Runs, p.life}
	bench := workbench.New(workbench.Options{HTTP: l.outside})
	s.options.Store, s.jobs.Store = store, store
	s.options.Env = func(scope run.Scope) step.Env {
		if s.seen != nil {
			s.seen(scope)
		}
		env := bench.Env(workbench.Scope{Workspace: scope.Workspace})
		env.HTTP, env.Scripts = mortalHTTP{env.HTTP, p.life}, s.scripts
		if s.prompts != nil {
			env.Prompts = s.prompts
		}
		return env
	}
	p.jobs = job.NewRunner(s.jobs)
	s.options.Jobs = p.jobs
	p.Service = run.NewService(s.options)
	check.Must(0, p.jobs.Start(l.ctx, map[job.Kind]job.Worker{run.Kind: p.Service}))(l.t)
	l.t.Cleanup(p.stopNow)
	return p
}

func (p *process) stopNow() {
	ended, cancel := context.WithCancel(access.AsSystem(context.Background()))
	cancel()
	p.jobs.Stop(ended)
}

// post sends a callback as the program does.
func (l *lab) post(ctx context.Context, url string, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	answer, err := l.outside.Do(ctx, request)
	if err == nil && answer.Status != http.StatusOK {
		err = fmt.Errorf("answered with status %d", answer.Status)
	}
	return err
}

// create creates a workflow from the body of a request.
func (l *lab) create(name, text string) *workflow.Record {
	l.t.Helper()
	record, _, err := l.workflows.Create(l.ctx, l.workspace, workflow.CreateInput{Name: &name, Definition: l.definition(text)})
	return check.Must(record, err)(l.t)
}

// definition reads the definition in the body of a request.
func (l *lab) definition(text string) workflow.Definition {
	l.t.Helper()
	body := check.JSON(text)
	var problems fault.Problems
	d := workflow.Definition{Nodes: workflow.ReadNodes(body.Get("nodes"), nil, &problems)}
	if edges := body.Get("edges"); edges.Given() {
		d.Edges = workflow.ReadEdges(edges, nil, &problems)
	}
	if variables := body.Get("required_input_variables"); variables.Given() {
		d.Variables = workflow.ReadVariables(variables, nil, &problems)
	}
	check.Must(0, problems.Err())(l.t)
	return d
}

// start starts a run and returns its id.
func (p *process) start(name, inputs string, changes ...func(*run.Request)) int64 {
	p.lab.t.Helper()
	request := run.Request{Inputs: check.JSON(inputs)}
	for _, change := range changes {
		change(&request)
	}
	return check.Must(p.Start(p.lab.ctx, p.lab.workspace, name, request))(p.lab.t).RunID
}

// result returns the current result of a run.
func (p *process) result(id int64) *run.Result {
	p.lab.t.Helper()
	return check.Must(p.Result(p.lab.ctx, p.lab.workspace, id, nil, nil))(p.lab.t)
}

// done waits for the end of a run and returns its result.
func (p *process) done(id int64) *run.Result {
	p.lab.t.Helper()
	var result *run.Result
	check.Eventually(p.lab.t, fmt.Sprintf("run %d ends", id), func() bool {
		result = p.result(id)
		return result.Ended
	})
	return result
}

// runs starts a run and waits for its end.
func (p *process) runs(name, inputs string, changes ...func(*run.Request)) *run.Result {
	p.lab.t.Helper()
	return p.done(p.start(name, inputs, changes...))
}

// open returns the runs whose jobs have not ended.
func (l *lab) open() []int64 {
	l.t.Helper()
	return l.clock.Jobs()
}

func (l *lab) left() int { return len(l.open()) }

// node returns the member of a node map.
func node(result *run.Result, name string) jsontree.Value {
	return check.JSON(string(result.Nodes)).Get(name)
}

func status(result *run.Result, name string) run.Status {
	return run.Status(node(result, name).Get("status").Str())
}

func message(result *run.Result, name string) string {
	return node(result, name).Get("error_message").Str()
}

var errDead = errors.New("the process is dead")
