package chart

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// fixedAggregate records its queries and returns the next of its fixed lists of
// rows for each.
type fixedAggregate struct {
	rows  [][]AggregateRow
	asked []AggregateQuery
	err   error
}

func (a *fixedAggregate) aggregate(_ context.Context, q AggregateQuery) ([]AggregateRow, error) {
	a.asked = append(a.asked, q)
	if a.err != nil || len(a.rows) < len(a.asked) {
		return nil, a.err
	}
	return a.rows[len(a.asked)-1], nil
}

func twoNames(_ context.Context, ids []int64) (map[int64]string, error) {
	names := map[int64]string{}
	for _, id := range ids {
		if id == 7 || id == 8 {
			names[id] = "welcome"
		}
	}
	return names, nil
}

func noKeys(context.Context) (map[int64]string, error) { return map[int64]string{5: "prod"}, nil }

// answer returns a row with its keys and values, nil for no value.
func answer(keys []string, values ...any) AggregateRow {
	row := AggregateRow{Keys: keys}
	for _, v := range values {
		var p *float64
		if f, ok := v.(float64); ok {
			p = &f
		}
		row.Values = append(row.Values, p)
	}
	return row
}

func keys(keys ...string) []string { return keys }

var chartQuery = query.Query{Workspace: 3, Text: "refund", Filter: query.Cond{
	Field: query.FieldStart, Op: query.OpAfter, Times: []reqlog.Micros{1_767_225_600_000_000}, // 2026-01-01
}}

const chartNow reqlog.Micros = 1_767_225_600_000_000 + 3_600_000_000

