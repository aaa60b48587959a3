package run

import (
	"context"
	"errors"
	"time"

	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/plan"
	"github.com/promptuary/promptuary/internal/runtrace"
	"github.com/promptuary/promptuary/internal/step"
)

// recorder stores the states of the nodes of a run. One goroutine calls all of
// its methods.
type recorder interface {
	// began is called before steps with side effects start, with their nodes and
	// those that changed since the last call. The steps start only after it has
	// stored them.
	began(ctx context.Context, changed []NodeState) error
	// progressed is called periodically with the nodes that changed.
	progressed(ctx context.Context, changed []NodeState) error
}

// execution is an active run. One goroutine drives it; slow steps run in their
// own goroutines and report to it.
type execution struct {
	graph  *graph
	inputs jsontree.Value
	env    step.Env
	record recorder
	clock  func() time.Time
	// stopping is closed when nothing new should start; it may be nil.
	stopping <-chan struct{}
	// limit is the maximum number of concurrent slow steps.
	limit int
	// retryWait is the wait before the first retry of a node; it doubles each time.
	retryWait time.Duration

	// span is the span of the run, nil if it is not traced, and spans has those of
	// the nodes that have started.
	span  *runtrace.Span
	spans []*runtrace.Span

	// report is called with every failure.
	report func(node string, err error)

	states   []NodeState
	progress *plan.Progress // which prerequisites are final
	ready    []int
	changed  map[int]bool // since the last call of the recorder
	active   int
	sequence int
	results  chan result
}

// result is the end of a step, or that of the wait before a retry.
type result struct {
	node  int
	retry bool
	value jsontree.Value
	err   error
}

// maxActive is the maximum number of concurrent slow steps of one run.
const maxActive = 32

// activeAt returns the limit for a run at a nesting depth: the deeper, the
// lower, because each step of the outer runs may be a run like it.
func activeAt(depth int) int { return max(1, maxActive>>(2*depth)) }

// newExecution returns a run that continues from the states, which may be
// empty.
func newExecution(
	g *graph, inputs jsontree.Value, env step.Env, record recorder, states []NodeState, clock func() time.Time, span *runtrace.Span,
) *execution {
	x := &execution{
		graph: g, inputs: inputs, env: env, record: record, clock: clock, limit: activeAt(env.Depth), span: span, spans: make([]*runtrace.Span, len(g.nodes)),
		states:  make([]NodeState, len(g.nodes)),
		changed: map[int]bool{}, results: make(chan result, maxActive),
	}
	for i := range x.states {
		x.states[i] = NodeState{Position: i, Status: Queued}
	}
	for _, known := range states {
		if known.Position < len(x.states) {
			x.states[known.Position] = known
			x.sequence = max(x.sequence, known.Sequence)
		}
	}
	x.env.Values = values{x}
	x.resume()
	return x
}

// resume finds the remaining work. Steps that were active when another process
// was lost run again only if they have no side effects.
func (x *execution) resume() {
	x.traceKnown()
	for i := range x.states {
		if x.states[i].Status == Running && x.graph.nodes[i].work != step.Effect {
			x.states[i].Status, x.states[i].StartedAt = Queued, nil
			x.changed[i] = true
		}
	}
	x.progress = x.graph.waits.Progress(func(i int) bool { return x.states[i].Status.Final() })
	for i := range x.graph.nodes {
		if x.progress.Ready(i) && x.states[i].Status == Queued {
			x.ready = append(x.ready, i)
		}
	}
	for i := range x.states {
		if x.states[i].Status == Running {
			x.finish(i, Failed, jsontree.Value{}, interrupted, interrupted)
		}
	}
}

// saveEvery is the interval for storing progress during slow steps.
const saveEvery = 250 * time.Millisecond

// drive runs until all nodes are final. If the context ends or the process
// stops, it waits for active steps and returns the reason; the caller saves the
// remaining changes.
func (x *execution) drive(ctx context.Context) error {
	saving := time.NewTicker(saveEvery)
	defer saving.Stop()
	for {
		err := x.advance(ctx)
		if err == nil && x.active == 0 {
			return x.why(ctx)
		}
		if err == nil {
			err = x.wait(ctx, saving.C)
		}
		if err != nil {
			x.drain(ctx)
			return err
		}
	}
}

// why returns why the run did not complete, or nil.
func (x *execution) why(ctx context.Context) error {
	if len(x.ready) == 0 {
		return nil
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return errStopping
}

var errStopping = errors.New("the process is stopping")

// halted reports whether nothing new may start.
func (x *execution) halted(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	case <-x.stopping:
		return true
	default:
		return false
	}
}

// advance runs all fast steps that are ready and starts the slow ones.
func (x *execution) advance(ctx context.Context) error {
	var begin, later []int
	for len(x.ready) > 0 && !x.halted(ctx) {
		next := x.ready[0]
		x.ready = x.ready[1:]
		switch {
		case !x.admitted(next):
			x.finish(next, Skipped, jsontree.Value{}, "", "")
		case x.graph.nodes[next].work == step.Inline:
			x.start(next, x.clock())
			x.settle(ctx, x.run(ctx, next))
		case x.active+len(begin) >= x.limit:
			later = append(later, next)
		default:
			begin = append(begin, next)
		}
	}
	x.ready = append(later, x.ready...)
	return x.begin(ctx, begin)
}

