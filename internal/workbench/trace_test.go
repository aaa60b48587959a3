package workbench_test

import (
	"slices"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/runtrace"
	"github.com/promptuary/promptuary/internal/runtrace/runtracetest"
)

// span returns the root of a trace at home that is kept in memory.
func (w *world) span(traces *runtracetest.Store) *runtrace.Span {
	return traces.Writer(w.t).Trace(w.home.Workspace, "t", jsontree.Value{}).Root(runtrace.Part{Name: "node", Type: "PROMPT_TEMPLATE", Start: time.Unix(1_800_000_000, 0)})
}

// TestCallsOfAStepHaveSpans runs a prompt whose model asks for tools.
func TestCallsOfAStepHaveSpans(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.offer("openai", w.addTool("get_time", `return "noon"`), w.addTool("get_weather", `throw new Error("no idea")`))
	w.provider.turns = []string{wants("get_time", `{"x":1}`, "get_weather", "{}"), wants("get_time", "{}"), chatAnswer(`"It is noon."`)}
	traces := &runtracetest.Store{}
	span := w.span(traces)
	ctx := runtrace.With(access.AsSystem(t.Context()), span)
	check.Must(w.runWithin(ctx, w.home, "PROMPT_TEMPLATE", askStep, `{"city":"Rome"}`))(t)
	span.Finish(runtrace.Result{End: time.Unix(1_800_000_100, 0)})
	var names []string
	ids := map[string]bool{}
	check.Eventually(t, "the spans are written", func() bool { return len(traces.Spans(w.home.Workspace, "t")) == 6 })
	for _, span := range traces.Spans(w.home.Workspace, "t") {
		names = append(names, span.Name+" "+span.Index.Type+" "+span.Index.Model+" "+span.Index.ToolName+" "+span.Status+" "+span.StatusMessage)
		ids[span.SpanID] = span.Index.Model != ""
	}
	slices.Sort(names)
	check.Equal(t, "spans", names, []string{
		"Tool: get_time TOOL  get_time OK ", "Tool: get_time TOOL  get_time OK ", "Tool: get_weather TOOL  get_weather ERROR Error: no idea (line 1)",
		"m LLM_CALL m  OK ", "m LLM_CALL m  OK ", "node PROMPT_TEMPLATE m  OK ",
	})
	seen := map[string]bool{}
	for _, log := range w.logged(w.home) {
		if !ids[log.SpanID] || seen[log.SpanID] {
			t.Errorf("log %d has the span %q", log.ID, log.SpanID)
		}
		seen[log.SpanID] = true
	}
	check.Equal(t, "logs", len(seen), 3)
	check.Equal(t, "the first log", w.logged(w.home)[0].SpanID, span.ID())
}

// TestCallsOutsideOfTracesHaveNoSpan runs a step that is not traced.
func TestCallsOutsideOfTracesHaveNoSpan(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.greet()
	w.value(w.home, "PROMPT_TEMPLATE", greeting, `{"name":"Ann"}`)
	check.Equal(t, "span", w.onlyLog(w.home).SpanID, "")
}
