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
func everyCond() reqlog.Node {
	one, two := []string{"operand'1"}, []string{"operand 1", "operand\x002"}
	var nodes []reqlog.Node
	add := func(field reqlog.Field, values reqlog.Cond, ops ...reqlog.Op) {
		for _, op := range ops {
			values.Field, values.Op = field, op
			nodes = append(nodes, values)
		}
	}
	add(reqlog.FieldPromptID, reqlog.Cond{IDs: []int64{7, -8}}, reqlog.OpIn, reqlog.OpNotIn, reqlog.OpIsNull, reqlog.OpIsNotNull)
	for _, field := range []reqlog.Field{reqlog.FieldEngine, reqlog.FieldStatus} {
		add(field, reqlog.Cond{Texts: one}, reqlog.OpIs, reqlog.OpIsNot)
		add(field, reqlog.Cond{Texts: two}, reqlog.OpIn, reqlog.OpNotIn)
	}
	add(reqlog.FieldAgentIntent, reqlog.Cond{Texts: []string{"refusal", "uncertain"}}, reqlog.OpIn, reqlog.OpNotIn)
	add(reqlog.FieldInputText, reqlog.Cond{Texts: one}, reqlog.OpContains, reqlog.OpNotContains, reqlog.OpStartsWith, reqlog.OpEndsWith)
	add(reqlog.FieldCost, reqlog.Cond{Numbers: []float64{1.5, 2}}, reqlog.OpEq, reqlog.OpNeq, reqlog.OpGt, reqlog.OpGte, reqlog.OpLt, reqlog.OpLte, reqlog.OpBetween, reqlog.OpIsNull)
	add(reqlog.FieldStart, reqlog.Cond{Times: []reqlog.Micros{1, 2}}, reqlog.OpIs, reqlog.OpBefore, reqlog.OpAfter, reqlog.OpBetween)
	for _, field := range []reqlog.Field{reqlog.FieldIsJSON, reqlog.FieldIsToolCall, reqlog.FieldIsPlainText, reqlog.FieldHasTrace} {
		add(field, reqlog.Cond{}, reqlog.OpIsTrue, reqlog.OpIsFalse)
	}
	add(reqlog.FieldTags, reqlog.Cond{Texts: two}, reqlog.OpContains, reqlog.OpNotContains, reqlog.OpIn, reqlog.OpNotIn, reqlog.OpIsEmpty, reqlog.OpIsNotEmpty)
	add(reqlog.FieldMetadata, reqlog.Cond{Key: "operand.key", Texts: two},
		reqlog.OpKeyEquals, reqlog.OpKeyNotEquals, reqlog.OpKeyContains, reqlog.OpIn, reqlog.OpNotIn, reqlog.OpIsEmpty, reqlog.OpIsNotEmpty)
	add(reqlog.FieldScores, reqlog.Cond{Key: "operand.key", Numbers: []float64{49.5, 70}},
		reqlog.OpGt, reqlog.OpGte, reqlog.OpLt, reqlog.OpLte, reqlog.OpEq, reqlog.OpNeq, reqlog.OpBetween)
	add(reqlog.FieldScores, reqlog.Cond{Key: "operand.key", Texts: two}, reqlog.OpKeyEquals, reqlog.OpIn, reqlog.OpIsEmpty)
	return reqlog.Group{Any: true, Nodes: []reqlog.Node{reqlog.Group{Nodes: nodes}, reqlog.Group{}}}
}

// selectionOf is a query whose text conditions match a few logs.
func selectionOf(filter reqlog.Node) *Selection {
	s := &Selection{Query: reqlog.Query{Workspace: 1, Filter: filter}, Texts: map[string]*textindex.Set{}, UpTo: 1000}
	for c := range reqlog.Conds(filter) {
		if c, _ = c.Positive(); c.Field.Type() == reqlog.TypeText {
			s.Texts[TextKey(c)] = idSetOf(2)
		}
	}
	return s
}

