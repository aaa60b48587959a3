package clickhouse

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/logstore/words"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

var update = flag.Bool("update", false, "write the SQL of the golden tests to testdata")

// everyCond has a condition for each operator of each type of field. Every text
// of a client in it starts with "operand".
func everyCond(fields []query.FieldSpec, level query.Level) query.Node {
	group := query.Group{Span: level == query.LevelSpan}
	seen := map[query.FieldType]bool{}
	for i := range fields {
		field := &fields[i]
		if field.Level != level || level == query.LevelRequest && !field.Stored() || seen[field.Type] && !field.OfTrace {
			continue
		}
		seen[field.Type] = true
		for _, op := range field.Type.Operators() {
			group.Nodes = append(group.Nodes, query.Cond{
				Field: field.Name, Op: op, Key: "operand", Texts: []string{"operand'1"}, IDs: []int64{7}, Numbers: []float64{1, 2.5}, Times: []reqlog.Micros{1, 2},
			})
		}
	}
	return group
}

func selectionOf(filter query.Node) *selection {
	return &selection{Query: query.Query{Workspace: 1, Filter: filter}}
}

// foundText returns a selection with free text.
func foundText(filter query.Node) *selection {
	sel := selectionOf(filter)
	sel.text.words = []foundWord{{all: []string{"operand", "operands"}, exact: []string{"operand"}}}
	return sel
}

// TestSQL compares the text of every kind of query with testdata, where it can
// be read. What a client sent is never part of it.
func TestSQL(t *testing.T) {
	t.Parallel()
	plain := query.Cond{Field: query.FieldEngine, Op: query.OpIs, Texts: []string{"operand"}}
	found := foundText(plain)
	texts := map[string]*sqlQuery{
		"search_filters": pageQuery(selectionOf(everyCond(query.Fields, query.LevelRequest)), query.SearchQuery{SortBy: query.FieldCost, Ascending: true}),
		"search_score":   pageQuery(selectionOf(nil), query.SearchQuery{SortBy: query.FieldScores, SortKey: "operand", PerPage: 10}),
		"search_default": pageQuery(selectionOf(nil), query.SearchQuery{Page: 2, PerPage: 10}),
		"search_text":    pageQuery(found, query.SearchQuery{}),
		"search_first":   firstPageQuery(foundText(nil), query.SearchQuery{Query: query.Query{Workspace: 1}, PerPage: 10}),
		"search_count":   countQuery(found),
		"search_terms":   termQuery(words.Matchers("operand 42 operand")),
		"search_traces":  tracesQuery(1, []int64{5}),
		"price_usages":   usageQuery(selectionOf(plain), query.UsageQuery{After: 5, Last: 500, Limit: 100}),
		"price_change":   priceUpdate(&reqlog.PriceChange{Workspace: 1, Repricing: 2, Prices: []reqlog.NewPrice{{ID: 3, USD: 0.5}}}),
		"price_restore":  priceUpdate(&reqlog.PriceChange{Workspace: 1, Repricing: 2, First: 3, Last: 9}),
		"scan_ids":       scanQuery(selectionOf(plain), query.ScanQuery{After: 5, Last: 500, Limit: 100}),
		"scan_all_ids":   scanQuery(nil, query.ScanQuery{After: 5, Last: 500, Limit: 100}),
		"scan_logs":      scanRowsQuery(query.ScanQuery{Query: query.Query{Workspace: 1}}, []int64{7, 9}),
		"scan_written":   writtenQuery(query.SpanScanQuery{Workspace: 1, Limit: 5}, query.SpanCursor{A: 5, B: 6}),
		"scan_spans":     versionsQuery([]writtenSpan{{1, 2, 3, 4}}),
		"scan_closures":  closuresQuery(query.SpanScanQuery{All: true, Limit: 5}, query.SpanCursor{A: 5}),
		"trace_read":     traceQuery(query.TraceQuery{Workspace: 1, TraceID: "operand", Limit: 5, MaxBytes: 100}),
		"trace_outline":  outlineQuery(query.TraceQuery{Workspace: 1, TraceID: "operand", Limit: 5}),
		"trace_span":     spanQuery(reqlog.SpanQuery{Workspace: 1, TraceID: "operand", SpanID: "operand"}),
		"trace_total":    spanCountQuery(query.TraceQuery{Workspace: 1, TraceID: "operand"}),
		"suggest_nested": suggestQuery(selectionOf(plain), query.SuggestQuery{Field: query.FieldMetadata, Key: "operand", Prefix: "operand", Limit: 100}),
		"removal_texts":  documentsUpdate(1, []int64{3, 4}, []string{"operand"}, []string{"operand"}),
		"removal_heads":  headsUpdate(1, false, &newHeads{ids: []int64{3}, heads: []string{"operand"}}),
		"removal_forget": (&removalPage{workspace: 1, ids: []int64{3}, at: []int64{5}}).forget(),
		"search_under":   countQuery(selectionOf(query.Cond{Field: query.FieldMetadataKeys, Op: query.OpUnder, Texts: []string{"operand"}})),
		"suggest_id":     suggestQuery(selectionOf(plain), query.SuggestQuery{Field: query.FieldPromptID, Limit: 100}),
	}
	notes, err := notesUpdate([]*annotatedLog{{Log: &reqlog.Log{ID: 3, Workspace: 1, Notes: reqlog.Notes{Metadata: []reqlog.Member{{Key: "operand", Value: []byte("1")}}}}, changes: 2}})
	if err != nil {
		t.Fatal(err)
	}
	texts["annotate"] = notes
	addAggregates(texts, plain)
	addTraces(texts)
	addAnalytics(texts, plain)
	for name, q := range texts {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(q.text(), "operand") {
				t.Errorf("a client's text is part of the query:\n%s", q.text())
			}
			check.SQL(t, filepath.Join("testdata", name+".sql"), q.text(), *update)
		})
	}
	files, err := filepath.Glob(filepath.Join("testdata", "*.sql"))
	if err != nil || len(files) != len(texts) {
		t.Errorf("%d files for %d queries: %v", len(files), len(texts), err)
	}
}

