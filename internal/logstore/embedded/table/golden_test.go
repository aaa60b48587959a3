package table

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

var update = flag.Bool("update", false, "write the SQL of the golden tests to testdata")

// recorder is a database that answers every query with nothing and remembers
// its text.
type recorder struct{ queries []string }

func (r *recorder) Connect(context.Context) (driver.Conn, error) { return recorderConn{r}, nil }
func (r *recorder) Driver() driver.Driver                        { return nil }

type recorderConn struct{ *recorder }

var errNotRecorded = errors.New("only queries are recorded")

func (recorderConn) Prepare(string) (driver.Stmt, error) { return nil, errNotRecorded }
func (recorderConn) Begin() (driver.Tx, error)           { return nil, errNotRecorded }
func (recorderConn) Close() error                        { return nil }

// QueryContext implements driver.QueryerContext.
func (c recorderConn) QueryContext(_ context.Context, query string, _ []driver.NamedValue) (driver.Rows, error) {
	c.queries = append(c.queries, query)
	return noRows{}, nil
}

type noRows struct{}

func (noRows) Columns() []string         { return nil }
func (noRows) Close() error              { return nil }
func (noRows) Next([]driver.Value) error { return io.EOF }

// recorded returns the texts of the queries that run makes.
func recorded(t *testing.T, run func(db *sql.DB) error) string {
	t.Helper()
	r := &recorder{}
	db := sql.OpenDB(r)
	defer func() { _ = db.Close() }()
	if err := run(db); err != nil && !errors.Is(err, sql.ErrNoRows) {
		t.Fatal(err)
	}
	return strings.Join(r.queries, ";\n\n")
}

func idSetOf(count int) *textindex.Set {
	set := &textindex.Set{}
	for id := range int64(count) {
		set.Add(id)
	}
	return set
}

// everyCond has a condition for each operator of each type of field. Every text
// of a client in it starts with "operand".
func everyCond() query.Node {
	one, two := []string{"operand'1"}, []string{"operand 1", "operand\x002"}
	var nodes []query.Node
	add := func(field query.Field, values query.Cond, ops ...query.Op) {
		for _, op := range ops {
			values.Field, values.Op = field, op
			nodes = append(nodes, values)
		}
	}
	add(query.FieldPromptID, query.Cond{IDs: []int64{7, -8}}, query.OpIn, query.OpNotIn, query.OpIsNull, query.OpIsNotNull)
	for _, field := range []query.Field{query.FieldEngine, query.FieldStatus} {
		add(field, query.Cond{Texts: one}, query.OpIs, query.OpIsNot)
		add(field, query.Cond{Texts: two}, query.OpIn, query.OpNotIn)
	}
	add(query.FieldAgentIntent, query.Cond{Texts: []string{"refusal", "uncertain"}}, query.OpIn, query.OpNotIn)
	add(query.FieldInputText, query.Cond{Texts: one}, query.OpContains, query.OpNotContains, query.OpStartsWith, query.OpEndsWith)
	add(query.FieldCost, query.Cond{Numbers: []float64{1.5, 2}}, query.OpEq, query.OpNeq, query.OpGt, query.OpGte, query.OpLt, query.OpLte, query.OpBetween, query.OpIsNull)
	add(query.FieldStart, query.Cond{Times: []reqlog.Micros{1, 2}}, query.OpIs, query.OpBefore, query.OpAfter, query.OpBetween)
	for _, field := range []query.Field{query.FieldIsJSON, query.FieldIsToolCall, query.FieldIsPlainText, query.FieldHasTrace} {
		add(field, query.Cond{}, query.OpIsTrue, query.OpIsFalse)
	}
	add(query.FieldTags, query.Cond{Texts: two}, query.OpContains, query.OpNotContains, query.OpIn, query.OpNotIn, query.OpIsEmpty, query.OpIsNotEmpty)
	add(query.FieldMetadata, query.Cond{Key: "operand.key", Texts: two},
		query.OpKeyEquals, query.OpKeyNotEquals, query.OpKeyContains, query.OpIn, query.OpNotIn, query.OpIsEmpty, query.OpIsNotEmpty)
	add(query.FieldScores, query.Cond{Key: "operand.key", Numbers: []float64{49.5, 70}},
		query.OpGt, query.OpGte, query.OpLt, query.OpLte, query.OpEq, query.OpNeq, query.OpBetween)
	add(query.FieldScores, query.Cond{Key: "operand.key", Texts: two}, query.OpKeyEquals, query.OpIn, query.OpIsEmpty)
	return query.Group{Any: true, Nodes: []query.Node{query.Group{Nodes: nodes}, query.Group{}}}
}

// selectionOf is a query whose text conditions match a few logs.
func selectionOf(filter query.Node) *Selection {
	s := &Selection{Query: query.Query{Workspace: 1, Filter: filter}, Texts: map[string]*textindex.Set{}, UpTo: 1000}
	for c := range query.Conds(filter) {
		if c, _ = c.Positive(); c.Field.Type() == query.TypeText {
			s.Texts[TextKey(c)] = idSetOf(2)
		}
	}
	return s
}

