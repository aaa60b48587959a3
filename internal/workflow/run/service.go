package run

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/runtrace"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/workflow"
)

// Kind is the kind of the jobs that execute runs.
const Kind job.Kind = "workflow run"

// Store stores runs. Its methods join the transaction of the context, if any. A
// run of another workspace is treated as nonexistent. Returned slices are never
// nil.
type Store interface {
	entity.Transactor
	// CreateRun stores a run and returns its id; the id of the argument is
	// ignored. The fault is NotFound when the workflow or version does not exist.
	CreateRun(ctx context.Context, run Run) (int64, error)
	// AddDefinition stores the definition of a dry run. It is removed with the run.
	AddDefinition(ctx context.Context, runID int64, definition []byte) error
	// RunDefinition returns the definition of a dry run, or a NotFound fault.
	RunDefinition(ctx context.Context, runID int64) ([]byte, error)
	// GetRun returns a run, or a NotFound fault.
	GetRun(ctx context.Context, workspace, id int64) (Run, error)
	// FindRunByChannel returns the newest run of the workflow with the channel,
	// or a NotFound fault.
	FindRunByChannel(ctx context.Context, workspace, workflowID int64, channel string) (Run, error)
	// RunsOfChannel returns the ids of up to limit runs of the workflow with the
	// channel that are newer than the given run, oldest first.
	RunsOfChannel(ctx context.Context, workspace, workflowID int64, channel string, after int64, limit int) ([]int64, error)
	// RunNodes returns the stored states of the nodes of a run, ordered by
	// position. Nodes that have not started may be missing.
	RunNodes(ctx context.Context, runID int64) ([]NodeState, error)
	// SaveRunNodes stores the states of nodes. The fault is Invalid when a value
	// has text that cannot be stored.
	SaveRunNodes(ctx context.Context, runID int64, nodes []NodeState) error
	// EndRun stores the status of a run and when it ended; the fault is NotFound
	// when the run does not exist.
	EndRun(ctx context.Context, runID int64, status Status, at time.Time) error
	// ListRuns returns a page of the runs of a workflow, newest first, and the
	// number of all matching runs. Metadata is omitted, and so are inputs larger
	// than MaxListedInputs.
	ListRuns(ctx context.Context, workspace int64, query ListQuery) ([]Listed, int64, error)
}

// Definitions finds versions of workflows.
type Definitions interface {
	Find(ctx context.Context, workspace int64, identifier string, version registry.Selector) (*workflow.Found, error)
	FindVersion(ctx context.Context, workspace, id int64) (*workflow.Found, error)
	Identify(ctx context.Context, workspace int64, identifier string) (entity.Entity, error)
	Draft(ctx context.Context, workspace int64, identifier string, base int64, d workflow.Definition) (*workflow.Found, error)
}

// Scope identifies what a step runs for.
type Scope struct {
	Workspace  int64
	RunID      int64
	WorkflowID int64
	DryRun     bool
	Metadata   jsontree.Value
}

// Options configure a Service.
type Options struct {
	// Jobs accepts the background work of the service, which is its worker.
	Jobs        job.Queue
	Store       Store
	Definitions Definitions
	// Env returns the environment of steps; the service sets Values, Depth and
	// Workflows.
	Env func(scope Scope) step.Env
	// Post sends a callback. It is retried a few times.
	Post func(ctx context.Context, url string, body []byte) error
	// CheckURL rejects addresses that must not be called.
	CheckURL func(url string) error
	// Ended is called with runs that this process has ended and their channels.
	Ended func(workspace int64, channels ...string)
	// Traces writes the traces of runs. Without one, there are none.
	Traces *runtrace.Writer
	// RetryWait is the wait before the first retry of a node, which doubles with
	// each; it defaults to one second.
	RetryWait time.Duration
	Clock     func() time.Time
	Logger    *slog.Logger
}

// Service runs workflows. It is safe for concurrent use.
type Service struct {
	options Options
	graphs  *graphCache
}

