package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Result is the current result of a run.
type Result struct {
	// Ended reports whether all nodes are final.
	Ended bool
	// Output is absent if no output node succeeded.
	Output jsontree.Value
	// Nodes is an object with the state of each node, in the order of the
	// definition.
	Nodes []byte
}

// Body returns the response body for a run: the output, or the nodes if all of
// them are requested, the run is active, or it has no output.
func (r *Result) Body(allOutputs bool) []byte {
	if !allOutputs && r.Ended && r.Output.Kind() != jsontree.Absent {
		return r.Output.Raw()
	}
	return r.Nodes
}

// Result returns the result of a run, restricted to one node if its name or id
// is given. The fault is NotFound if the workspace has no such run or the run
// no such node.
func (s *Service) Result(ctx context.Context, workspace, id int64, nodeName, nodeID *string) (*Result, error) {
	run, err := s.get(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	states, compiled, err := s.state(ctx, run)
	if err != nil {
		return nil, err
	}
	result := resultOf(run, compiled, states)
	if nodeName == nil && nodeID == nil {
		return result, nil
	}
	only, err := s.position(ctx, run, compiled, nodeName, nodeID)
	if err != nil {
		return nil, err
	}
	result.Nodes = nodesOf(compiled, states, only)
	return result, nil
}

// position returns the index of the requested node.
func (s *Service) position(ctx context.Context, run Run, compiled *graph, name, id *string) (int, error) {
	if name != nil {
		if i, known := compiled.byName[*name]; known {
			return i, nil
		}
		return 0, fault.NotFoundf("Workflow node not found")
	}
	found, err := s.found(ctx, run)
	if err != nil {
		return 0, err
	}
	definition, err := found.Definition()
	if err != nil {
		return 0, err
	}
	for i := range definition.Nodes {
		if strings.EqualFold(definition.Nodes[i].ID, *id) {
			return i, nil
		}
	}
	return 0, fault.NotFoundf("Workflow node not found")
}

func resultOf(run Run, compiled *graph, states []NodeState) *Result {
	result := &Result{Ended: run.EndedAt != nil, Nodes: nodesOf(compiled, states, -1)}
	result.Output, _ = final(compiled, states)
	return result
}

// final returns the value of the output node that succeeded first, and whether
// there is one.
func final(g *graph, states []NodeState) (output jsontree.Value, ok bool) {
	first := math.MaxInt
	for _, state := range states {
		if state.Status == Success && state.Sequence < first && g.nodes[state.Position].isOutput {
			first, output, ok = state.Sequence, state.Value, true
		}
	}
	return output, ok
}

// firstFailure returns the message of the first failed node.
func firstFailure(g *graph, states []NodeState) string {
	first, text := math.MaxInt, "all output nodes were skipped"
	for _, state := range states {
		if state.Status == Failed && state.Sequence < first {
			first, text = state.Sequence, fmt.Sprintf("node '%s' failed: %s", g.nodes[state.Position].name, state.Message)
		}
	}
	return text
}

// nodesOf returns an object of all nodes, or of one.
func nodesOf(g *graph, states []NodeState, only int) []byte {
	all := make([]NodeState, len(g.nodes))
	for i := range all {
		all[i].Status = Queued
	}
	for _, state := range states {
		if state.Position < len(all) {
			all[state.Position] = state
		}
	}
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		for i := range all {
			if only < 0 || only == i {
				writeState(w.Key(g.nodes[i].name), &all[i], g.nodes[i].isOutput)
			}
		}
	})
	return w.Bytes()
}

func writeState(w *jsontree.Writer, state *NodeState, isOutput bool) {
	w.Object(func() {
		w.Key("status").String(string(state.Status))
		w.Key("value").Value(state.Value)
		w.Key("error_message").StringOrNull(state.Message)
		w.Key("raw_error_message").StringOrNull(state.Raw)
		w.Key("is_output_node").Bool(isOutput)
		if state.Retries > 0 {
			w.Key("retries").Int(int64(state.Retries))
		}
	})
}

// Limits of a callback.
const (
	callbackTries = 3
	callbackTime  = 30 * time.Second
)

// callBack sends the callback at the end of a run. A failed callback is not a
// failure of the run. The error is job.ErrStopped if another process has to
// continue.
func (s *Service) callBack(ctx context.Context, task *job.Task, run Run, result *Result) error {
	if errors.Is(context.Cause(ctx), job.ErrCancelled) {
		ctx = context.WithoutCancel(ctx) // the callback reports the cancellation
	}
	result.Ended = true
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("workflow_version_execution_id").Int(run.ID)
		w.Key("final_output").Raw(result.Body(run.AllOutputs))
	})
	body := w.Bytes()
	for try := 1; ; try++ {
		err := s.postOnce(ctx, run.CallbackURL, body)
		if err == nil {
			return nil
		}
		s.options.Logger.Info("a callback failed", "run", run.ID, "try", try, "error", err)
		if try == callbackTries && ctx.Err() == nil {
			return nil
		}
		if err := pause(ctx, task.Stopping(), time.Duration(try)*time.Second); err != nil {
			return err
		}
	}
}

func (s *Service) postOnce(ctx context.Context, url string, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, callbackTime)
	defer cancel()
	return s.options.Post(ctx, url, body)
}

// pause waits, unless ctx ends or the process is stopping.
func pause(ctx context.Context, stopping <-chan struct{}, how time.Duration) error {
	timer := time.NewTimer(how)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-stopping:
		return job.ErrStopped
	}
}
