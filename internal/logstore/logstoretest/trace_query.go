package logstoretest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// testTraceQueries asks every kind of question about many small traces.
func testTraceQueries(s *suite) {
	s.fillTraces()
	s.sub("filters", testTraceFilters)
	s.sub("groups", testTraceGroups)
	s.sub("pages", testTracePages)
	s.sub("aggregates", testTraceAggregates)
	s.sub("sessions and users", testSessionsAndUsers)
	s.Store = s.Reopen()
	s.findsTraces(query.SearchQuery{Query: home(nil, ""), Page: 1, PerPage: 100})
	s.findsGroups(query.TraceGroupQuery{By: query.FieldTraceUser, SearchQuery: query.SearchQuery{Query: home(nil, ""), Page: 1, PerPage: 100}})
}

// fillTraces writes traces of two workspaces: trees, several roots, unknown
// parents, parents without their leading zeros, circles, spans with and without
// logs.
func (s *suite) fillTraces() {
	m := &maker{rng: rand.New(rand.NewPCG(5, 5))}
	logs := Corpus()
	for i := range 60 {
		trace := fmt.Sprintf("%032x", i*7919)
		workspace := []int64{Home, Home, Away}[i%3]
		var batches []*reqlog.SpanBatch
		for j := range 1 + m.rng.IntN(7) {
			span := m.traceSpan(workspace, trace, j)
			batch := spans(span)
			if m.chance(40) {
				l := copyOf(logs[m.rng.IntN(len(logs))])
				if l.Usage.Total().N > 1<<40 { // sums would have to be rounded
					l.Usage = provider.Usage{}
				}
				l.ID, l.Workspace, l.SpanID, l.TraceID = int64(i*10+j+1), workspace, span.LogSpanID, ""
				batch.Logs[0] = l
			}
			if m.chance(5) {
				batch.Close = []reqlog.Closure{closing(workspace, trace)}
			}
			batches = append(batches, batch)
		}
		m.rng.Shuffle(len(batches), func(i, j int) { batches[i], batches[j] = batches[j], batches[i] })
		for k, batch := range batches { // ids must rise
			if batch.Logs[0] != nil {
				batch.Logs[0].ID = int64(i*10 + k + 1)
			}
		}
		s.writeSpans(batches...)
	}
}

// traceSpan returns the j-th span of a trace.
func (m *maker) traceSpan(workspace int64, trace string, j int) *reqlog.Span {
	id := func(j int) string { return fmt.Sprintf("%012x%04x", len(trace), j) }
	start := reqlog.Micros(1_700_000_000_000_000 + m.rng.Int64N(40)*3_600_000_000)
	s := &reqlog.Span{
		Workspace: workspace, TraceID: trace, SpanID: id(j), LogSpanID: trace[24:] + id(j),
		Name: pick(m, []string{"agent", "Tool: search", "", "é%_", "chat gpt"}), Kind: pick(m, []string{reqlog.SpanClient, reqlog.SpanInternal}),
		Status: pick(m, []string{reqlog.SpanOK, reqlog.SpanUnset, reqlog.SpanUnset, reqlog.SpanError}), Start: start, End: start + reqlog.Micros(m.rng.Int64N(9)*500_000-500_000),
		Attributes: json.RawMessage(pick(m, []string{`{"a":{"b":1,"c":["x","Y"]},"empty":{}}`, `{"a":{"b":"two"}}`, `{"a":{"b":"\u0000y"},"\u0000":"\u0000\u0002x","a.c":"\u0001"}`, `{"__proto__":"z","big":"` + strings.Repeat("x", 2000) + `"}`})),
		Index: reqlog.SpanIndex{
			Type: pick(m, []string{"", "CODE_EXECUTION", "AGENT"}), ToolName: pick(m, []string{"", "", "search", "run"}), Model: pick(m, []string{"", "m1", "m2"}),
			User: pick(m, []string{"", "", "u1", "u2", "é%_'\"", "U1"}), Session: pick(m, []string{"", "", "c1", "c2", "c3", "c10", "退", "c1 "}),
			OutputText: pick(m, []string{"", "Refund granted", "退款"}), ExceptionText: pick(m, []string{"", "ValueError: bad"}),
		},
	}
	if m.chance(30) {
		s.Index.Workflow, s.Index.WorkflowVersion = int64(1+m.rng.IntN(3)), int64(m.rng.IntN(3))
		s.Resource = json.RawMessage(`{"service.name":"worker"}`)
	}
	switch parent := m.rng.IntN(10); {
	case parent < 6 && j > 0:
		s.ParentID = id(m.rng.IntN(j))
	case parent == 6:
		s.ParentID = "unknown"
	case parent == 7:
		s.ParentID = strings.TrimLeft(id(m.rng.IntN(j+1)), "0")
	case parent == 8:
		s.ParentID = id(j + 1) // a circle, if that one is below this one
	}
	return s
}

func (s *suite) findsTraces(q query.SearchQuery) int {
	s.t.Helper()
	want, err := s.want.SearchTraces(s.ctx, q)
	s.ok(err)
	got, err := s.Store.SearchTraces(s.ctx, q)
	if err != nil {
		s.t.Fatalf("%+v: %v", q, err)
	}
	s.equal(fmt.Sprintf("%+v", q), got, want, nearly)
	return len(want.Items)
}

// traceAsker invents questions about traces.
type traceAsker struct {
	maker
	rows []*traceRow
}

func (s *suite) newTraceAsker(seed uint64) *traceAsker {
	return &traceAsker{maker{rng: rand.New(rand.NewPCG(seed, seed))}, s.want.tracesOf(Home)}
}