func addAggregates(texts map[string]*sqlQuery, filter query.Node) {
	var measures []chart.Measure
	for _, metric := range []chart.Metric{chart.MetricCount, chart.MetricSum, chart.MetricAvg, chart.MetricMin, chart.MetricMax, chart.MetricPercentile} {
		measures = append(measures, chart.Measure{Metric: metric, Field: query.FieldLatency, Percentile: 99.9})
	}
	measures = append(measures, chart.Measure{Metric: chart.MetricDistinct, MetadataKey: "operand"}, chart.Measure{Metric: chart.MetricAvg, Field: query.FieldScores, Key: "operand"},
		chart.Measure{Metric: chart.MetricPercentile, Field: query.FieldScores, Key: "operand", Percentile: 50})
	count, only := measures[:1], []string{"operand", "5"}
	for name, aggregate := range map[string]chart.AggregateQuery{
		"overall": {Measures: measures},
		"fields":  {By: []chart.Dimension{{Field: query.FieldEngine, Only: only}, {Field: query.FieldTags}, {MetadataKey: "operand"}}, Measures: count, Limit: 25},
		"buckets": {By: []chart.Dimension{{Bucket: &chart.BucketFiveMinutes}, {Bucket: &chart.BucketWeek}, {Bucket: &chart.BucketMonth}}, Measures: count},
		"scores":  {By: []chart.Dimension{{Field: query.FieldScores, Key: "operand", BinWidth: 10}, {Field: query.FieldScores, Key: "operand", Only: only}}, Measures: count},
		"bins":    {By: []chart.Dimension{{Field: query.FieldCost, BinWidth: 0.01, Only: only}}},
	} {
		texts["aggregate_"+name] = aggregateQuery(selectionOf(filter), aggregate)
	}
}