// begin starts slow steps. The start of steps with side effects is recorded
// first; for the others it can wait, because most end soon.
func (x *execution) begin(ctx context.Context, nodes []int) error {
	if len(nodes) == 0 {
		return nil
	}
	hasEffect := false
	now := x.clock()
	for _, i := range nodes {
		x.start(i, now)
		x.states[i].Status = Running
		x.changed[i] = true
		hasEffect = hasEffect || x.graph.nodes[i].work == step.Effect
	}
	if hasEffect {
		if err := x.tell(ctx, x.record.began); err != nil {
			for _, i := range nodes {
				x.putBack(i)
			}
			return err
		}
	}
	for _, i := range nodes {
		x.active++
		x.spans[i].Begin()
		guard.Go("step of a run", func() { x.results <- x.run(ctx, i) })
	}
	return nil
}

// start notes when a node starts. Its retries are part of the same span.
func (x *execution) start(i int, at time.Time) {
	if x.states[i].StartedAt != nil {
		return
	}
	x.states[i].StartedAt = &at
	x.spans[i] = x.nodeSpan(i)
}

// putBack resets a node to its state before it started.
func (x *execution) putBack(i int) {
	x.states[i].Status, x.states[i].StartedAt = Queued, nil
	x.changed[i] = true
	x.ready = append(x.ready, i)
}

// tell passes the changed nodes to the recorder, and again later if it fails.
func (x *execution) tell(ctx context.Context, record func(ctx context.Context, changed []NodeState) error) error {
	changed := x.takeChanged()
	err := record(ctx, changed)
	if err != nil {
		for i := range changed {
			x.changed[changed[i].Position] = true
		}
		return err
	}
	x.trace(changed)
	return nil
}

// wait waits for a step to end, and records progress periodically.
func (x *execution) wait(ctx context.Context, saving <-chan time.Time) error {
	select {
	case ended := <-x.results:
		x.active--
		x.settle(ctx, ended)
		return nil
	case <-saving:
		return x.tell(ctx, x.record.progressed)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// drain waits for the active steps, which the context interrupts.
func (x *execution) drain(ctx context.Context) {
	for x.active > 0 {
		ended := <-x.results
		x.active--
		x.settle(ctx, ended)
	}
}

// admitted reports whether a node whose prerequisites are final should run.
func (x *execution) admitted(i int) bool {
	n := &x.graph.nodes[i]
	if n.joins != nil {
		if !x.anySource(n.joins) {
			return false
		}
	} else {
		for _, need := range n.needs {
			if x.states[need].Status != Success {
				return false
			}
		}
	}
	for e := range n.edges {
		if !n.edges[e].holds(x.value) {
			return false
		}
	}
	return true
}

// anySource reports whether one of the sources has a value.
func (x *execution) anySource(names []string) bool {
	for _, name := range names {
		if i, isNode := x.graph.byName[name]; !isNode || x.states[i].Status == Success {
			return true
		}
	}
	return false
}

// value returns the value of a name, or null.
func (x *execution) value(name string) jsontree.Value {
	found, _ := values{x}.Get(name)
	return found
}

// run runs a step and turns a panic into an error.
func (x *execution) run(ctx context.Context, i int) result {
	r := result{node: i}
	env := x.env
	ctx = runtrace.With(ctx, x.spans[i])
	if above := x.graph.nodes[i].above; above != nil {
		env.Values = limited{values{x}, above}
	}
	r.err = guard.Run("step of a run", func() (err error) {
		r.value, err = x.graph.nodes[i].step.Run(ctx, &env)
		return err
	})
	return r
}

// settle stores the result of a step. A step that failed after the context had
// ended was interrupted, whatever its error is: it runs again if it has no side
// effects.
func (x *execution) settle(ctx context.Context, r result) {
	cause := context.Cause(ctx)
	switch {
	case r.retry:
		x.ready = append(x.ready, r.node)
	case r.err == nil:
		x.finish(r.node, Success, r.value, "", "")
	case errors.Is(cause, job.ErrCancelled):
		x.finish(r.node, Failed, jsontree.Value{}, cancelled, cancelled)
	case cause != nil && x.graph.nodes[r.node].work == step.Effect:
		x.finish(r.node, Failed, jsontree.Value{}, interrupted, interrupted)
	case cause != nil:
		x.putBack(r.node)
	default:
		x.report(x.graph.nodes[r.node].name, r.err)
		message, detail := step.Explain(r.err)
		if state := &x.states[r.node]; state.Retries < x.graph.nodes[r.node].retries {
			state.Message, state.Raw = message, detail
			x.retry(ctx, r.node)
			return
		}
		x.finish(r.node, Failed, jsontree.Value{}, message, detail)
	}
}

// finish makes a node final and finds the nodes that were waiting for it.
func (x *execution) finish(i int, status Status, value jsontree.Value, message, raw string) {
	x.sequence++
	now := x.clock()
	state := &x.states[i]
	state.Status, state.Value, state.Message, state.Raw = status, value, message, raw
	state.Sequence, state.EndedAt = x.sequence, &now
	x.changed[i] = true
	for _, fed := range x.progress.Done(i) {
		if !x.states[fed].Status.Final() {
			x.ready = append(x.ready, fed)
		}
	}
}

// giveUp makes all nodes final: those that started fail, the others are
// skipped.
func (x *execution) giveUp(message string) {
	for i := range x.states {
		switch state := &x.states[i]; {
		case state.Status.Final():
		case state.StartedAt == nil:
			x.finish(i, Skipped, jsontree.Value{}, message, message)
		default:
			x.finish(i, Failed, jsontree.Value{}, message, message)
		}
	}
	x.ready = nil
}

// takeChanged returns the nodes that changed since the last call.
func (x *execution) takeChanged() []NodeState {
	changed := make([]NodeState, 0, len(x.changed))
	for i := range x.states {
		if x.changed[i] {
			changed = append(changed, x.states[i])
		}
	}
	clear(x.changed)
	return changed
}
