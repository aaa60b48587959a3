package logstoretest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// CorpusSpans returns spans for some logs of the corpus, in two workspaces, and
// a few of their traces to close.
func CorpusSpans() []*reqlog.SpanBatch {
	var batches []*reqlog.SpanBatch
	for i, l := range Corpus() {
		if l.SpanID == "" || i%3 == 0 {
			continue
		}
		span := newSpan(l.Workspace, fmt.Sprintf("trace-%d", i/40), l.SpanID)
		span.Name, span.Start, span.End = l.Engine, l.Start, l.End
		if i%2 == 0 {
			span.LogSpanID, span.SpanID = l.SpanID, "outer-"+l.SpanID
		}
		batch := spans(span)
		if i%11 == 0 {
			batch.Close = []reqlog.Closure{closing(l.Workspace, span.TraceID)}
		}
		batches = append(batches, batch)
	}
	return batches
}

// newSpan returns a span with something in every member.
func newSpan(workspace int64, traceID, spanID string) *reqlog.Span {
	return &reqlog.Span{
		Workspace: workspace, TraceID: traceID, SpanID: spanID, LogSpanID: spanID, ParentID: "parent of " + spanID, TraceState: "a=b",
		Name: "step", Kind: reqlog.SpanClient, Status: reqlog.SpanError, StatusMessage: "it <failed>", Start: 1_700_000_000_000_000, End: 1_700_000_000_250_000,
		Attributes: json.RawMessage(`{ "gen_ai.system": "<x>", "n": 1.0 }`), Resource: json.RawMessage(`{"service.name":"s"}`),
		Events: json.RawMessage(`[{"name":"e"}]`), Links: json.RawMessage(`[{ "trace_id": "o" }]`), SchemaURL: "https://schema",
		Index: reqlog.SpanIndex{Type: "LLM_CALL", ToolName: "search", Model: "m", User: "u", Session: "c", Workflow: 3, WorkflowVersion: 2, OutputText: "out"},
	}
}

// spans returns a batch of spans without logs.
func spans(all ...*reqlog.Span) *reqlog.SpanBatch {
	return &reqlog.SpanBatch{Workspace: all[0].Workspace, Spans: all, Logs: make([]*reqlog.Log, len(all))}
}

// withLog returns a batch of one span with a log.
func withLog(span *reqlog.Span, id int64) *reqlog.SpanBatch {
	l := plain(id, "of a span")
	l.Workspace, l.SpanID = span.Workspace, span.LogSpanID
	batch := spans(span)
	batch.Logs[0] = l
	return batch
}

func closing(workspace int64, traceID string) reqlog.Closure {
	return reqlog.Closure{Workspace: workspace, TraceID: traceID, At: 1_700_000_001_000_000}
}

// writeSpans writes batches in one commit to both stores and compares what
// became of them.
func (s *suite) writeSpans(batches ...*reqlog.SpanBatch) []reqlog.SpanResult {
	s.t.Helper()
	s.ok(s.want.Write(s.ctx, reqlog.Batch{Spans: batches}))
	var want, got []reqlog.SpanResult
	for _, b := range batches {
		want = append(want, b.Result)
		b.Result = reqlog.SpanResult{}
	}
	s.ok(s.Store.Write(s.ctx, reqlog.Batch{Spans: batches}))
	for _, b := range batches {
		got = append(got, b.Result)
	}
	s.equal("results", got, want, exact)
	return got
}

// sameTrace compares a trace in both stores, its outline and one of its spans.
func (s *suite) sameTrace(workspace int64, traceID string, limit int) {
	s.t.Helper()
	q := query.TraceQuery{Workspace: workspace, TraceID: traceID, Limit: limit}
	s.sameSpans(q)
	q.MaxBytes = 1 // which does not limit outlines
	if outline := s.sameOutline(q); outline != nil {
		s.sameSpan(reqlog.SpanQuery{Workspace: workspace, TraceID: traceID, SpanID: outline.Spans[len(outline.Spans)-1].SpanID})
	}
}