// buildChart parses and builds one chart and returns it as JSON text.
func buildChart(t *testing.T, members string, store *fixedAggregate) string {
	t.Helper()
	chart, problems, err := parseChart(t, members)
	if err != nil || problems.Any() {
		t.Fatal(err, problems.Err())
	}
	results, err := Build(t.Context(), []Chart{chart}, store.aggregate, Names{Prompts: twoNames, Keys: noKeys}, chartQuery, chartNow)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(results[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestBuildCharts(t *testing.T) {
	t.Parallel()
	const head = `{"id":"x","title":"x","chartType":`
	const requests = `"series":[{"key":"value","label":"Requests","unit":"count"}]`
	const seconds = `"series":[{"key":"value","label":"Avg Latency","unit":"duration_seconds"}]`
	const both = `"series":[{"key":"c","label":"Money","unit":"currency"},{"key":"t","label":"Tokens","unit":"tokens"}]`
	const perToken = `"derivedInsights":[{"label":"Each","numeratorSeriesKey":"c","denominatorSeriesKey":"t"}]`
	const each = `{"type":"ratio","label":"Each","numeratorSeriesKey":"c","denominatorSeriesKey":"t","value":`
	cases := []struct {
		name, members string
		rows          [][]AggregateRow
		want          string
	}{
		{
			"overall", `"chartType":"bar","metric":"count"`,
			[][]AggregateRow{{answer(nil, 12.0)}},
			head + `"bar",` + requests + `,"data":[{"label":"Overall","value":12}]}`,
		}, {
			"overall sum of nothing", `"chartType":"bar","metric":"sum","metricField":"cost"`,
			[][]AggregateRow{{answer(nil, nil)}},
			head + `"bar","series":[{"key":"value","label":"Cost","unit":"currency"}],"data":[{"label":"Overall","value":0}]}`,
		}, {
			"overall average of nothing", `"chartType":"bar","metric":"avg","metricField":"latency_ms"`,
			[][]AggregateRow{{answer(nil, nil)}},
			head + `"bar",` + seconds + `,"data":[{"label":"Overall","value":null}]}`,
		}, {
			"latency in seconds", `"chartType":"bar","metric":"avg","metricField":"latency_ms"`,
			[][]AggregateRow{{answer(nil, 1234.0)}},
			head + `"bar",` + seconds + `,"data":[{"label":"Overall","value":1.234}]}`,
		}, {
			"no number", `"chartType":"bar","metric":"avg","metricField":"latency_ms"`,
			[][]AggregateRow{{answer(nil, math.NaN())}},
			head + `"bar",` + seconds + `,"data":[{"label":"Overall","value":null}]}`,
		}, {
			"groups by value, then label", `"chartType":"bar","metric":"count","groupByField":"engine"`,
			[][]AggregateRow{{answer(keys("b"), 2.0), answer(keys("none"), nil), answer(keys("c"), 5.0), answer(keys("a"), 2.0)}},
			head + `"bar",` + requests + `,"data":[{"label":"c","value":5},{"label":"a","value":2},{"label":"b","value":2}]}`,
		}, {
			"no groups", `"chartType":"pie","metric":"count","groupByMetadataKey":"team"`,
			nil,
			head + `"pie",` + requests + `,"data":[]}`,
		}, {
			"prompts by name", `"chartType":"bar","metric":"count","groupByField":"prompt_id"`,
			[][]AggregateRow{{answer(keys("10"), 3.0), answer(keys("8"), 1.0), answer(keys("7"), 1.0), answer(keys("9"), 1.0)}},
			head + `"bar",` + requests + `,"data":[{"label":"10","groupKey":"10","value":3},{"label":"9","groupKey":"9","value":1},` +
				`{"label":"welcome","groupKey":"7","value":1},{"label":"welcome","groupKey":"8","value":1}]}`,
		}, {
			"several series", `"chartType":"bar",` + twoSeries,
			[][]AggregateRow{{answer(nil, 6.0, nil)}},
			head + `"bar",` + both + `,"data":[{"label":"Overall","c":6,"t":null}],"derivedInsights":[]}`,
		}, {
			"several series in groups", `"chartType":"bar","groupByField":"tags",` + twoSeries + `,` + perToken,
			[][]AggregateRow{{answer(nil, 6.0, 4.0)}, {answer(keys("a"), nil, 9.0), answer(keys("gone"), nil, nil), answer(keys("b"), 1.0, nil)}},
			head + `"bar",` + both + `,"data":[{"label":"b","c":1,"t":null},{"label":"a","c":null,"t":9}],"derivedInsights":[` + each + `1.5}]}`,
		}, {
			"ratio over nothing", `"chartType":"bar",` + twoSeries + `,` + perToken,
			[][]AggregateRow{{answer(nil, 6.0, 0.0)}},
			head + `"bar",` + both + `,"data":[{"label":"Overall","c":6,"t":0}],"derivedInsights":[` + each + `null}]}`,
		}, {
			"ratio of nothing over nothing", `"chartType":"bar",` + twoSeries + `,` + perToken,
			[][]AggregateRow{{answer(nil, 0.0, 0.0)}},
			head + `"bar",` + both + `,"data":[{"label":"Overall","c":0,"t":0}],"derivedInsights":[` + each + `null}]}`,
		}, {
			"ratio over the unknown", `"chartType":"bar",` + twoSeries + `,` + perToken,
			[][]AggregateRow{{answer(nil, 6.0, nil)}},
			head + `"bar",` + both + `,"data":[{"label":"Overall","c":6,"t":null}],"derivedInsights":[` + each + `null}]}`,
		}, {
			"ratio beyond numbers", `"chartType":"bar",` + twoSeries + `,` + perToken,
			[][]AggregateRow{{answer(nil, 1e300, 1e-300)}},
			head + `"bar",` + both + `,"data":[{"label":"Overall","c":1e+300,"t":1e-300}],"derivedInsights":[` + each + `null}]}`,
		}, {
			"time series", `"chartType":"line","metric":"count","timeSeries":true`,
			[][]AggregateRow{{answer(keys("1767229140000000"), 2.0), answer(keys("1767225660000000"), 1.0)}},
			head + `"line",` + requests + `,"data":[{"bucketKey":"2026-01-01T00:01:00Z","label":"12:01 AM","value":1},` +
				`{"bucketKey":"2026-01-01T00:59:00Z","label":"12:59 AM","value":2}]}`,
		}, {
			"time series of several", `"chartType":"line","timeSeries":true,"timeBucket":"month",` + twoSeries,
			[][]AggregateRow{{answer(keys("1767225600000000"), 2.0, 3.0)}},
			head + `"line",` + both + `,"data":[{"bucketKey":"2026-01-01","label":"Jan 1","c":2,"t":3}],"derivedInsights":[]}`,
		}, {
			"histogram", `"chartType":"histogram","metric":"count","histogramField":"cost"`,
			[][]AggregateRow{{answer(keys("0.28"), 3.0), answer(keys("0"), 1.0), answer(keys("-0.01"), 1.0), answer(keys("0.30000000000000004"), 2.0)}},
			head + `"histogram",` + requests + `,"data":[{"label":"-0.01–0","bucketStart":-0.01,"bucketEnd":0,"value":1},` +
				`{"label":"0–0.01","bucketStart":0,"bucketEnd":0.01,"value":1},` +
				`{"label":"0.28–0.29","bucketStart":0.28,"bucketEnd":0.29,"value":3},` +
				`{"label":"0.3–0.31","bucketStart":0.3,"bucketEnd":0.31,"value":2}]}`,
		}, {
			"histogram of large bins", `"chartType":"histogram","metric":"count","histogramField":"latency_ms"`,
			[][]AggregateRow{{answer(keys("10000000"), 1.0), answer(keys("9000"), 3.0)}},
			head + `"histogram",` + requests + `,"data":[{"label":"9000–10000","bucketStart":9000,"bucketEnd":10000,"value":3},` +
				`{"label":"10000000–10001000","bucketStart":10000000,"bucketEnd":10001000,"value":1}]}`,
		}, {
			"heatmap", `"chartType":"heatmap","metric":"count","groupByField":"engine","secondaryGroupByField":"prompt_id"`,
			[][]AggregateRow{
				{answer(keys("a"), 4.0), answer(keys("b"), 1.0)},
				{answer(keys("7"), 5.0)},
				{answer(keys("b", "7"), 1.0), answer(keys("a", "7"), 4.0)},
			},
			head + `"heatmap",` + requests + `,"data":[{"label":"a","secondaryLabel":"welcome","secondaryGroupKey":"7","value":4},` +
				`{"label":"b","secondaryLabel":"welcome","secondaryGroupKey":"7","value":1}]}`,
		}, {
			"heatmap of nothing", `"chartType":"heatmap","metric":"count","groupByField":"engine","secondaryGroupByField":"tags"`,
			nil,
			head + `"heatmap",` + requests + `,"data":[]}`,
		}, {
			"treemap", `"chartType":"treemap","metric":"count","hierarchyFields":["prompt_id","engine"]`,
			[][]AggregateRow{{answer(keys("7", "b"), 1.0), answer(keys("7", "a"), 1.0), answer(keys("5", "7"), 2.0)}},
			head + `"treemap",` + requests + `,"data":[{"label":"7","path":["5","7"],"value":2},` +
				`{"label":"a","path":["welcome","a"],"value":1},{"label":"b","path":["welcome","b"],"value":1}]}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := buildChart(t, c.members, &fixedAggregate{rows: c.rows})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestBuildChartsQueries(t *testing.T) {
	t.Parallel()
	count := []Measure{{Metric: MetricCount}}
	two := []Measure{{Metric: MetricSum, Field: query.FieldCost}, {Metric: MetricAvg, Field: query.FieldInputTokens}}
	some := [][]AggregateRow{{answer(keys("b"), 1.0), answer(keys("a"), 2.0)}, {answer(keys("y"), 1.0)}}
	totals := [][]AggregateRow{{answer(nil, 1.0, 2.0)}}
	ratio := `,"derivedInsights":[{"label":"l","numeratorSeriesKey":"c","denominatorSeriesKey":"t"}]`
	minute, week := BucketMinute, BucketWeek
	cases := []struct {
		name, members string
		rows          [][]AggregateRow
		want          []AggregateQuery
	}{
		{"overall", `"chartType":"bar",` + twoSeries + ratio, totals, []AggregateQuery{{Measures: two}}},
		{"percentile", `"chartType":"bar","metric":"percentile","percentile":99,"metricField":"latency_ms","groupByField":"tags","limit":3`, nil,
			[]AggregateQuery{{By: []Dimension{{Field: query.FieldTags}}, Measures: []Measure{{Metric: MetricPercentile, Field: query.FieldLatency, Percentile: 99}}, Limit: 3}}},
		{"groups with ratio", `"chartType":"bar","groupByMetadataKey":"team",` + twoSeries + ratio, totals,
			[]AggregateQuery{{Measures: two}, {By: []Dimension{{MetadataKey: "team"}}, Measures: two, Limit: 25}}},
		{"automatic bucket", `"chartType":"line","metric":"count","timeSeries":true,"limit":1`, nil,
			[]AggregateQuery{{By: []Dimension{{Bucket: &minute}}, Measures: count}}},
		{"grouped time series", `"chartType":"line","metric":"count","timeSeries":true,"timeBucket":"week","groupByField":"engine","limit":2`, some[:1],
			[]AggregateQuery{
				{By: []Dimension{{Field: query.FieldEngine}}, Measures: count, Limit: 2},
				{By: []Dimension{{Bucket: &week}, {Field: query.FieldEngine, Only: []string{"a", "b"}}}, Measures: count},
			}},
		{"grouped time series of nothing", `"chartType":"line","metric":"count","timeSeries":true,"groupByField":"engine"`, nil,
			[]AggregateQuery{{By: []Dimension{{Field: query.FieldEngine}}, Measures: count, Limit: 25}}},
		{"heatmap", `"chartType":"heatmap","metric":"count","groupByField":"engine","secondaryGroupByField":"tags","limit":2`, some,
			[]AggregateQuery{
				{By: []Dimension{{Field: query.FieldEngine}}, Measures: count, Limit: 2},
				{By: []Dimension{{Field: query.FieldTags}}, Measures: count, Limit: 2},
				{By: []Dimension{{Field: query.FieldEngine, Only: []string{"b", "a"}}, {Field: query.FieldTags, Only: []string{"y"}}}, Measures: count},
			}},
		{"histogram", `"chartType":"histogram","metric":"count","histogramField":"cost","histogramInterval":2`, nil,
			[]AggregateQuery{{By: []Dimension{{Field: query.FieldCost, BinWidth: 2}}, Measures: count, Limit: maxBins}}},
		{"treemap", `"chartType":"treemap","metric":"count","hierarchyFields":["tags","engine"],"limit":9`, nil,
			[]AggregateQuery{{By: []Dimension{{Field: query.FieldTags}, {Field: query.FieldEngine}}, Measures: count, Limit: 9}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			store := &fixedAggregate{rows: c.rows}
			buildChart(t, c.members, store)
			for i := range c.want {
				c.want[i].Query = chartQuery
			}
			if diff := cmp.Diff(c.want, store.asked); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestBuildChartsDoesNotModifyCharts(t *testing.T) {
	t.Parallel()
	for _, members := range []string{
		`"chartType":"heatmap","metric":"count","groupByField":"engine","secondaryGroupByField":"tags"`,
		`"chartType":"line","metric":"count","groupByField":"engine","timeSeries":true`,
	} {
		chart, _, err := parseChart(t, members)
		if err != nil {
			t.Fatal(err)
		}
		store := &fixedAggregate{rows: [][]AggregateRow{{answer(keys("a"), 1.0)}}}
		if _, err := Build(t.Context(), []Chart{chart}, store.aggregate, Names{Prompts: twoNames, Keys: noKeys}, chartQuery, chartNow); err != nil {
			t.Fatal(err)
		}
		again, _, _ := parseChart(t, members)
		if diff := cmp.Diff(again, chart); diff != "" {
			t.Errorf("-before +after:\n%s", diff)
		}
	}
}

func TestBuildChartsKeepsOrder(t *testing.T) {
	t.Parallel()
	count := []Series{{Key: "value", Measure: Measure{Metric: MetricCount}}}
	charts := []Chart{{ID: "b", Type: "bar", Series: count}, {ID: "a", Type: "bar", Series: count}}
	store := &fixedAggregate{rows: [][]AggregateRow{{answer(nil, 1.0)}, {answer(nil, 2.0)}}}
	results, err := Build(t.Context(), charts, store.aggregate, Names{Prompts: twoNames, Keys: noKeys}, chartQuery, chartNow)
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != 2 || results[0].ID != "b" || results[1].ID != "a" {
		t.Errorf("got %+v", results)
	}
}

func TestBuildChartsFails(t *testing.T) {
	t.Parallel()
	down := errors.New("engine is down")
	noNames := func(context.Context, []int64) (map[int64]string, error) { return nil, down }
	one := [][]AggregateRow{{answer(keys("1"), 1.0)}}
	cases := []struct {
		name, members string
		store         *fixedAggregate
	}{
		{"totals", `"chartType":"bar","metric":"count"`, &fixedAggregate{err: down}},
		{"groups", `"chartType":"bar","metric":"count","groupByField":"engine"`, &fixedAggregate{err: down}},
		{"time series", `"chartType":"line","metric":"count","timeSeries":true`, &fixedAggregate{err: down}},
		{"grouped time series", `"chartType":"line","metric":"count","timeSeries":true,"groupByField":"engine"`, &fixedAggregate{err: down}},
		{"histogram", `"chartType":"histogram","metric":"count","histogramField":"cost"`, &fixedAggregate{err: down}},
		{"heatmap", `"chartType":"heatmap","metric":"count","groupByField":"engine","secondaryGroupByField":"tags"`, &fixedAggregate{err: down}},
		{"treemap", `"chartType":"treemap","metric":"count","hierarchyFields":["tags","engine"]`, &fixedAggregate{err: down}},
		{"names", `"chartType":"bar","metric":"count","groupByField":"prompt_id"`, &fixedAggregate{rows: one}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			chart, _, err := parseChart(t, c.members)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Build(t.Context(), []Chart{chart}, c.store.aggregate, Names{Prompts: noNames, Keys: noKeys}, chartQuery, chartNow)
			if !errors.Is(err, down) {
				t.Errorf("got %v, want it to wrap %v", err, down)
			}
		})
	}
}