// TestSQL compares the text of every kind of query with testdata, where it can
// be read. What a client sent is never part of it.
func TestSQL(t *testing.T) {
	t.Parallel()
	plain := reqlog.Cond{Field: reqlog.FieldEngine, Op: reqlog.OpIs, Texts: []string{"operand"}}
	texts := map[string]string{
		"search_filters": selectionOf(everyCond()).pageQuery(reqlog.SearchQuery{SortBy: reqlog.FieldCost, Ascending: true}).text(),
		"search_score":   selectionOf(nil).pageQuery(reqlog.SearchQuery{SortBy: reqlog.FieldScores, SortKey: "operand"}).text(),
		"search_default": selectionOf(nil).pageQuery(reqlog.SearchQuery{}).text(),
	}
	found := selectionOf(plain)
	found.Matches, found.Exact = idSetOf(MaxListedIDs+1), idSetOf(1)
	texts["search_text"] = found.pageQuery(reqlog.SearchQuery{}).text()
	texts["search_count"] = recorded(t, func(db *sql.DB) error {
		_, err := found.count(t.Context(), db)
		return err
	})
	texts["price_usages"] = recorded(t, func(db *sql.DB) error {
		_, err := selectionOf(plain).usages(t.Context(), db, reqlog.UsageQuery{After: 5, Last: 500, Limit: 100})
		if errors.Is(err, sql.ErrNoRows) { // the recorder has none
			_, err = selectionOf(plain).allUsages(t.Context(), db, 100)
		}
		return err
	})
	texts["scan_ids"] = scanQuery(selectionOf(plain), reqlog.ScanQuery{After: 5, Last: 500, Limit: 100}).text()
	texts["scan_all_ids"] = scanQuery(nil, reqlog.ScanQuery{After: 5, Last: 500, Limit: 100}).text()
	texts["scan_spans"] = spanScanQuery(reqlog.SpanScanQuery{Workspace: 1, Limit: 5}, journal.Place{Block: 5, Slot: 6}).text()
	texts["scan_closures"] = closureScanQuery(reqlog.SpanScanQuery{Workspace: 1, Limit: 5}, 5).text()
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

func suggestQueries() map[string]reqlog.SuggestQuery {
	return map[string]reqlog.SuggestQuery{
		"string":     {Field: reqlog.FieldEngine, Limit: 100},
		"identifier": {Field: reqlog.FieldPromptID, Prefix: "operand", Limit: 100},
		"array":      {Field: reqlog.FieldTags, Prefix: "operand", Limit: 100},
		"nested":     {Field: reqlog.FieldMetadata, Key: "operand", Prefix: "operand", Limit: 100},
	}
}

func aggregateQueries() map[string]reqlog.AggregateQuery {
	var measures []reqlog.Measure
	for _, metric := range []reqlog.Metric{reqlog.MetricCount, reqlog.MetricSum, reqlog.MetricAvg, reqlog.MetricMin, reqlog.MetricMax, reqlog.MetricPercentile} {
		measures = append(measures, reqlog.Measure{Metric: metric, Field: reqlog.FieldLatency, Percentile: 99.9})
	}
	measures = append(measures, reqlog.Measure{Metric: reqlog.MetricDistinct, MetadataKey: "operand"}, reqlog.Measure{Metric: reqlog.MetricAvg, Field: reqlog.FieldScores, Key: "operand"},
		reqlog.Measure{Metric: reqlog.MetricPercentile, Field: reqlog.FieldScores, Key: "operand", Percentile: 50})
	count, only := measures[:1], []string{"operand", "5"}
	return map[string]reqlog.AggregateQuery{
		"overall":  {Measures: measures},
		"fields":   {By: []reqlog.Dimension{{Field: reqlog.FieldEngine, Only: only}, {Field: reqlog.FieldTags}, {MetadataKey: "operand"}}, Measures: count, Limit: 25},
		"metadata": {By: []reqlog.Dimension{{MetadataKey: "operand"}, {Field: reqlog.FieldPromptVersion, Only: only}}, Measures: count},
		"buckets":  {By: []reqlog.Dimension{{Bucket: &reqlog.BucketFiveMinutes}, {Bucket: &reqlog.BucketMonth}}, Measures: count},
		"scores":   {By: []reqlog.Dimension{{Field: reqlog.FieldScores, Key: "operand", BinWidth: 10}, {Field: reqlog.FieldScores, Key: "operand", Only: only}}, Measures: count},
		"bins":     {By: []reqlog.Dimension{{Field: reqlog.FieldCost, BinWidth: 0.01, Only: only}, {Field: reqlog.FieldStatus, Only: []string{}}}},
	}
}

// everyTraceCond has a condition on every field of traces and spans.
func everyTraceCond(level reqlog.Level) reqlog.Node {
	group := reqlog.Group{Span: level == reqlog.LevelSpan}
	for i := range reqlog.TraceFields {
		field := &reqlog.TraceFields[i]
		if field.Level != level {
			continue
		}
		for _, op := range field.Type.Operators() {
			group.Nodes = append(group.Nodes, reqlog.Cond{
				Field: field.Name, Op: op, Key: "operand", Texts: []string{"operand"}, IDs: []int64{7}, Numbers: []float64{1, 2.5}, Times: []reqlog.Micros{1, 2},
			})
		}
	}
	return group
}

func traceQueries() map[string]string {
	found := selectionOf(nil)
	found.Matches = idSetOf(2)
	sum := []reqlog.Measure{{Metric: reqlog.MetricCount}, {Metric: reqlog.MetricAvg, Field: "span_cost_usd"}}
	both := reqlog.Group{Any: true, Nodes: []reqlog.Node{
		reqlog.Cond{Field: "trace_status", Op: reqlog.OpIs, Texts: []string{"operand"}}, reqlog.Cond{Field: "span_name", Op: reqlog.OpIsNot, Texts: []string{"operand"}},
	}}
	deep := reqlog.Cond{Field: "trace_depth", Op: reqlog.OpGt, Numbers: []float64{2}}
	search := func(filter reqlog.Node) reqlog.SearchQuery {
		return reqlog.SearchQuery{Query: reqlog.Query{Filter: filter}}
	}
	page := func(filter reqlog.Node, sort reqlog.Field) func(*logsql.Views) string {
		query := search(filter)
		query.SortBy, query.Ascending = sort, sort != ""
		return func(v *logsql.Views) string { return v.TracePage(query) }
	}
	texts := map[string]string{"text": found.traceQuery(page(nil, "")).text()}
	for name, write := range map[string]func(*logsql.Views) string{
		"default":      page(nil, ""),
		"trace_fields": page(everyTraceCond(reqlog.LevelTrace), "trace_total_cost_usd"),
		"span_fields":  page(everyTraceCond(reqlog.LevelSpan), ""),
		"any_span":     page(both, ""),
		"count":        func(v *logsql.Views) string { return v.CountTraces(deep) },
		"facts":        func(v *logsql.Views) string { return v.Facts([]int64{5, 6}) },
		"group_page":   groupPage(reqlog.TraceGroupQuery{By: reqlog.FieldTraceSession, SearchQuery: search(both)}),
		"group_depth":  groupPage(reqlog.TraceGroupQuery{By: reqlog.FieldTraceUser, SearchQuery: reqlog.SearchQuery{Query: reqlog.Query{Filter: deep}, SortBy: reqlog.GroupCost, Ascending: true}}),
		"groups": func(v *logsql.Views) string {
			return v.Totals(reqlog.TraceGroupQuery{By: reqlog.FieldTraceUser}, []string{"operand 1", "operand 2"})
		},
		"aggregate": func(v *logsql.Views) string {
			return v.Aggregate(reqlog.AggregateQuery{Query: reqlog.Query{Filter: both}, Level: reqlog.LevelSpan, By: []reqlog.Dimension{{Field: "span_tool_name"}}, Measures: sum})
		},
		"series": func(v *logsql.Views) string {
			return v.Aggregate(reqlog.AggregateQuery{Level: reqlog.LevelTrace, By: []reqlog.Dimension{{Bucket: &reqlog.BucketDay}}, Measures: sum[:1]})
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

func analyzeQueries(filter reqlog.Node) map[string]string {
	texts := map[string]string{}
	a := logsql.NewAnalysis(reqlog.AnalyzeQuery{Bucket: reqlog.BucketDay, BreakdownKey: "operand"})
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