// NewService returns a service.
func NewService(options Options) *Service {
	if options.Clock == nil {
		options.Clock = time.Now
	}
	options.RetryWait = cmp.Or(options.RetryWait, time.Second)
	if options.Ended == nil {
		options.Ended = func(int64, ...string) {}
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{options: options, graphs: newGraphCache()}
}

// Request describes a run to start.
type Request struct {
	Version     registry.Selector
	Inputs      jsontree.Value
	Metadata    jsontree.Value
	AllOutputs  bool
	CallbackURL string
	Channel     string
}

// Started is a run that has been queued.
type Started struct {
	RunID int64
	// TraceID is the id of its trace.
	TraceID string
	// Warning lists missing and unused input variables, "" for none.
	Warning string
}

// Start starts a run. The fault is NotFound if the workflow does not exist,
// version or label, Forbidden if the caller may not run workflows, and
// BadRequest if the callback URL is not allowed.
func (s *Service) Start(ctx context.Context, workspace int64, identifier string, in Request) (Started, error) {
	found, err := s.options.Definitions.Find(ctx, workspace, identifier, in.Version)
	if err != nil {
		return Started{}, err
	}
	if err := access.Require(ctx, access.WorkflowRun); err != nil {
		return Started{}, err
	}
	if in.CallbackURL != "" {
		if err := s.options.CheckURL(in.CallbackURL); err != nil {
			return Started{}, fault.Wrap(fault.BadRequest, err, "The callback_url cannot be called: %s", err)
		}
	}
	compiled, err := s.graphs.of(found)
	if err != nil {
		return Started{}, err
	}
	run := Run{
		Workspace: workspace, WorkflowID: found.Entity.ID, VersionID: found.Version.ID, Inputs: in.Inputs, Metadata: in.Metadata,
		AllOutputs: in.AllOutputs, CallbackURL: in.CallbackURL, Channel: in.Channel,
		StartedBy: audit.ActorOf(ctx).Name, CreatedAt: s.options.Clock(),
	}
	return s.add(ctx, run, compiled, nil)
}

// add stores a run with its job. The definition is that of a dry run, or nil.
func (s *Service) add(ctx context.Context, run Run, compiled *graph, definition []byte) (Started, error) {
	err := s.options.Jobs.Add(ctx, job.Job{Workspace: run.Workspace, Kind: Kind}, s.options.Store.InTx, func(ctx context.Context) (id int64, err error) {
		if run.ID, err = s.options.Store.CreateRun(ctx, run); err == nil && run.DryRun {
			err = s.options.Store.AddDefinition(ctx, run.ID, definition)
		}
		return run.ID, err
	})
	return Started{RunID: run.ID, TraceID: run.TraceID(), Warning: warning(compiled, run.Inputs)}, err
}

// warning lists missing and unused input variables.
func warning(g *graph, inputs jsontree.Value) string {
	known := map[string]bool{}
	var missing, unused []string
	for _, v := range g.variables {
		known[v.Name] = true
		if inputs.Get(v.Name).Kind() == jsontree.Absent {
			missing = append(missing, v.Name)
		}
	}
	for name := range inputs.Members() {
		if !known[name] {
			unused = append(unused, name)
		}
	}
	var parts []string
	if len(missing) > 0 {
		parts = append(parts, "Missing input variables: "+strings.Join(missing, ", ")+".")
	}
	if len(unused) > 0 {
		parts = append(parts, "Unused input variables: "+strings.Join(unused, ", ")+".")
	}
	return strings.Join(parts, " ")
}

// Cancel ends a run: active steps are interrupted, and the rest is skipped. A
// run that has ended is left unchanged. The fault is NotFound if the workspace
// has no such run, and Forbidden if the caller may not run workflows.
func (s *Service) Cancel(ctx context.Context, workspace, id int64) (Run, error) {
	run, err := s.get(ctx, workspace, id)
	if err != nil {
		return Run{}, err
	}
	if err := access.Require(ctx, access.WorkflowRun); err != nil {
		return Run{}, err
	}
	if run.EndedAt != nil {
		return run, nil // its job may still have a callback to send
	}
	_, err = s.options.Jobs.Cancel(ctx, workspace, Kind, id)
	return run, err
}

func (s *Service) get(ctx context.Context, workspace, id int64) (Run, error) {
	run, err := s.options.Store.GetRun(ctx, workspace, id)
	if fault.Is(err, fault.NotFound) {
		err = fault.NotFoundf("Workflow execution not found")
	}
	return run, err
}

// Work executes a run or continues it. It also loads a cancelled run, because
// its end must be stored.
func (s *Service) Work(ctx context.Context, task *job.Task) error {
	always := context.WithoutCancel(ctx)
	run, err := s.options.Store.GetRun(always, task.Workspace, task.Subject)
	if fault.Is(err, fault.NotFound) {
		return s.options.Store.InTx(always, task.End) // deleted with its workflow
	}
	if err != nil {
		return err
	}
	states, compiled, err := s.state(always, run)
	if err != nil {
		return err
	}
	if run.EndedAt == nil {
		if states, err = s.drive(ctx, task, run, compiled, states); err != nil {
			return err
		}
	}
	s.options.Ended(run.Workspace, s.channels(run)...)
	if run.CallbackURL == "" {
		return nil // the job has ended with the run
	}
	if err := s.callBack(ctx, task, run, resultOf(run, compiled, states)); err != nil {
		return err
	}
	return s.options.Store.InTx(always, task.End)
}

// state returns the stored nodes and the graph of a run.
func (s *Service) state(ctx context.Context, run Run) ([]NodeState, *graph, error) {
	compiled, err := s.compiled(ctx, run)
	if err != nil {
		return nil, nil, err
	}
	states, err := s.options.Store.RunNodes(ctx, run.ID)
	return states, compiled, err
}

func (s *Service) compiled(ctx context.Context, run Run) (*graph, error) {
	key := run.graphKey()
	if known := s.graphs.get(key); known != nil {
		return known, nil
	}
	found, err := s.found(ctx, run)
	if err != nil {
		return nil, err
	}
	return s.graphs.as(key, found)
}

// drive runs the rest of a run and stores how it ended.
func (s *Service) drive(ctx context.Context, task *job.Task, run Run, compiled *graph, states []NodeState) ([]NodeState, error) {
	store := &storedRun{service: s, task: task, run: run}
	span := s.rootSpan(run, compiled)
	span.Begin()
	x := s.execution(compiled, run.Inputs, &family{scope: s.scope(run)}, 0, store, states, span)
	x.stopping = task.Stopping()
	err := x.drive(ctx)
	cause := context.Cause(ctx)
	switch {
	case errors.Is(err, job.ErrLost) || errors.Is(cause, job.ErrLost):
		return nil, job.ErrLost
	case errors.Is(cause, job.ErrCancelled):
		x.giveUp(cancelled)
	case err != nil:
		saving := x.tell(context.WithoutCancel(ctx), store.progressed)
		if errors.Is(err, errStopping) || errors.Is(cause, job.ErrStopped) {
			err = job.ErrStopped
		}
		return nil, errors.Join(err, saving)
	}
	became := outcome(compiled, x.states, errors.Is(cause, job.ErrCancelled))
	err = x.tell(context.WithoutCancel(ctx), func(ctx context.Context, changed []NodeState) error {
		return store.ended(ctx, changed, became)
	})
	if err != nil {
		return nil, err
	}
	span.Finish(s.rootResult(compiled, x.states, became))
	return x.states, nil
}

func (s *Service) scope(run Run) Scope {
	return Scope{Workspace: run.Workspace, RunID: run.ID, WorkflowID: run.WorkflowID, DryRun: run.DryRun, Metadata: run.Metadata}
}

// execution returns a run of a compiled workflow at a nesting depth.
func (s *Service) execution(g *graph, inputs jsontree.Value, of *family, depth int, record recorder, states []NodeState, span *runtrace.Span) *execution {
	var env step.Env
	if of.env != nil {
		env = of.env()
	} else {
		env = s.options.Env(of.scope)
	}
	env.Depth = depth
	env.Workflows = nested{s, of}
	x := newExecution(g, inputs, env, record, states, s.options.Clock, span)
	x.retryWait = s.options.RetryWait
	x.report = func(node string, err error) {
		var known *fault.Error
		var failure *step.FailureError
		if !errors.As(err, &known) && !errors.As(err, &failure) && !errors.Is(err, context.Canceled) {
			s.options.Logger.Error("a node failed", "run", of.scope.RunID, "node", node, "error", err)
		}
	}
	return x
}

// CheckCallback describes what is wrong with the address of a callback, "" if
// it is valid.
func CheckCallback(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return "Input should be a valid URL that begins with http:// or https://"
	}
	return ""
}
