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
)

var update = flag.Bool("update", false, "write the SQL of the golden tests to testdata")

// everyCond has a condition for each operator of each type of field. Every text
// of a client in it starts with "operand".
func everyCond(fields []reqlog.FieldSpec, level reqlog.Level) reqlog.Node {
	group := reqlog.Group{Span: level == reqlog.LevelSpan}
	seen := map[reqlog.FieldType]bool{}
	for i := range fields {
		field := &fields[i]
		if field.Level != level || level == reqlog.LevelRequest && !field.Stored() || seen[field.Type] && !field.OfTrace {
			continue
		}
		seen[field.Type] = true
		for _, op := range field.Type.Operators() {
			group.Nodes = append(group.Nodes, reqlog.Cond{
				Field: field.Name, Op: op, Key: "operand", Texts: []string{"operand'1"}, IDs: []int64{7}, Numbers: []float64{1, 2.5}, Times: []reqlog.Micros{1, 2},
			})
		}
	}
	return group
}

func selectionOf(filter reqlog.Node) *selection {
	return &selection{Query: reqlog.Query{Workspace: 1, Filter: filter}}
}

// foundText returns a selection with free text.
func foundText(filter reqlog.Node) *selection {
	sel := selectionOf(filter)
	sel.text.words = []foundWord{{all: []string{"operand", "operands"}, exact: []string{"operand"}}}
	return sel
}

