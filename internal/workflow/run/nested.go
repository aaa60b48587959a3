package run

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/runtrace"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/workflow"
)

// nested runs workflows for steps of others. Their nodes are not stored, only
// traced: for the outer run, all of it is the work of one node.
type nested struct {
	service *Service
	family  *family
}

// family is a run with all runs that are nested in it.
type family struct {
	scope   Scope
	started atomic.Int64 // number of nested runs until now
	// env returns the environment of nodes; nil uses that of the service.
	env func() step.Env
	// ran, unless nil, is called with each version of a workflow that runs.
	ran func(workflowID, version int64)
}

// outside runs workflows for steps outside of workflow runs. Each has its own
// family.
type outside struct {
	service   *Service
	workspace int64
	env       func() step.Env
	ran       func(workflowID, version int64)
}

// Outside returns a runner of workflows for steps outside of workflow runs,
// such as columns of evaluations. Their nodes get the environment that env
// returns, except for Values, Depth and Workflows. ran, unless nil, is called with
// each version of a workflow that runs, also within others; it must be safe for
// concurrent use.
func (s *Service) Outside(workspace int64, env func() step.Env, ran func(workflowID, version int64)) step.Workflows {
	return outside{s, workspace, env, ran}
}

// Run runs a workflow to its end, as nested.Run does.
func (o outside) Run(ctx context.Context, request step.WorkflowRequest) (jsontree.Value, error) {
	return nested{o.service, &family{scope: Scope{Workspace: o.workspace}, env: o.env, ran: o.ran}}.Run(ctx, request)
}

// maxNested is the maximum number of nested runs of one run: a few workflows
// that call each other repeatedly would never end.
const maxNested = 5000

// Run runs a workflow to its end and returns its final output. The fault is
// NotFound if the workflow or version does not exist, and BadRequest if no output
// node succeeded or there are too many nested runs.
func (n nested) Run(ctx context.Context, request step.WorkflowRequest) (jsontree.Value, error) {
	if n.family.started.Add(1) > maxNested {
		return jsontree.Value{}, fault.BadRequestf("the run has started more than %d workflows", maxNested)
	}
	compiled, err := n.find(ctx, request)
	if err != nil {
		return jsontree.Value{}, err
	}
	if n.family.ran != nil {
		n.family.ran(compiled.workflowID, compiled.version)
	}
	span := runtrace.From(ctx).Next(partOf(compiled, request.Inputs, n.service.options.Clock(), nil))
	span.Begin()
	output, err := n.drive(ctx, compiled, request, span)
	span.Finish(n.service.spanResult(output, err))
	return output, err
}

// drive runs a compiled workflow to its end.
func (n nested) drive(ctx context.Context, compiled *graph, request step.WorkflowRequest, span *runtrace.Span) (jsontree.Value, error) {
	x := n.service.execution(compiled, request.Inputs, n.family, request.Depth, unrecorded{}, nil, span)
	err := x.drive(ctx)
	x.trace(x.takeChanged())
	if err != nil {
		return jsontree.Value{}, err
	}
	output, ok := final(compiled, x.states)
	if !ok {
		return jsontree.Value{}, fault.BadRequestf("the workflow produced no output: %s", firstFailure(compiled, x.states))
	}
	return output, nil
}

func (n nested) find(ctx context.Context, request step.WorkflowRequest) (*graph, error) {
	if request.VersionID != 0 {
		found, err := n.service.options.Definitions.FindVersion(ctx, n.family.scope.Workspace, request.VersionID)
		if err != nil {
			return nil, err
		}
		return n.service.graphs.of(found)
	}
	identifier := request.Name
	if request.ID != 0 {
		identifier = strconv.FormatInt(request.ID, 10)
	}
	found, err := n.service.options.Definitions.Find(ctx, n.family.scope.Workspace, identifier,
		registry.Selector{Number: request.Version, Label: request.Label})
	if err != nil {
		return nil, err
	}
	return n.service.graphs.of(found)
}

// unrecorded is the recorder of nested runs, which are not stored.
type unrecorded struct{}

func (unrecorded) began(context.Context, []NodeState) error      { return nil }
func (unrecorded) progressed(context.Context, []NodeState) error { return nil }

// maxGraphs is the maximum number of cached graphs.
const maxGraphs = 500

// graphCache caches compiled definitions, which are immutable, by graphKey.
type graphCache struct {
	mu     sync.Mutex
	graphs map[int64]*graph
}

func newGraphCache() *graphCache { return &graphCache{graphs: map[int64]*graph{}} }

func (c *graphCache) get(key int64) *graph {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.graphs[key]
}

// of returns the compiled version.
func (c *graphCache) of(found *workflow.Found) (*graph, error) {
	return c.as(found.Version.ID, found)
}

// as returns the compiled definition, which has the key in the cache.
func (c *graphCache) as(key int64, found *workflow.Found) (*graph, error) {
	if known := c.get(key); known != nil && known.workflow == found.Entity.Name {
		return known, nil
	}
	compiled, err := compileFound(found)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.graphs) >= maxGraphs {
		clear(c.graphs)
	}
	c.graphs[key] = compiled
	return compiled, nil
}

func compileFound(found *workflow.Found) (*graph, error) {
	definition, err := found.Definition()
	if err != nil {
		return nil, err
	}
	compiled, err := compile(&definition)
	if err != nil {
		return nil, err
	}
	compiled.workflow, compiled.workflowID, compiled.version = found.Entity.Name, found.Entity.ID, found.Version.Number
	return compiled, nil
}
