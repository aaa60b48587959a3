package chart

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
)

func TestBuildChartsGroupedTimeSeries(t *testing.T) {
	t.Parallel()
	const members = `"chartType":"area","metric":"avg","metricField":"latency_ms","timeSeries":true,"timeBucket":"day","groupByField":`
	const head = `{"id":"x","title":"x","chartType":"area",`
	const jan1, jan2, jan3 = "1767225600000000", "1767312000000000", "1767398400000000"
	cases := []struct {
		name, group string
		rows        [][]AggregateRow
		want        string
	}{
		{
			"absent groups are 0", `"engine"`,
			[][]AggregateRow{
				{answer(keys("b"), 1000.0), answer(keys("a"), 3000.0)},
				{
					answer(keys(jan3, "b"), 500.0), answer(keys(jan1, "b"), 1500.0),
					answer(keys(jan1, "a"), 3000.0), answer(keys(jan2, "a"), nil),
				},
			},
			head + `"series":[{"key":"a","label":"a","unit":"duration_seconds"},{"key":"b","label":"b","unit":"duration_seconds"}],` +
				`"data":[{"bucketKey":"2026-01-01","label":"Jan 1","a":3,"b":1.5},{"bucketKey":"2026-01-03","label":"Jan 3","a":0,"b":0.5}]}`,
		}, {
			"prompts by name", `"prompt_id"`,
			[][]AggregateRow{
				{answer(keys("9"), 1000.0), answer(keys("7"), 2000.0)},
				{answer(keys(jan1, "7"), 2000.0), answer(keys(jan1, "9"), 1000.0)},
			},
			head + `"series":[{"key":"7","label":"welcome","unit":"duration_seconds"},{"key":"9","label":"9","unit":"duration_seconds"}],` +
				`"data":[{"bucketKey":"2026-01-01","label":"Jan 1","7":2,"9":1}]}`,
		}, {
			"groups named like cells", `"tags"`,
			[][]AggregateRow{
				{answer(keys("label"), 2000.0), answer(keys("group:label"), 1000.0)},
				{answer(keys(jan1, "label"), 2000.0), answer(keys(jan1, "group:label"), 1000.0)},
			},
			head + `"series":[{"key":"group:group:label","label":"label","unit":"duration_seconds"},` +
				`{"key":"group:label","label":"group:label","unit":"duration_seconds"}],` +
				`"data":[{"bucketKey":"2026-01-01","label":"Jan 1","group:group:label":2,"group:label":1}]}`,
		}, {
			"nothing", `"engine"`, nil, head + `"series":[],"data":[]}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := buildChart(t, members+c.group, &fixedAggregate{rows: c.rows})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestBuildChartsRejectsInvalidRows(t *testing.T) {
	t.Parallel()
	bad := [][]AggregateRow{{answer(keys("soon"), 1.0)}}
	cases := []struct {
		name, members string
		rows          [][]AggregateRow
	}{
		{"bucket", `"chartType":"line","metric":"count","timeSeries":true`, bad},
		{"prompt", `"chartType":"bar","metric":"count","groupByField":"prompt_id"`, bad},
		{"bin", `"chartType":"histogram","metric":"count","histogramField":"cost"`, bad},
		{"no totals", `"chartType":"bar",` + twoSeries, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			chart, _, err := parseChart(t, c.members)
			if err != nil {
				t.Fatal(err)
			}
			store := &fixedAggregate{rows: c.rows}
			got, err := Build(access.AsSystem(t.Context()), []Chart{chart}, store.aggregate, Names{Prompts: twoNames, Keys: noKeys}, chartQuery, chartNow)
			if err == nil {
				t.Errorf("got %+v, want an error", got)
			}
		})
	}
}
