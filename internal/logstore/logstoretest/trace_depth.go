package logstoretest

import (
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// testDeepTraces asks for the depth of traces around every number of levels at which
// an engine may need one step more, with circles and unknown parents.
func testDeepTraces(s *suite) {
	for _, levels := range []int{1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 33, 1000, 1001, 1500} {
		s.writeChain(fmt.Sprint("chain ", levels), levels, "")
	}
	s.writeChain("below an unknown span", 20, "unknown")
	s.writeChain("a circle", 20, "s19")
	s.writeChain("its own parent", 1, "s0")
	s.writeChain("below a circle", 40, "s10")
	twins := []*reqlog.Span{newSpan(Home, "twins", "s0"), newSpan(Home, "twins", "0s0")}
	for i := range 40 {
		for _, id := range []string{"s%d", "0s%d"} { // the same with leading zeros
			span := newSpan(Home, "twins", fmt.Sprintf(id, i+1))
			span.ParentID = fmt.Sprint("s", i)
			twins = append(twins, span)
		}
	}
	s.writeSpans(spans(twins...))

	for _, field := range []query.Field{"trace_depth", "span_depth"} {
		for _, depth := range []float64{1, 17, 999} {
			for _, op := range []query.Op{query.OpEq, query.OpGt} {
				s.findsTraces(query.SearchQuery{Query: home(query.Cond{Field: field, Op: op, Numbers: []float64{depth}}, ""), Page: 1, PerPage: 100})
			}
		}
		s.aggregatesTraces(chart.AggregateQuery{
			Query: home(nil, ""), Level: query.TraceSpec(field).Level, By: []chart.Dimension{{Field: field, BinWidth: 1}},
			Measures: []chart.Measure{{Metric: chart.MetricCount}},
		})
	}
}

// writeChain writes a trace in which each span is below the one before, and the first
// below parent.
func (s *suite) writeChain(trace string, levels int, parent string) {
	s.t.Helper()
	all := make([]*reqlog.Span, levels)
	for i := range all {
		all[i] = newSpan(Home, trace, fmt.Sprint("s", i))
		all[i].ParentID = fmt.Sprint("s", i-1)
	}
	all[0].ParentID = parent
	s.writeSpans(spans(all...))
}
