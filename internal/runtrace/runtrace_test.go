package runtrace_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/runtrace"
	"github.com/promptuary/promptuary/internal/runtrace/runtracetest"
)

var start = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func part(name string) runtrace.Part { return runtrace.Part{Name: name, Type: "T", Start: start} }

func TestIDs(t *testing.T) {
	t.Parallel()
	check.Equal(t, "id", runtrace.ID("workflow run", 1, 2), "d6464e9c5498e7d0c771425fb5694b1c")
	seen := map[string]bool{}
	for _, kind := range []string{"a", "b"} {
		for workspace := range int64(3) {
			for run := range int64(30) {
				seen[runtrace.ID(kind, workspace, run)] = true
			}
		}
	}
	check.Equal(t, "different ids", len(seen), 180)
}

func TestNilRecordsNothing(t *testing.T) {
	t.Parallel()
	var w *runtrace.Writer
	span := w.Trace(1, "t", jsontree.Value{}).Root(part("root"))
	span.Begin()
	span.Finish(runtrace.Result{})
	check.Equal(t, "id", span.Next(part("next")).ID()+span.Call(runtrace.Model{}, start).ID()+span.Child("k", part("child")).ID(), "")
	check.Equal(t, "span", runtrace.From(t.Context()), nil)
	check.Equal(t, "span", runtrace.From(runtrace.With(t.Context(), span)), nil)
}

func TestCallsOfOneSpan(t *testing.T) {
	t.Parallel()
	store := &runtracetest.Store{}
	w := store.Writer(t)
	root := w.Trace(1, "t", jsontree.Value{}).Root(part("root"))
	model := runtrace.Model{Provider: "openai", Name: "gpt"}
	check.Equal(t, "first call", root.Call(model, start).ID(), root.ID())
	second, third := root.Call(runtrace.Model{Name: "gpt a"}, start), root.Call(runtrace.Model{Name: "gpt b"}, start)
	if second.ID() == root.ID() || second.ID() == third.ID() {
		t.Error("calls share a span")
	}
	second.Finish(runtrace.Result{End: start.Add(time.Second)})
	third.Finish(runtrace.Result{End: start, Error: "failed"})
	root.Finish(runtrace.Result{End: start.Add(-time.Hour), Error: "broken", Detail: "line 1"})
	check.OK(t, w.Close(t.Context()))
	check.Equal(t, "trace", store.Tree(1, "t"), "root ERROR ! broken\n  gpt a OK\n  gpt b ERROR ! failed\n")
	spans := store.Spans(1, "t")
	check.Equal(t, "end", spans[0].End, spans[0].Start)
	check.Equal(t, "events", string(spans[0].Events), fmt.Sprintf(
		`[{"name":"exception","timestamp":"%d","attributes":{"exception.message":"broken","exception.stacktrace":"line 1"}}]`, start.UnixNano()))
	check.Equal(t, "models", []string{spans[0].Index.Model, spans[1].Index.Model}, []string{"gpt", "gpt a"})
	check.Equal(t, "type", spans[1].Index.Type, "LLM_CALL")
}

// TestBounds writes a trace with too many spans and too much content.
func TestBounds(t *testing.T) {
	t.Parallel()
	store := &runtracetest.Store{}
	w := store.Writer(t)
	root := w.Trace(1, "t", check.JSON(`{"k":"`+strings.Repeat("m", 5000)+`"}`)).Root(part("root"))
	large := []byte(`"` + strings.Repeat("é", 20_000) + `"`)
	message := string(large)
	for i := range runtrace.MaxSpans + 7 {
		part := part("part")
		part.Input = large
		root.Child(fmt.Sprint(i), part).Finish(runtrace.Result{End: start, Error: message})
	}
	root.Finish(runtrace.Result{End: start})
	check.OK(t, w.Close(t.Context()))
	spans := store.Spans(1, "t")
	check.Equal(t, "spans", len(spans), runtrace.MaxSpans+1)
	check.Equal(t, "missing", string(check.JSON(string(spans[0].Attributes)).Get("missing_spans").Raw()), "7")
	check.Equal(t, "resource", string(spans[0].Resource), `{"service.name":"promptuary"}`)
	total := int64(0)
	for _, span := range spans {
		total += span.DataSize()
	}
	if total > 64<<20 {
		t.Errorf("the trace has %d bytes", total)
	}
}

