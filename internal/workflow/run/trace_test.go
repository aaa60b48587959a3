package run_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/runtrace"
	"github.com/promptuary/promptuary/internal/runtrace/runtracetest"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// withTraces lets a process write traces to a store.
func withTraces(store *runtracetest.Store) func(*setup) {
	return func(s *setup) { s.options.Traces = store.Writer(s.lab.t) }
}

func (l *lab) traceID(run int64) string { return runtrace.ID("workflow run", l.workspace, run) }

// wantTrace waits for a trace.
func (l *lab) wantTrace(store *runtracetest.Store, run int64, want string) {
	l.t.Helper()
	got := ""
	met := func() bool { got = store.Tree(l.workspace, l.traceID(run)); return got == want }
	for end := time.Now().Add(30 * time.Second); !met() && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	check.Equal(l.t, "trace", got, want)
}

func TestTraceOfARun(t *testing.T) {
	t.Parallel()
	l, store := onSQLite(t), &runtracetest.Store{}
	p := l.process("a", withTraces(store))
	l.create("inner", `{"nodes":[{"name":"out","node_type":"COALESCE","configuration":{"sources":["v","v2"]},"is_output_node":true}],"required_input_variables":{"v":"string","v2":"string"}}`)
	made := l.create("w", `{"required_input_variables":{"in":"string"},"nodes":[`+
		variable("a", `"x"`, false)+`,`+
		`{"name":"b","node_type":"COMPARE","configuration":{"sources":["a","in"]},"is_output_node":false},`+
		human("c", false, "a")+`,`+
		variable("d", `1`, false, "c")+`,`+
		calls("e", "inner", `{"v":"in"}`)+`]}`)
	id := p.start("w", `{"in":"y"}`, func(r *run.Request) { r.Metadata = check.JSON(`{"user_id":"ann"}`) })
	p.done(id)
	l.wantTrace(store, id, `Workflow Run OK {"in":"y"} -> "y"
  a: variable OK {} -> "x"
  b: compare OK {"a":"x","in":"y"} -> false
  c: human ERROR {"a":"x"} ! human input is not available
  e: workflow OK {"in":"y"} -> "y"
    Workflow Run OK {"v":"y"} -> "y"
      out: coalesce OK {"v":"y"} -> "y"
`)
	spans := store.Spans(l.workspace, l.traceID(id))
	root := spans[0]
	check.Equal(t, "root", string(root.Attributes), fmt.Sprintf(`{"node_type":"WORKFLOW","function_input":"{\"in\":\"y\"}","function_output":"\"y\"",`+
		`"workflow_name":"w","workflow_id":%d,"workflow_version":1,"workflow_version_execution_id":%d,"workspace_id":%d}`, made.Entity.ID, id, l.workspace))
	check.Equal(t, "resource", string(root.Resource), `{"service.name":"promptuary","promptlayer.metadata.user_id":"ann"}`)
	for _, span := range spans {
		check.Equal(t, "user of "+span.Name, span.Index.User, "ann")
		check.Equal(t, "logs of "+span.Name, span.LogSpanID, span.SpanID)
	}
	check.Equal(t, "type", spans[1].Index, reqlog.SpanIndex{Type: "VARIABLE", User: "ann", Workflow: made.Entity.ID, WorkflowVersion: 1, OutputText: `"x"`})
	check.Equal(t, "another workspace", store.Tree(l.other, l.traceID(id)), "")
}

func TestTraceOfAFailedRun(t *testing.T) {
	t.Parallel()
	l, store := onSQLite(t), &runtracetest.Store{}
	p := l.process("a", withTraces(store))
	l.create("w", nodes(human("h", true)))
	id := p.start("w", `{}`)
	p.done(id)
	l.wantTrace(store, id, `Workflow Run ERROR {} ! node 'h' failed: human input is not available
  h: human ERROR {} ! human input is not available
`)
}

// TestTraceOfARunThatAnotherProcessContinues loses a process, with and without
// the spans that it wrote.
func TestTraceOfARunThatAnotherProcessContinues(t *testing.T) {
	for name, writes := range map[string]bool{"its spans are stored": true, "its spans are lost": false} {
		t.Run(name, func(t *testing.T) {
			onEachEngine(t, func(t *testing.T, l *lab) { continuesTrace(t, l, writes) })
		})
	}
}

func continuesTrace(t *testing.T, l *lab, writes bool) {
	t.Helper()
	w, store, lostStore := newWorld(t), &runtracetest.Store{}, &runtracetest.Store{}
	if writes {
		lostStore = store
	}
	l.create("w", w.waits())
	lost := l.process("lost", withTraces(lostStore))
	id := lost.start("w", `{}`)
	check.Next(t, w.begun)
	check.Eventually(t, "the trace shows what is in progress", func() bool {
		return strings.Contains(lostStore.Tree(l.workspace, l.traceID(id)), "  effect: endpoint UNSET {\"first\":\"/first\"}\n")
	})
	l.clock.Advance(2 * time.Minute)
	l.process("another", withTraces(store)).done(id)
	want := `Workflow Run OK {} -> "/first"
  before: variable OK {} -> "b"
  effect: endpoint ERROR {"first":"/first"} ! ` + interrupted + `
  first: endpoint OK {"before":"b"} -> "/first"
  parallel: variable OK {"first":"/first"} -> "c"
  joined: coalesce OK {"parallel":"c"} -> "c"
  last: endpoint OK {"joined":"c"} -> "/last"
`
	l.wantTrace(store, id, want)
	close(w.release)
	lost.jobs.Stop(l.ctx) // its late results must have no effect
	check.OK(t, lost.traces.Close(l.ctx))
	l.wantTrace(store, id, want)
}

// TestRunsDoNotDependOnTraces runs a workflow while spans cannot be stored.
func TestRunsDoNotDependOnTraces(t *testing.T) {
	t.Parallel()
	l, store := onSQLite(t), &runtracetest.Store{}
	store.Fail(fault.New(fault.Unavailable, "the store is away"))
	p := l.process("a", withTraces(store))
	l.create("w", nodes(variable("a", `1`, true)))
	id := p.start("w", `{}`)
	check.Equal(t, "output", string(p.done(id).Body(false)), `1`)
	check.Eventually(t, "the trace is tried", func() bool { return store.Calls() > 0 })
	store.Fail(nil)
	l.wantTrace(store, id, "Workflow Run OK {} -> 1\n  a: variable OK {} -> 1\n")
	store.Fail(errors.New("it is broken"))
	check.Equal(t, "output", string(p.runs("w", `{}`).Body(false)), `1`)
}