// TestSQL compares the text of every kind of query with testdata, where it can
// be read. What a client sent is never part of it.
func TestSQL(t *testing.T) {
	t.Parallel()
	plain := reqlog.Cond{Field: reqlog.FieldEngine, Op: reqlog.OpIs, Texts: []string{"operand"}}
	found := foundText(plain)
	texts := map[string]*query{
		"search_filters": pageQuery(selectionOf(everyCond(reqlog.Fields, reqlog.LevelRequest)), reqlog.SearchQuery{SortBy: reqlog.FieldCost, Ascending: true}),
		"search_score":   pageQuery(selectionOf(nil), reqlog.SearchQuery{SortBy: reqlog.FieldScores, SortKey: "operand", PerPage: 10}),
		"search_default": pageQuery(selectionOf(nil), reqlog.SearchQuery{Page: 2, PerPage: 10}),
		"search_text":    pageQuery(found, reqlog.SearchQuery{}),
		"search_first":   firstPageQuery(foundText(nil), reqlog.SearchQuery{Query: reqlog.Query{Workspace: 1}, PerPage: 10}),
		"search_count":   countQuery(found),
		"search_terms":   termQuery(words.Matchers("operand 42 operand")),
		"search_traces":  tracesQuery(1, []int64{5}),
		"price_usages":   usageQuery(selectionOf(plain), reqlog.UsageQuery{After: 5, Last: 500, Limit: 100}),
		"price_change":   priceUpdate(&reqlog.PriceChange{Workspace: 1, Repricing: 2, Prices: []reqlog.NewPrice{{ID: 3, USD: 0.5}}}),
		"price_restore":  priceUpdate(&reqlog.PriceChange{Workspace: 1, Repricing: 2, First: 3, Last: 9}),
		"scan_ids":       scanQuery(selectionOf(plain), reqlog.ScanQuery{After: 5, Last: 500, Limit: 100}),
		"scan_all_ids":   scanQuery(nil, reqlog.ScanQuery{After: 5, Last: 500, Limit: 100}),
		"scan_logs":      scanRowsQuery(reqlog.ScanQuery{Query: reqlog.Query{Workspace: 1}}, []int64{7, 9}),
		"scan_written":   writtenQuery(reqlog.SpanScanQuery{Workspace: 1, Limit: 5}, reqlog.SpanCursor{A: 5, B: 6}),
		"scan_spans":     versionsQuery([]writtenSpan{{1, 2, 3, 4}}),
		"scan_closures":  closuresQuery(reqlog.SpanScanQuery{All: true, Limit: 5}, reqlog.SpanCursor{A: 5}),
		"trace_read":     traceQuery(reqlog.TraceQuery{Workspace: 1, TraceID: "operand", Limit: 5, MaxBytes: 100}),
		"trace_outline":  outlineQuery(reqlog.TraceQuery{Workspace: 1, TraceID: "operand", Limit: 5}),
		"trace_span":     spanQuery(reqlog.SpanQuery{Workspace: 1, TraceID: "operand", SpanID: "operand"}),
		"trace_total":    spanCountQuery(reqlog.TraceQuery{Workspace: 1, TraceID: "operand"}),
		"suggest_nested": suggestQuery(selectionOf(plain), reqlog.SuggestQuery{Field: reqlog.FieldMetadata, Key: "operand", Prefix: "operand", Limit: 100}),
		"removal_texts":  documentsUpdate(1, []int64{3, 4}, []string{"operand"}, []string{"operand"}),
		"removal_heads":  headsUpdate(1, false, &newHeads{ids: []int64{3}, heads: []string{"operand"}}),
		"removal_forget": (&removalPage{workspace: 1, ids: []int64{3}, at: []int64{5}}).forget(),
		"search_under":   countQuery(selectionOf(reqlog.Cond{Field: reqlog.FieldMetadataKeys, Op: reqlog.OpUnder, Texts: []string{"operand"}})),
		"suggest_id":     suggestQuery(selectionOf(plain), reqlog.SuggestQuery{Field: reqlog.FieldPromptID, Limit: 100}),
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

func addAggregates(texts map[string]*query, filter reqlog.Node) {
	var measures []reqlog.Measure
	for _, metric := range []reqlog.Metric{reqlog.MetricCount, reqlog.MetricSum, reqlog.MetricAvg, reqlog.MetricMin, reqlog.MetricMax, reqlog.MetricPercentile} {
		measures = append(measures, reqlog.Measure{Metric: metric, Field: reqlog.FieldLatency, Percentile: 99.9})
	}
	measures = append(measures, reqlog.Measure{Metric: reqlog.MetricDistinct, MetadataKey: "operand"}, reqlog.Measure{Metric: reqlog.MetricAvg, Field: reqlog.FieldScores, Key: "operand"},
		reqlog.Measure{Metric: reqlog.MetricPercentile, Field: reqlog.FieldScores, Key: "operand", Percentile: 50})
	count, only := measures[:1], []string{"operand", "5"}
	for name, aggregate := range map[string]reqlog.AggregateQuery{
		"overall": {Measures: measures},
		"fields":  {By: []reqlog.Dimension{{Field: reqlog.FieldEngine, Only: only}, {Field: reqlog.FieldTags}, {MetadataKey: "operand"}}, Measures: count, Limit: 25},
		"buckets": {By: []reqlog.Dimension{{Bucket: &reqlog.BucketFiveMinutes}, {Bucket: &reqlog.BucketWeek}, {Bucket: &reqlog.BucketMonth}}, Measures: count},
		"scores":  {By: []reqlog.Dimension{{Field: reqlog.FieldScores, Key: "operand", BinWidth: 10}, {Field: reqlog.FieldScores, Key: "operand", Only: only}}, Measures: count},
		"bins":    {By: []reqlog.Dimension{{Field: reqlog.FieldCost, BinWidth: 0.01, Only: only}}},
	} {
		texts["aggregate_"+name] = aggregateQuery(selectionOf(filter), aggregate)
	}
}

func addTraces(texts map[string]*query) {
	found := selectionOf(nil)
	found.text.literal = "operand"
	both := reqlog.Group{Any: true, Nodes: []reqlog.Node{
		reqlog.Cond{Field: "trace_status", Op: reqlog.OpIs, Texts: []string{"operand"}}, reqlog.Cond{Field: "span_depth", Op: reqlog.OpGt, Numbers: []float64{2}},
	}}
	sum := []reqlog.Measure{{Metric: reqlog.MetricCount}, {Metric: reqlog.MetricAvg, Field: "span_cost_usd"}}
	groups := reqlog.TraceGroupQuery{By: reqlog.FieldTraceUser, SearchQuery: reqlog.SearchQuery{Query: reqlog.Query{Filter: both}, PerPage: 5}}
	page := func(filter reqlog.Node, sort reqlog.Field) func(*logsql.Views) string {
		search := reqlog.SearchQuery{Query: reqlog.Query{Filter: filter}, SortBy: sort, Ascending: sort != ""}
		return func(v *logsql.Views) string { return v.TracePage(search) }
	}
	texts["trace_text"] = found.traceQuery(page(nil, ""))
	for name, write := range map[string]func(*logsql.Views) string{
		"default":      page(nil, ""),
		"trace_fields": page(everyCond(reqlog.TraceFields, reqlog.LevelTrace), "trace_total_cost_usd"),
		"span_fields":  page(everyCond(reqlog.TraceFields, reqlog.LevelSpan), ""),
		"count":        func(v *logsql.Views) string { return v.CountTraces(both) },
		"facts":        func(v *logsql.Views) string { return v.Facts([]int64{5, 6}) },
		"group_count":  func(v *logsql.Views) string { return v.CountGroups(groups) },
		"group_page":   groupPage(groups),
		"groups":       func(v *logsql.Views) string { return v.Totals(groups, []string{"operand 1", "operand 2"}) },
	} {
		texts["trace_"+name] = selectionOf(nil).traceQuery(write)
	}
	texts["trace_aggregate"] = aggregateQuery(selectionOf(nil), reqlog.AggregateQuery{
		Query: reqlog.Query{Filter: both}, Level: reqlog.LevelSpan, By: []reqlog.Dimension{{Field: "span_tool_name"}}, Measures: sum,
	})
	texts["trace_series"] = aggregateQuery(selectionOf(nil), reqlog.AggregateQuery{
		Level: reqlog.LevelTrace, By: []reqlog.Dimension{{Bucket: &reqlog.BucketDay}}, Measures: sum[:1],
	})
}

func addAnalytics(texts map[string]*query, filter reqlog.Node) {
	sel := selectionOf(filter)
	a := logsql.NewAnalysis(reqlog.AnalyzeQuery{Bucket: reqlog.BucketDay, BreakdownKey: "operand"})
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