func addTraces(texts map[string]*sqlQuery) {
	found := selectionOf(nil)
	found.text.literal = "operand"
	both := query.Group{Any: true, Nodes: []query.Node{
		query.Cond{Field: "trace_status", Op: query.OpIs, Texts: []string{"operand"}}, query.Cond{Field: "span_depth", Op: query.OpGt, Numbers: []float64{2}},
	}}
	sum := []chart.Measure{{Metric: chart.MetricCount}, {Metric: chart.MetricAvg, Field: "span_cost_usd"}}
	groups := query.TraceGroupQuery{By: query.FieldTraceUser, SearchQuery: query.SearchQuery{Query: query.Query{Filter: both}, PerPage: 5}}
	page := func(filter query.Node, sort query.Field) func(*logsql.Views) string {
		search := query.SearchQuery{Query: query.Query{Filter: filter}, SortBy: sort, Ascending: sort != ""}
		return func(v *logsql.Views) string { return v.TracePage(search) }
	}
	texts["trace_text"] = found.traceQuery(page(nil, ""))
	for name, write := range map[string]func(*logsql.Views) string{
		"default":      page(nil, ""),
		"trace_fields": page(everyCond(query.TraceFields, query.LevelTrace), "trace_total_cost_usd"),
		"span_fields":  page(everyCond(query.TraceFields, query.LevelSpan), ""),
		"count":        func(v *logsql.Views) string { return v.CountTraces(both) },
		"facts":        func(v *logsql.Views) string { return v.Facts([]int64{5, 6}) },
		"group_count":  func(v *logsql.Views) string { return v.CountGroups(groups) },
		"group_page":   groupPage(groups),
		"groups":       func(v *logsql.Views) string { return v.Totals(groups, []string{"operand 1", "operand 2"}) },
	} {
		texts["trace_"+name] = selectionOf(nil).traceQuery(write)
	}
	texts["trace_aggregate"] = aggregateQuery(selectionOf(nil), chart.AggregateQuery{
		Query: query.Query{Filter: both}, Level: query.LevelSpan, By: []chart.Dimension{{Field: "span_tool_name"}}, Measures: sum,
	})
	texts["trace_series"] = aggregateQuery(selectionOf(nil), chart.AggregateQuery{
		Level: query.LevelTrace, By: []chart.Dimension{{Bucket: &chart.BucketDay}}, Measures: sum[:1],
	})
}

func addAnalytics(texts map[string]*sqlQuery, filter query.Node) {
	sel := selectionOf(filter)
	a := logsql.NewAnalysis(chart.AnalyzeQuery{Bucket: chart.BucketDay, BreakdownKey: "operand"})
	a.Last, a.Result.Requests = &sel.upTo, 1 // otherwise the first pass is the last
	_ = a.Run(func(p logsql.Pass) error {
		texts["analyze_"+p.Name] = sel.passQuery(p)
		sel.upTo = 1000
		return nil
	}, logsql.OneByOne)
}

// TestMigrations compares the statements of each migration with testdata. A file
// is never updated: another change is another migration.
func TestMigrations(t *testing.T) {
	t.Parallel()
	for i, statements := range migrations {
		text := strings.Join(statements, ";\n") + ";\n"
		compareMigration(t, fmt.Sprintf("%03d", i+1), text)
		compareMigration(t, fmt.Sprintf("%03d-replicated", i+1), replicated(text))
	}
}

func compareMigration(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", "migrations", name+".sql")
	want, err := os.ReadFile(path)
	if err != nil && *update {
		want, err = []byte(text), errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
	}
	if err != nil {
		t.Fatal(fmt.Errorf("%w: run the test with -update", err))
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("migration %s changed: add another one (-want +got):\n%s", name, diff)
	}
}