// TestSQL compares the text of every kind of query with testdata, where it can
// be read. What a client sent is never part of it.
func TestSQL(t *testing.T) {
	t.Parallel()
	plain := query.Cond{Field: query.FieldEngine, Op: query.OpIs, Texts: []string{"operand"}}
	texts := map[string]string{
		"search_filters": selectionOf(everyCond()).pageQuery(query.SearchQuery{SortBy: query.FieldCost, Ascending: true}).text(),
		"search_score":   selectionOf(nil).pageQuery(query.SearchQuery{SortBy: query.FieldScores, SortKey: "operand"}).text(),
		"search_default": selectionOf(nil).pageQuery(query.SearchQuery{}).text(),
	}
	found := selectionOf(plain)
	found.Matches, found.Exact = idSetOf(MaxListedIDs+1), idSetOf(1)
	texts["search_text"] = found.pageQuery(query.SearchQuery{}).text()
	texts["search_count"] = recorded(t, func(db *sql.DB) error {
		_, err := found.count(t.Context(), db)
		return err
	})
	texts["price_usages"] = recorded(t, func(db *sql.DB) error {
		_, err := selectionOf(plain).usages(t.Context(), db, query.UsageQuery{After: 5, Last: 500, Limit: 100})
		if errors.Is(err, sql.ErrNoRows) { // the recorder has none
			_, err = selectionOf(plain).allUsages(t.Context(), db, 100)
		}
		return err
	})
	texts["scan_ids"] = scanQuery(selectionOf(plain), query.ScanQuery{After: 5, Last: 500, Limit: 100}).text()
	texts["scan_all_ids"] = scanQuery(nil, query.ScanQuery{After: 5, Last: 500, Limit: 100}).text()
	texts["scan_spans"] = spanScanQuery(query.SpanScanQuery{Workspace: 1, Limit: 5}, journal.Place{Block: 5, Slot: 6}).text()
	texts["scan_closures"] = closureScanQuery(query.SpanScanQuery{Workspace: 1, Limit: 5}, 5).text()
	texts["price_change"], _ = priceStatement(&reqlog.PriceChange{Workspace: 1, Repricing: 2, Prices: []reqlog.NewPrice{{ID: 3, USD: 0.5}}})
	texts["price_restore"], _ = priceStatement(&reqlog.PriceChange{Workspace: 1, Repricing: 2, First: 3, Last: 9})
	for name, suggest := range suggestQueries() {
		texts["suggest_"+name] = selectionOf(plain).suggestQuery(suggest).text()
	}
	for name, aggregate := range aggregateQueries() {
		texts["aggregate_"+name] = aggregateQuery(selectionOf(plain), aggregate).text()
	}
	for name, text := range traceQueries() {
		texts["trace_"+name] = text
	}
	for name, text := range analyzeQueries(plain) {
		texts["analyze_"+name] = text
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(text, "operand") {
				t.Errorf("a client's text is part of the query:\n%s", text)
			}
			check.SQL(t, filepath.Join("testdata", name+".sql"), text, *update)
		})
	}
	files, err := filepath.Glob(filepath.Join("testdata", "*.sql"))
	if err != nil || len(files) != len(texts) {
		t.Errorf("%d files for %d queries: %v", len(files), len(texts), err)
	}
}

func suggestQueries() map[string]query.SuggestQuery {
	return map[string]query.SuggestQuery{
		"string":     {Field: query.FieldEngine, Limit: 100},
		"identifier": {Field: query.FieldPromptID, Prefix: "operand", Limit: 100},
		"array":      {Field: query.FieldTags, Prefix: "operand", Limit: 100},
		"nested":     {Field: query.FieldMetadata, Key: "operand", Prefix: "operand", Limit: 100},
	}
}

func aggregateQueries() map[string]chart.AggregateQuery {
	var measures []chart.Measure
	for _, metric := range []chart.Metric{chart.MetricCount, chart.MetricSum, chart.MetricAvg, chart.MetricMin, chart.MetricMax, chart.MetricPercentile} {
		measures = append(measures, chart.Measure{Metric: metric, Field: query.FieldLatency, Percentile: 99.9})
	}
	measures = append(measures, chart.Measure{Metric: chart.MetricDistinct, MetadataKey: "operand"}, chart.Measure{Metric: chart.MetricAvg, Field: query.FieldScores, Key: "operand"},
		chart.Measure{Metric: chart.MetricPercentile, Field: query.FieldScores, Key: "operand", Percentile: 50})
	count, only := measures[:1], []string{"operand", "5"}
	return map[string]chart.AggregateQuery{
		"overall":  {Measures: measures},
		"fields":   {By: []chart.Dimension{{Field: query.FieldEngine, Only: only}, {Field: query.FieldTags}, {MetadataKey: "operand"}}, Measures: count, Limit: 25},
		"metadata": {By: []chart.Dimension{{MetadataKey: "operand"}, {Field: query.FieldPromptVersion, Only: only}}, Measures: count},
		"buckets":  {By: []chart.Dimension{{Bucket: &chart.BucketFiveMinutes}, {Bucket: &chart.BucketMonth}}, Measures: count},
		"scores":   {By: []chart.Dimension{{Field: query.FieldScores, Key: "operand", BinWidth: 10}, {Field: query.FieldScores, Key: "operand", Only: only}}, Measures: count},
		"bins":     {By: []chart.Dimension{{Field: query.FieldCost, BinWidth: 0.01, Only: only}, {Field: query.FieldStatus, Only: []string{}}}},
	}
}

