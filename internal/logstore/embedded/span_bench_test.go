package embedded

import (
	"context"
	"fmt"
	"testing"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

const (
	// benchTrace is the trace with many spans among the small ones, and benchLarge
	// their number.
	benchTrace = "large"
	benchLarge = 30_000
	// benchSpans is the number of spans that questions are about.
	benchSpans = 200_000
)

// benchBatch returns 512 spans from the number at, in traces of ten.
func benchBatch(at int) reqlog.Batch {
	batch := &reqlog.SpanBatch{Workspace: 1, Logs: make([]*reqlog.Log, 512)}
	for i := at; i < at+512; i++ {
		span := &reqlog.Span{
			Workspace: 1, TraceID: fmt.Sprintf("%032x", i/10), SpanID: fmt.Sprintf("%016x", i), LogSpanID: fmt.Sprintf("%016x", i),
			Name: fmt.Sprint("step ", i%10), Kind: reqlog.SpanInternal, Status: reqlog.SpanOK,
			Start: reqlog.Micros(1_700_000_000_000_000 + i*1000), End: reqlog.Micros(1_700_000_000_900_000 + i*1000),
			Attributes: []byte(`{"gen_ai.operation.name":"chat","gen_ai.request.model":"gpt-4o","gen_ai.usage.input_tokens":120,"http.route":"/v1/answers","thread.id":17}`),
			Resource:   []byte(`{"service.name":"api","service.version":"1.2.3"}`), Index: reqlog.SpanIndex{Model: "gpt-4o", Type: "LLM_CALL"},
		}
		if i%10 > 0 {
			span.ParentID = fmt.Sprintf("%016x", i-1)
		} else {
			span.Index.Session, span.Index.User = fmt.Sprint("session ", i/50), fmt.Sprint("user ", i/10%1000)
		}
		if i < benchLarge {
			span.TraceID = benchTrace
		}
		batch.Spans = append(batch.Spans, span)
	}
	return reqlog.Batch{Spans: []*reqlog.SpanBatch{batch}}
}

func openBench(b *testing.B) *Store {
	b.Helper()
	s, err := Open(context.Background(), b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	return s
}

// BenchmarkWriteSpans measures batches of 512 spans: durable, and applied to the
// table.
func BenchmarkWriteSpans(b *testing.B) {
	s := openBench(b)
	at := 0
	for b.Loop() {
		if err := s.Write(b.Context(), benchBatch(at)); err != nil {
			b.Fatal(err)
		}
		at += 512
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(at), "ns/span")
}

// BenchmarkTraces measures questions about 200,000 spans.
func BenchmarkTraces(b *testing.B) {
	s := openBench(b)
	for at := 0; at < benchSpans; at += 512 {
		if err := s.Write(b.Context(), benchBatch(at)); err != nil {
			b.Fatal(err)
		}
	}
	for _, one := range []struct {
		name   string
		filter query.Node
	}{
		{"page", nil},
		{"failed", query.Cond{Field: "span_status", Op: query.OpIs, Texts: []string{"ERROR"}}},
		{"none", query.Cond{Field: "span_status", Op: query.OpIs, Texts: []string{"UNKNOWN"}}},
		{"deep", query.Cond{Field: "trace_depth", Op: query.OpGt, Numbers: []float64{5}}},
	} {
		query := query.SearchQuery{Query: query.Query{Workspace: 1, Filter: one.filter}, Page: 1, PerPage: 25}
		b.Run(one.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.SearchTraces(b.Context(), query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, by := range []query.Field{query.FieldTraceSession, query.FieldTraceUser} {
		b.Run(string(by), func(b *testing.B) {
			for b.Loop() {
				q := query.SearchQuery{Query: query.Query{Workspace: 1}, SortBy: query.GroupCost, Page: 1, PerPage: 25}
				if _, err := s.GroupTraces(b.Context(), query.TraceGroupQuery{By: by, SearchQuery: q}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("large trace", func(b *testing.B) {
		for b.Loop() {
			found, err := s.Trace(b.Context(), query.TraceQuery{Workspace: 1, TraceID: benchTrace, Limit: benchLarge})
			if err != nil || len(found.Spans) != benchLarge {
				b.Fatal(err)
			}
		}
	})
	b.Run("outline of a large trace", func(b *testing.B) {
		for b.Loop() {
			found, err := s.Outline(b.Context(), query.TraceQuery{Workspace: 1, TraceID: benchTrace, Limit: benchLarge})
			if err != nil || len(found.Spans) != benchLarge {
				b.Fatal(err)
			}
		}
	})
}