func (s *suite) sameSpans(q query.TraceQuery) {
	s.t.Helper()
	want, err := s.want.Trace(s.ctx, q)
	got, gotErr := s.Store.Trace(s.ctx, q)
	if fault.Is(err, fault.NotFound) {
		s.fails(gotErr, fault.NotFound)
		return
	}
	s.ok(err)
	s.ok(gotErr)
	s.equal(fmt.Sprintf("%+v", q), got, want, exact)
}

// sameOutline returns the outline, nil if the trace does not exist.
func (s *suite) sameOutline(q query.TraceQuery) *reqlog.Outline {
	s.t.Helper()
	want, err := s.want.Outline(s.ctx, q)
	got, gotErr := s.Store.Outline(s.ctx, q)
	if fault.Is(err, fault.NotFound) {
		s.fails(gotErr, fault.NotFound)
		return nil
	}
	s.ok(err)
	s.ok(gotErr)
	s.equal(fmt.Sprintf("outline %+v", q), got, want, exact)
	return want
}

func (s *suite) sameSpan(q reqlog.SpanQuery) {
	s.t.Helper()
	want, err := s.want.Span(s.ctx, q)
	s.ok(err)
	got, err := s.Store.Span(s.ctx, q)
	s.ok(err)
	s.equal(fmt.Sprintf("span %+v", q), got, want, exact)
}

// testTraces reads the traces of the corpus.
func testTraces(s *suite) {
	for i := range 20 {
		for _, workspace := range []int64{Home, Away, 3} {
			s.sameTrace(workspace, fmt.Sprintf("trace-%d", i), 1000)
			s.sameTrace(workspace, fmt.Sprintf("trace-%d", i), 2)
			for _, size := range []int64{1, 200, 1000, 1 << 20} {
				s.sameSpans(query.TraceQuery{Workspace: workspace, TraceID: fmt.Sprintf("trace-%d", i), Limit: 1000, MaxBytes: size})
			}
		}
	}
}

// testSpans replaces spans, and links logs that arrive before, with and after
// their span.
func testSpans(s *suite) {
	early := plain(1, "early")
	early.SpanID = "b"
	s.append(early)
	s.writeSpans(spans(newSpan(Home, "t", "a"), newSpan(Home, "t", "b")), spans(newSpan(Away, "t", "a")))
	s.sameTrace(Home, "t", 10)
	late := plain(2, "late")
	late.SpanID = "a"
	s.append(late)
	s.sameTrace(Home, "t", 10)
	s.sameTrace(Away, "t", 10)
	s.sameLogs()

	changed := newSpan(Home, "t", "a")
	changed.Name, changed.Start, changed.LogSpanID = "changed", 5, "b"
	changed.Attributes, changed.Events, changed.ParentID, changed.Index = nil, nil, "", reqlog.SpanIndex{}
	s.writeSpans(spans(changed))
	s.sameTrace(Home, "t", 10)
	s.sameLogs()

	other := newSpan(Home, "s", "a") // the same span id in another trace
	s.writeSpans(spans(other), spans(changed), spans(newSpan(Home, "t", "a")))
	s.sameTrace(Home, "t", 10)
	s.sameTrace(Home, "s", 10)
	s.sameLogs()
	s.selects(home(query.Cond{Field: query.FieldTraceID, Op: query.OpIs, Texts: []string{"s"}}, ""))
	s.selects(home(query.Cond{Field: query.FieldHasTrace, Op: query.OpIsTrue}, ""))
	_, err := s.Store.Trace(s.ctx, query.TraceQuery{Workspace: 3, TraceID: "t", Limit: 1})
	s.fails(err, fault.NotFound)
	for _, q := range []reqlog.SpanQuery{{Workspace: 3, TraceID: "t", SpanID: "a"}, {Workspace: Home, TraceID: "t", SpanID: "c"}, {Workspace: Home, TraceID: "s", SpanID: "b"}} {
		_, err := s.Store.Span(s.ctx, q)
		s.fails(err, fault.NotFound)
	}
}

