package run

import (
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/runtrace"
	"github.com/promptuary/promptuary/internal/step"
)

// TraceID returns the id of the trace that the run writes.
func (r *Run) TraceID() string { return runtrace.ID(string(Kind), r.Workspace, r.ID) }

// rootSpan returns the span of a stored run.
func (s *Service) rootSpan(run Run, g *graph) *runtrace.Span {
	return s.options.Traces.Trace(run.Workspace, run.TraceID(), run.Metadata).Root(partOf(g, run.Inputs, run.CreatedAt, func(w *jsontree.Writer) {
		w.Key("workflow_version_execution_id").Int(run.ID)
		w.Key("workspace_id").Int(run.Workspace)
		if run.DryRun {
			w.Key("dry_run").Bool(true)
		}
	}))
}

// partOf describes the run of a workflow. The function, unless nil, writes
// further attributes.
func partOf(g *graph, inputs jsontree.Value, start time.Time, more func(w *jsontree.Writer)) runtrace.Part {
	return runtrace.Part{Name: "Workflow Run", Type: "WORKFLOW", Start: start, Input: inputs.Raw(), Attributes: func(w *jsontree.Writer) {
		w.Key("workflow_name").String(g.workflow)
		g.writeIDs(w)
		if more != nil {
			more(w)
		}
	}}
}

func (g *graph) writeIDs(w *jsontree.Writer) {
	w.Key("workflow_id").Int(g.workflowID)
	w.Key("workflow_version").Int(g.version)
}

// rootResult returns how a run has ended.
func (s *Service) rootResult(g *graph, states []NodeState, became Status) runtrace.Result {
	r := runtrace.Result{End: s.options.Clock()}
	switch became {
	case Cancelled:
		r.Error = cancelled
	case Failed:
		r.Error = firstFailure(g, states)
	default:
		output, _ := final(g, states)
		r.Output = output.Raw()
	}
	return r
}

// spanResult returns how a nested run has ended.
func (s *Service) spanResult(output jsontree.Value, err error) runtrace.Result {
	r := runtrace.Result{End: s.options.Clock(), Output: output.Raw()}
	if err != nil {
		r.Error, _ = step.Explain(err)
	}
	return r
}

// nodeSpan returns the span of a node that has started.
func (x *execution) nodeSpan(i int) *runtrace.Span {
	if x.span == nil {
		return nil
	}
	n := &x.graph.nodes[i]
	return x.span.Child("node "+n.name, runtrace.Part{
		Name: n.name + ": " + strings.ToLower(n.typeName), Type: n.typeName, Start: *x.states[i].StartedAt,
		Input: runtrace.Object(n.reads, x.value), Attributes: x.graph.writeIDs,
	})
}

// traceKnown writes the spans of nodes that another process has run. It may have
// been lost before it wrote them.
func (x *execution) traceKnown() {
	for i := range x.states {
		state := &x.states[i]
		if state.StartedAt == nil {
			continue
		}
		x.spans[i] = x.nodeSpan(i)
		if state.Status.Final() {
			x.spans[i].Finish(resultOfNode(state))
		}
	}
}

// trace writes the spans of nodes whose states are stored, so that a process that
// has lost its run does not change the trace.
func (x *execution) trace(stored []NodeState) {
	for i := range stored {
		if state := &stored[i]; state.Status == Success || state.Status == Failed {
			x.spans[state.Position].Finish(resultOfNode(state))
		}
	}
}

// resultOfNode returns how a node has ended.
func resultOfNode(state *NodeState) runtrace.Result {
	r := runtrace.Result{Output: state.Value.Raw(), Error: state.Message}
	if state.EndedAt != nil {
		r.End = *state.EndedAt
	}
	if state.Raw != state.Message {
		r.Detail = state.Raw
	}
	return r
}