// cond invents a condition with values that occur.
func (a *traceAsker) cond(field *query.FieldSpec, op query.Op) query.Cond {
	c, m := query.Cond{Field: field.Name, Op: op}, &a.maker
	for range operandCount(op, m.rng) {
		row := pick(m, a.rows)
		v := row.values[field.Name]
		if field.Level == query.LevelSpan {
			v = pick(m, row.rows)[field.Name]
		}
		switch field.Type {
		case query.TypeIdentifier:
			c.IDs = append(c.IDs, v.whole)
		case query.TypeNumeric:
			c.Numbers = append(c.Numbers, v.number)
		case query.TypeDatetime:
			c.Times = append(c.Times, v.at)
		case query.TypeText:
			c.Texts = append(c.Texts, pick(m, []string{"refund", "款", "error", "BAD", "zz"}))
		case query.TypeNested:
			if len(v.pairs) > 0 && c.Key == "" && m.chance(50) {
				pair := pick(m, v.pairs)
				c.Key, c.Texts = pair.Key, append(c.Texts, pair.Value)
				break
			}
			c.Texts = append(c.Texts, pick(m, []string{"1", "x", "y", "two", "worker", "z", "v2", "\x00", "\x00y", "\x01", "\x00\x02x"}))
		default:
			c.Texts = append(c.Texts, pickOr(m, v.texts))
		}
	}
	if field.Type == query.TypeNested && c.Key == "" {
		c.Key = pick(m, []string{"a.b", "a.c", "\x00", "empty", "big", "__proto__", "service.name", "city", "none"})
	}
	slices.Sort(c.Numbers)
	slices.Sort(c.Times)
	return c
}

func testTraceFilters(s *suite) {
	a := s.newTraceAsker(6)
	for i := range query.TraceFields {
		field := &query.TraceFields[i]
		for _, op := range field.Type.Operators() {
			s.findsTraces(query.SearchQuery{Query: home(a.cond(field, op), ""), Page: 1, PerPage: 100})
		}
	}
}

// tree invents a filter; span says that it is about one span.
func (a *traceAsker) tree(depth int, span bool) query.Node {
	if depth == 0 || a.chance(30) {
		for {
			field := &query.TraceFields[a.rng.IntN(len(query.TraceFields))]
			if !span || field.Level == query.LevelSpan {
				return a.cond(field, pick(&a.maker, field.Type.Operators()))
			}
		}
	}
	group := query.Group{Any: a.chance(50), Span: span || a.chance(40)}
	for range 1 + a.rng.IntN(3) {
		group.Nodes = append(group.Nodes, a.tree(depth-1, group.Span))
	}
	return group
}

func testTraceGroups(s *suite) {
	a, found := s.newTraceAsker(7), 0
	for range 60 {
		found += s.findsTraces(query.SearchQuery{Query: home(a.tree(3, false), ""), Page: 1, PerPage: 100})
	}
	if found == 0 {
		s.t.Error("no filter found anything: the test proves nothing")
	}
}

func testTracePages(s *suite) {
	for _, workspace := range []int64{Home, Away, 3} {
		for _, field := range append([]query.Field{""}, query.TraceSortFields...) {
			for _, ascending := range []bool{false, true} {
				for page := 1; page <= 8; page += 2 {
					s.findsTraces(query.SearchQuery{Query: query.Query{Workspace: workspace}, SortBy: field, Ascending: ascending, Page: page, PerPage: 7})
				}
			}
		}
	}
	for _, text := range []string{"refund", "nobody wrote this", "{}", "退款"} {
		s.findsTraces(query.SearchQuery{Query: home(nil, text), Page: 1, PerPage: 100})
	}
}

func testTraceAggregates(s *suite) {
	a := s.newTraceAsker(8)
	for i := range query.TraceFields {
		field := &query.TraceFields[i]
		q := chart.AggregateQuery{Query: home(nil, ""), Level: field.Level, Measures: []chart.Measure{{Metric: chart.MetricCount}}}
		if a.chance(50) {
			q.Filter = a.tree(2, false)
		}
		switch {
		case field.GroupBy:
			q.By = []chart.Dimension{{Field: field.Name}}
		case field.Metric:
			for _, metric := range chart.SeriesMetrics {
				q.Measures = append(q.Measures, chart.Measure{Metric: metric, Field: field.Name, Percentile: 90})
			}
			s.aggregatesTraces(q)
			q.By, q.Measures = []chart.Dimension{{Field: field.Name, BinWidth: 0.5}}, q.Measures[:1]
		default:
			continue
		}
		s.aggregatesTraces(q)
	}
	day := chart.BucketDay
	s.aggregatesTraces(chart.AggregateQuery{
		Query: home(nil, ""), Level: query.LevelTrace, By: []chart.Dimension{{Bucket: &day}, {Field: query.FieldTraceStatus}},
		Measures: []chart.Measure{{Metric: chart.MetricCount}, {Metric: chart.MetricAvg, Field: query.FieldTraceDuration}},
	})
}

func (s *suite) aggregatesTraces(q chart.AggregateQuery) {
	s.t.Helper()
	want, err := s.want.Aggregate(s.ctx, q)
	s.ok(err)
	got, err := s.Store.Aggregate(s.ctx, q)
	if err != nil {
		s.t.Errorf("%+v: %v", q, err)
		return
	}
	s.equal(fmt.Sprintf("%+v", q), sortedByKey(got), sortedByKey(want), nearly)
}