// testSpanLogs sends the same span with a log several times: in one batch, in
// the next one, and beside a log that has the span already.
func testSpanLogs(s *suite) {
	results := s.writeSpans(withLog(newSpan(Home, "t", "a"), 1), withLog(newSpan(Home, "t", "a"), 2), withLog(newSpan(Away, "t", "a"), 3))
	s.equal("log ids", []int64{results[0].LogIDs[0], results[1].LogIDs[0], results[2].LogIDs[0]}, []int64{1, 1, 3}, exact)
	results = s.writeSpans(withLog(newSpan(Home, "t", "a"), 4))
	s.equal("log id of a span sent again", results[0].LogIDs, []int64{1}, exact)
	tracked := plain(5, "tracked")
	tracked.SpanID = "m"
	s.append(tracked)
	results = s.writeSpans(withLog(newSpan(Home, "t", "m"), 6))
	s.equal("log id of a span with a log", results[0].LogIDs, []int64{5}, exact)
	s.sameLogs()
	s.sameTrace(Home, "t", 10)
	s.Store = s.Reopen()
	s.writeSpans(withLog(newSpan(Home, "t", "a"), 7), withLog(newSpan(Home, "t", "new"), 8))
	s.sameLogs()
	s.sameTrace(Home, "t", 10)
}

// testClosedTraces writes to closed traces.
func testClosedTraces(s *suite) {
	first := spans(newSpan(Home, "t", "a"), newSpan(Home, "open", "a"))
	first.Close = []reqlog.Closure{closing(Home, "t")}
	s.writeSpans(first)
	s.writeSpans(spans(newSpan(Home, "t", "b"), newSpan(Home, "open", "b")), withLog(newSpan(Home, "t", "c"), 1), spans(newSpan(Away, "t", "b")))
	whole := spans(newSpan(Home, "open", "c"), newSpan(Home, "t", "d"))
	whole.Whole, whole.Close = true, []reqlog.Closure{closing(Home, "open")}
	s.writeSpans(whole)
	again := &reqlog.SpanBatch{Workspace: Home, Close: []reqlog.Closure{closing(Home, "t"), closing(Home, "open")}}
	s.writeSpans(again, spans(newSpan(Home, "open", "e")))
	for _, id := range []string{"t", "open"} {
		s.sameTrace(Home, id, 10)
		s.sameTrace(Away, id, 10)
	}
	s.sameLogs()
	s.Store = s.Reopen()
	s.writeSpans(spans(newSpan(Home, "t", "b"), newSpan(Home, "third", "b")))
	s.sameTrace(Home, "t", 10)
	s.sameTrace(Home, "third", 10)
}

// testRandomSpans writes few ids again and again, so that everything happens in
// every order, with restarts in between.
func testRandomSpans(s *suite) {
	rng := rand.New(rand.NewPCG(17, 1))
	for id := int64(1); id <= 300; id++ {
		var batches []*reqlog.SpanBatch
		for range 1 + rng.IntN(3) {
			workspace := Home + int64(rng.IntN(2))
			span := newSpan(workspace, fmt.Sprint("t", rng.IntN(12)), fmt.Sprint(rng.IntN(20)))
			span.Start, span.Name = reqlog.Micros(rng.IntN(50)), fmt.Sprint("version ", id)
			batch := spans(span)
			if rng.IntN(3) == 0 {
				id++
				batch = withLog(span, id)
			}
			if rng.IntN(40) == 0 {
				batch.Close = []reqlog.Closure{closing(workspace, span.TraceID)}
			}
			batch.Whole = rng.IntN(4) == 0
			batches = append(batches, batch)
		}
		s.writeSpans(batches...)
		if rng.IntN(30) == 0 {
			s.sameTrace(Home, fmt.Sprint("t", rng.IntN(12)), 5)
		}
		if rng.IntN(60) == 0 {
			s.Store = s.Reopen()
		}
	}
	for i := range 12 {
		for _, workspace := range []int64{Home, Home + 1} {
			s.sameTrace(workspace, fmt.Sprint("t", i), 1000)
		}
	}
	s.sameLogs()
}