func TestObject(t *testing.T) {
	t.Parallel()
	values := map[string]jsontree.Value{
		"a": check.JSON(`{"x":1}`), "null": check.JSON(`null`), "large": check.JSON(`"` + strings.Repeat("l", 1<<20) + `"`),
	}
	got := check.JSON(string(runtrace.Object([]string{"a", "none", "null", "large"}, func(name string) jsontree.Value { return values[name] })))
	check.Equal(t, "members", got.Len(), 2)
	check.Equal(t, "small", string(got.Get("a").Raw()), `{"x":1}`)
	if length := len(got.Get("large").Str()); length < 1000 || length > 10_000 {
		t.Errorf("the large one has %d bytes", length)
	}
}

// TestStoreThatIsAway fills the queue while nothing can be stored.
func TestStoreThatIsAway(t *testing.T) {
	t.Parallel()
	store := &runtracetest.Store{}
	store.Fail(fault.New(fault.Unavailable, "away"))
	w := store.Writer(t)
	var roots []*runtrace.Span
	for i := range 5 {
		root := w.Trace(1, fmt.Sprint(i), jsontree.Value{}).Root(part("root"))
		for n := range runtrace.MaxSpans {
			root.Child(fmt.Sprint(n), part("part")).Finish(runtrace.Result{End: start})
		}
		roots = append(roots, root)
	}
	if dropped := w.Dropped(); dropped < 29_000 || dropped > 30_000 { // a batch may be on its way
		t.Errorf("%d spans were dropped", dropped)
	}
	other := w.Trace(2, "other", jsontree.Value{}).Root(part("root"))
	other.Child("c", part("part")).Finish(runtrace.Result{End: start}) // another workspace has room
	for _, root := range append(roots, other) {
		root.Finish(runtrace.Result{End: start})
	}
	store.Fail(nil)
	check.OK(t, w.Close(t.Context()))
	check.Equal(t, "spans of the first", len(store.Spans(1, "0")), runtrace.MaxSpans+1)
	last := store.Spans(1, "4")
	missing, _ := check.JSON(string(last[0].Attributes)).Get("missing_spans").Int()
	check.Equal(t, "missing", missing, int64(runtrace.MaxSpans+1-len(last)))
	check.Equal(t, "the other workspace", store.Tree(2, "other"), "root OK\n  part OK\n")
}

// TestClose gives up spans that the store does not take, and does not wait for a
// store that hangs.
func TestClose(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{"away": fault.New(fault.Unavailable, "away"), "broken": errors.New("broken")} {
		store := &runtracetest.Store{}
		store.Fail(err)
		w := store.Writer(t)
		w.Trace(1, "t", jsontree.Value{}).Root(part("root")).Begin()
		check.OK(t, w.Close(t.Context()))
		check.Equal(t, name, store.Calls() > 0, true)
	}
	hanging := runtrace.NewWriter(runtrace.Options{Store: hangs{}})
	hanging.Trace(1, "t", jsontree.Value{}).Root(part("root")).Begin()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	check.Equal(t, "error", errors.Is(hanging.Close(ctx), context.DeadlineExceeded), true)
}

// hangs is a store that answers only when its caller gives up.
type hangs struct{}

// LogSpans implements runtrace.Store.
func (hangs) LogSpans(ctx context.Context, _ int64, _ requests.SpanInput) (reqlog.SpanResult, error) {
	<-ctx.Done()
	return reqlog.SpanResult{}, fault.Wrap(fault.Unavailable, context.Cause(ctx), "ended")
}

// TestSpansShareCommits writes many spans in a few calls.
func TestSpansShareCommits(t *testing.T) {
	t.Parallel()
	store := &runtracetest.Store{}
	w := store.Writer(t)
	root := w.Trace(1, "t", jsontree.Value{}).Root(part("root"))
	root.Begin()
	for i := range 100 {
		root.Child(fmt.Sprint(i), part("part")).Finish(runtrace.Result{End: start})
	}
	root.Finish(runtrace.Result{End: start})
	check.OK(t, w.Close(t.Context()))
	check.Equal(t, "spans", len(store.Spans(1, "t")), 101)
	if calls := store.Calls(); calls > 10 {
		t.Errorf("%d calls", calls)
	}
}