// everyTraceCond has a condition on every field of traces and spans.
func everyTraceCond(level query.Level) query.Node {
	group := query.Group{Span: level == query.LevelSpan}
	for i := range query.TraceFields {
		field := &query.TraceFields[i]
		if field.Level != level {
			continue
		}
		for _, op := range field.Type.Operators() {
			group.Nodes = append(group.Nodes, query.Cond{
				Field: field.Name, Op: op, Key: "operand", Texts: []string{"operand"}, IDs: []int64{7}, Numbers: []float64{1, 2.5}, Times: []reqlog.Micros{1, 2},
			})
		}
	}
	return group
}

func traceQueries() map[string]string {
	found := selectionOf(nil)
	found.Matches = idSetOf(2)
	sum := []chart.Measure{{Metric: chart.MetricCount}, {Metric: chart.MetricAvg, Field: "span_cost_usd"}}
	both := query.Group{Any: true, Nodes: []query.Node{
		query.Cond{Field: "trace_status", Op: query.OpIs, Texts: []string{"operand"}}, query.Cond{Field: "span_name", Op: query.OpIsNot, Texts: []string{"operand"}},
	}}
	deep := query.Cond{Field: "trace_depth", Op: query.OpGt, Numbers: []float64{2}}
	search := func(filter query.Node) query.SearchQuery {
		return query.SearchQuery{Query: query.Query{Filter: filter}}
	}
	page := func(filter query.Node, sort query.Field) func(*logsql.Views) string {
		query := search(filter)
		query.SortBy, query.Ascending = sort, sort != ""
		return func(v *logsql.Views) string { return v.TracePage(query) }
	}
	texts := map[string]string{"text": found.traceQuery(page(nil, "")).text()}
	for name, write := range map[string]func(*logsql.Views) string{
		"default":      page(nil, ""),
		"trace_fields": page(everyTraceCond(query.LevelTrace), "trace_total_cost_usd"),
		"span_fields":  page(everyTraceCond(query.LevelSpan), ""),
		"any_span":     page(both, ""),
		"count":        func(v *logsql.Views) string { return v.CountTraces(deep) },
		"facts":        func(v *logsql.Views) string { return v.Facts([]int64{5, 6}) },
		"group_page":   groupPage(query.TraceGroupQuery{By: query.FieldTraceSession, SearchQuery: search(both)}),
		"group_depth":  groupPage(query.TraceGroupQuery{By: query.FieldTraceUser, SearchQuery: query.SearchQuery{Query: query.Query{Filter: deep}, SortBy: query.GroupCost, Ascending: true}}),
		"groups": func(v *logsql.Views) string {
			return v.Totals(query.TraceGroupQuery{By: query.FieldTraceUser}, []string{"operand 1", "operand 2"})
		},
		"aggregate": func(v *logsql.Views) string {
			return v.Aggregate(chart.AggregateQuery{Query: query.Query{Filter: both}, Level: query.LevelSpan, By: []chart.Dimension{{Field: "span_tool_name"}}, Measures: sum})
		},
		"series": func(v *logsql.Views) string {
			return v.Aggregate(chart.AggregateQuery{Level: query.LevelTrace, By: []chart.Dimension{{Bucket: &chart.BucketDay}}, Measures: sum[:1]})
		},
	} {
		sel := selectionOf(nil)
		if name == "groups" {
			sel = found
		}
		texts[name] = sel.traceQuery(write).text()
	}
	return texts
}

func analyzeQueries(filter query.Node) map[string]string {
	texts := map[string]string{}
	a := logsql.NewAnalysis(chart.AnalyzeQuery{Bucket: chart.BucketDay, BreakdownKey: "operand"})
	a.Result.Requests = 1 // otherwise the first pass is the last
	_ = a.Run(func(p logsql.Pass) error {
		texts[p.Name] = selectionOf(filter).passQuery(p).text()
		return nil
	}, logsql.OneByOne)
	return texts
}

// TestSchema compares the tables with testdata. The file of a version is never
// updated: other columns are another version.
func TestSchema(t *testing.T) {
	t.Parallel()
	path := filepath.Join("testdata", "schema", fmt.Sprintf("v%d.sql", schemaVersion))
	want, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && *update {
		want, err = []byte(schema), os.WriteFile(path, []byte(schema), 0o644)
	}
	if err != nil {
		t.Fatal(fmt.Errorf("%w: run the test with -update", err))
	}
	if diff := cmp.Diff(string(want), schema); diff != "" {
		t.Errorf("the tables changed: raise schemaVersion (-want +got):\n%s", diff)
	}
	if files, err := filepath.Glob("testdata/schema/*"); err != nil || len(files) != 1 {
		t.Errorf("files of other versions: %q, %v", files, err)
	}
}
