package chart

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

const (
	costSeries   = `{"key":"c","label":"Money","metric":"sum","metricField":"cost"}`
	tokensSeries = `{"key":"t","label":"Tokens","metric":"avg","metricField":"input_tokens"}`
	twoSeries    = `"series":[` + costSeries + `,` + tokensSeries + `]`
)

// parseChart parses a list of one chart with the members besides its id.
func parseChart(t *testing.T, members string) (Chart, *fault.Problems, error) {
	t.Helper()
	var problems fault.Problems
	charts, err := Parse(jsonValue(t, `[{"id":"x",`+members+`}]`), &problems)
	if len(charts) != 1 {
		return Chart{}, &problems, err
	}
	return charts[0], &problems, err
}

func TestParseCharts(t *testing.T) {
	t.Parallel()
	count := []Series{{Key: "value", Label: "Requests", Measure: Measure{Metric: MetricCount}}}
	two := []Series{
		{Key: "c", Label: "Money", Measure: Measure{Metric: MetricSum, Field: query.FieldCost}},
		{Key: "t", Label: "Tokens", Measure: Measure{Metric: MetricAvg, Field: query.FieldInputTokens}},
	}
	cases := []struct {
		name, members string
		want          Chart
	}{
		{"overall", `"chartType":"bar","metric":"count"`, Chart{Type: "bar", Series: count}},
		{"nulls", `"chartType":"bar","metric":"count","title":null,"metricField":null,"percentile":null,"series":null,` +
			`"derivedInsights":null,"groupByField":null,"groupByMetadataKey":null,"timeSeries":null,"timeBucket":null,"limit":null`,
			Chart{Type: "bar", Series: count}},
		{"title", `"chartType":"bar","metric":"count","title":"All requests"`, Chart{Title: "All requests", Type: "bar", Series: count}},
		{"needless members", `"chartType":"bar","metric":"count","metricField":"cost","percentile":5,"derivedInsights":[]`,
			Chart{Type: "bar", Series: count}},
		{"distinct", `"chartType":"bar","metric":"distinct_count","distinctMetadataKey":"user_id"`, Chart{Type: "bar", Series: []Series{
			{Key: "value", Label: "Distinct user_id", Measure: Measure{Metric: MetricDistinct, MetadataKey: "user_id"}}}}},
		{"group", `"chartType":"pie","metric":"count","groupByField":"engine","limit":100`,
			Chart{Type: "pie", Series: count, By: []Dimension{{Field: query.FieldEngine}}, Limit: 100}},
		{"group by metadata", `"chartType":"donut","metric":"count","groupByMetadataKey":"a.b' --","limit":1.0`,
			Chart{Type: "donut", Series: count, By: []Dimension{{MetadataKey: "a.b' --"}}, Limit: 1}},
		{"time series", `"chartType":"line","metric":"count","timeSeries":true`, Chart{Type: "line", Series: count, TimeSeries: true}},
		{"automatic bucket", `"chartType":"line","metric":"count","timeSeries":true,"timeBucket":"auto"`,
			Chart{Type: "line", Series: count, TimeSeries: true}},
		{"weeks", `"chartType":"area","metric":"count","timeSeries":true,"timeBucket":"week","groupByField":"tags"`,
			Chart{Type: "area", Series: count, TimeSeries: true, Bucket: &BucketWeek, By: []Dimension{{Field: query.FieldTags}}}},
		{"several series", `"chartType":"bar",` + twoSeries, Chart{Type: "bar", Multi: true, Series: two}},
		{"several series in groups", `"chartType":"line","groupByField":"status",` + twoSeries,
			Chart{Type: "line", Multi: true, Series: two, By: []Dimension{{Field: query.FieldStatus}}}},
		{"ratios", `"chartType":"bar",` + twoSeries + `,"derivedInsights":[{"label":"Each","numeratorSeriesKey":"c","denominatorSeriesKey":"t"},` +
			`{"type":"ratio","label":"","numeratorSeriesKey":"t","denominatorSeriesKey":"t"}]`,
			Chart{Type: "bar", Multi: true, Series: two, Ratios: []Ratio{{"Each", "c", "t"}, {"", "t", "t"}}}},
		{"histogram", `"chartType":"histogram","metric":"count","histogramField":"latency_ms","histogramInterval":250.5`,
			Chart{Type: "histogram", Series: count, By: []Dimension{{Field: query.FieldLatency, BinWidth: 250.5}}}},
		{"histogram of cost by itself", `"chartType":"histogram","metric":"count","histogramField":"cost"`,
			Chart{Type: "histogram", Series: count, By: []Dimension{{Field: query.FieldCost, BinWidth: 0.01}}}},
		{"histogram of turns by itself", `"chartType":"histogram","metric":"count","histogramField":"turn_count"`,
			Chart{Type: "histogram", Series: count, By: []Dimension{{Field: query.FieldTurns, BinWidth: 1}}}},
		{"percentile of a score", `"chartType":"bar","metric":"percentile","percentile":50,"metricField":"scores","metricNestedKey":"helpful"`,
			Chart{Type: "bar", Series: []Series{
				{Key: "value", Label: "P50 Score helpful", Measure: Measure{Metric: MetricPercentile, Field: query.FieldScores, Key: "helpful", Percentile: 50}}}}},
		{"histogram of a score", `"chartType":"histogram","metric":"count","histogramField":"scores","histogramNestedKey":"helpful"`,
			Chart{Type: "histogram", Series: count, By: []Dimension{{Field: query.FieldScores, Key: "helpful", BinWidth: 10}}}},
		{"groups of scores", `"chartType":"heatmap","metric":"count","groupByField":"scores","groupByNestedKey":"a","secondaryGroupByField":"scores","secondaryGroupByNestedKey":"b"`,
			Chart{Type: "heatmap", Series: count, By: []Dimension{{Field: query.FieldScores, Key: "a"}, {Field: query.FieldScores, Key: "b"}}}},
		{"heatmap", `"chartType":"heatmap","metric":"count","groupByField":"engine","secondaryGroupByMetadataKey":"team"`,
			Chart{Type: "heatmap", Series: count, By: []Dimension{{Field: query.FieldEngine}, {MetadataKey: "team"}}}},
		{"treemap", `"chartType":"treemap","metric":"count","hierarchyFields":["provider_type","engine"]`,
			Chart{Type: "treemap", Series: count, By: []Dimension{{Field: query.FieldProvider}, {Field: query.FieldEngine}}}},
		{"sunburst", `"chartType":"sunburst","metric":"count","hierarchyFields":["status","prompt_id","error_type"]`,
			Chart{Type: "sunburst", Series: count, By: []Dimension{{Field: query.FieldStatus}, {Field: query.FieldPromptID}, {Field: query.FieldErrorType}}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, problems, err := parseChart(t, c.members)
			if err != nil || problems.Any() {
				t.Fatal(err, problems.Err())
			}
			c.want.ID = "x"
			if c.want.Title == "" {
				c.want.Title = "x"
			}
			if c.want.Limit == 0 {
				c.want.Limit = 25
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestParseChartsLabels(t *testing.T) {
	t.Parallel()
	cases := []struct{ members, label, unit string }{
		{`"metric":"count"`, "Requests", "count"},
		{`"metric":"distinct_count","distinctMetadataKey":"k"`, "Distinct k", "count"},
		{`"metric":"sum","metricField":"cost"`, "Cost", "currency"},
		{`"metric":"avg","metricField":"latency_ms"`, "Avg Latency", "duration_seconds"},
		{`"metric":"min","metricField":"input_tokens"`, "Min Input Tokens", "tokens"},
		{`"metric":"max","metricField":"output_tokens"`, "Max Output Tokens", "tokens"},
		{`"metric":"percentile","percentile":95,"metricField":"latency_ms"`, "P95 Latency", "duration_seconds"},
		{`"metric":"percentile","percentile":99.9,"metricField":"turn_count"`, "P99.9 Turns", "number"},
		{`"metric":"percentile","percentile":0,"metricField":"tool_call_count"`, "P0 Tool Calls", "number"},
		{`"metric":"avg","metricField":"prompt_version_number"`, "Avg Prompt Version", "number"},
		{`"metric":"sum","metricField":"total_tokens"`, "Total Tokens", "tokens"},
		{`"metric":"sum","metricField":"cached_tokens"`, "Cached Tokens", "tokens"},
		{`"metric":"sum","metricField":"thinking_tokens"`, "Thinking Tokens", "tokens"},
	}
	for _, c := range cases {
		t.Run(c.label, func(t *testing.T) {
			t.Parallel()
			chart, problems, err := parseChart(t, `"chartType":"bar",`+c.members)
			if err != nil || problems.Any() {
				t.Fatal(err, problems.Err())
			}
			want := []SeriesInfo{{Key: "value", Label: c.label, Unit: c.unit}}
			if diff := cmp.Diff(want, chart.infos()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestParseChartsProblems(t *testing.T) {
	t.Parallel()
	with := func(members string) string { return `[{"id":"x","chartType":"bar","metric":"count",` + members + `}]` }
	long := func(n int) string { return strings.Repeat("é", n) }
	series := func(members string) string {
		return `[{"id":"x","chartType":"bar","series":[` + costSeries + `,{` + members + `}]}]`
	}
	cases := []struct {
		name, charts string
		want         string
	}{
		{"absent", ``, "customCharts missing"},
		{"null", `null`, "customCharts missing"},
		{"object", `{}`, "customCharts list_type"},
		{"empty", `[]`, "customCharts too_short"},
		{"too many", `[` + repeated(`{}`, 51) + `]`, "customCharts too_long"},
		{"chart is a string", `["x"]`, "customCharts[0] dict_type"},
		{"no id", `[{"chartType":"bar","metric":"count"}]`, "customCharts[0].id missing"},
		{"id as number", `[{"id":1,"chartType":"bar","metric":"count"}]`, "customCharts[0].id string_type"},
		{"id with a space", `[{"id":"a b","chartType":"bar","metric":"count"}]`, "customCharts[0].id string_pattern_mismatch"},
		{"id with a line feed", `[{"id":"a\n","chartType":"bar","metric":"count"}]`, "customCharts[0].id string_pattern_mismatch"},
		{"empty id", `[{"id":"","chartType":"bar","metric":"count"}]`, "customCharts[0].id string_pattern_mismatch"},
		{"long id", `[{"id":"` + strings.Repeat("a", 65) + `","chartType":"bar","metric":"count"}]`, "customCharts[0].id string_pattern_mismatch"},
		{"no type", `[{"id":"x","metric":"count"}]`, "customCharts[0].chartType missing"},
		{"unknown type", `[{"id":"x","chartType":"Bar","metric":"count"}]`, "customCharts[0].chartType enum"},
		{"second chart", `[{"id":"x","chartType":"bar","metric":"count"},{"id":"y"}]`, "customCharts[1].chartType missing"},
		{"unknown metric", `[{"id":"x","chartType":"bar","metric":"median"}]`, "customCharts[0].metric enum"},
		{"title too long", with(`"title":"` + long(201) + `"`), "customCharts[0].title string_too_long"},
		{"unknown metric field", with(`"metricField":"price"`), "customCharts[0].metricField enum"},
		{"percentile too low", with(`"percentile":-1`), "customCharts[0].percentile greater_than_equal"},
		{"percentile too high", with(`"percentile":100.1`), "customCharts[0].percentile less_than_equal"},
		{"percentile as string", with(`"percentile":"95"`), "customCharts[0].percentile float_type"},
		{"percentile beyond float", with(`"percentile":1e999`), "customCharts[0].percentile float_parsing"},
		{"empty distinct key", with(`"distinctMetadataKey":""`), "customCharts[0].distinctMetadataKey string_too_short"},
		{"unknown group", with(`"groupByField":"input_text"`), "customCharts[0].groupByField enum"},
		{"group key too long", with(`"groupByMetadataKey":"` + long(121) + `"`), "customCharts[0].groupByMetadataKey string_too_long"},
		{"group key empty", with(`"groupByMetadataKey":""`), "customCharts[0].groupByMetadataKey string_too_short"},
		{"unknown secondary group", with(`"secondaryGroupByField":"x"`), "customCharts[0].secondaryGroupByField enum"},
		{"time series as string", with(`"timeSeries":"true"`), "customCharts[0].timeSeries bool_type"},
		{"unknown bucket", with(`"timeBucket":"hour"`), "customCharts[0].timeBucket enum"},
		{"limit too low", with(`"limit":0`), "customCharts[0].limit greater_than_equal"},
		{"limit too high", with(`"limit":101`), "customCharts[0].limit less_than_equal"},
		{"limit as fraction", with(`"limit":1.5`), "customCharts[0].limit int_type"},
		{"limit as boolean", with(`"limit":true`), "customCharts[0].limit int_type"},
		{"unknown histogram field", with(`"histogramField":"engine"`), "customCharts[0].histogramField enum"},
		{"bins of no width", with(`"histogramInterval":0`), "customCharts[0].histogramInterval greater_than_equal"},
		{"bins of negative width", with(`"histogramInterval":-5`), "customCharts[0].histogramInterval greater_than_equal"},
		{"one level", with(`"hierarchyFields":["engine"]`), "customCharts[0].hierarchyFields too_short"},
		{"six levels", with(`"hierarchyFields":[` + repeated(`"engine"`, 6) + `]`), "customCharts[0].hierarchyFields too_long"},
		{"unknown level", with(`"hierarchyFields":["engine","x"]`), "customCharts[0].hierarchyFields[1] enum"},
		{"null level", with(`"hierarchyFields":[null,"engine"]`), "customCharts[0].hierarchyFields[0] string_type"},
		{"series as object", with(`"series":{}`), "customCharts[0].series list_type"},
		{"too many series", with(`"series":[` + repeated(costSeries, 21) + `]`), "customCharts[0].series too_long"},
		{"series of strings", with(`"series":["x"]`), "customCharts[0].series[0] dict_type"},
		{"series without key", series(`"label":"L","metric":"sum","metricField":"cost"`), "customCharts[0].series[1].key missing"},
		{"series without label", series(`"key":"k","metric":"sum","metricField":"cost"`), "customCharts[0].series[1].label missing"},
		{"series with empty label", series(`"key":"k","label":"","metric":"sum","metricField":"cost"`), "customCharts[0].series[1].label string_too_short"},
		{"series without metric", series(`"key":"k","label":"L","metricField":"cost"`), "customCharts[0].series[1].metric missing"},
		{"series that counts", series(`"key":"k","label":"L","metric":"count","metricField":"cost"`), "customCharts[0].series[1].metric enum"},
		{"series without field", series(`"key":"k","label":"L","metric":"sum"`), "customCharts[0].series[1].metricField missing"},
		{"insight without label", with(`"derivedInsights":[{"numeratorSeriesKey":"a","denominatorSeriesKey":"b"}]`), "customCharts[0].derivedInsights[0].label missing"},
		{"insight of another type", with(`"derivedInsights":[{"type":"sum","label":"l","numeratorSeriesKey":"a","denominatorSeriesKey":"b"}]`), "customCharts[0].derivedInsights[0].type enum"},
		{"insight without numerator", with(`"derivedInsights":[{"label":"l","denominatorSeriesKey":"b"}]`), "customCharts[0].derivedInsights[0].numeratorSeriesKey missing"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var problems fault.Problems
			charts, err := Parse(jsonValue(t, c.charts), &problems)
			if charts != nil || err != nil {
				t.Fatalf("got %v, %v besides problems", charts, err)
			}
			if diff := cmp.Diff([]string{c.want}, problemsOf(t, &problems)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestParseChartsRefuses(t *testing.T) {
	t.Parallel()
	ratio := func(over, under string) string {
		return fmt.Sprintf(`"derivedInsights":[{"label":"l","numeratorSeriesKey":%q,"denominatorSeriesKey":%q}]`, over, under)
	}
	cases := []struct{ name, members, want string }{
		{"no metric", `"chartType":"bar"`, "needs a metric or series"},
		{"field alone", `"chartType":"bar","metricField":"cost"`, "needs a metric or series"},
		{"metric and series", `"chartType":"bar","metric":"count",` + twoSeries, "both a metric and series"},
		{"metric field and series", `"chartType":"bar","metricField":"cost",` + twoSeries, "both a metric and series"},
		{"percentile and series", `"chartType":"bar","percentile":5,` + twoSeries, "both a metric and series"},
		{"no metric field", `"chartType":"bar","metric":"avg"`, "metric 'avg' needs metricField"},
		{"no percentile", `"chartType":"bar","metric":"percentile","metricField":"cost"`, "needs percentile"},
		{"no distinct key", `"chartType":"bar","metric":"distinct_count"`, "needs distinctMetadataKey"},
		{"two groups", `"chartType":"bar","metric":"count","groupByField":"engine","groupByMetadataKey":"k"`, "both groupByField and groupByMetadataKey"},
		{"two secondary groups", `"chartType":"heatmap","metric":"count","groupByField":"engine","secondaryGroupByField":"tags","secondaryGroupByMetadataKey":"k"`, "both secondaryGroupByField"},
		{"overall line", `"chartType":"line","metric":"count"`, "chartType must be bar"},
		{"overall pie", `"chartType":"pie","metric":"count"`, "chartType must be bar"},
		{"no series", `"chartType":"bar","series":[]`, "at least two series"},
		{"one series", `"chartType":"bar","series":[` + costSeries + `]`, "at least two series"},
		{"equal series", `"chartType":"bar","series":[` + costSeries + `,` + costSeries + `]`, "series key 'c' is used twice"},
		{"reserved series", `"chartType":"bar","series":[` + costSeries + `,{"key":"label","label":"L","metric":"sum","metricField":"cost"}]`, "series key 'label' is reserved"},
		{"series without percentile", `"chartType":"bar","series":[` + costSeries + `,{"key":"k","label":"L","metric":"percentile","metricField":"cost"}]`, "needs percentile"},
		{"grouped series over time", `"chartType":"line","timeSeries":true,"groupByField":"engine",` + twoSeries, "cannot be grouped in a time series"},
		{"insights without series", `"chartType":"bar","metric":"count",` + ratio("a", "b"), "derivedInsights need series"},
		{"unknown numerator", `"chartType":"bar",` + twoSeries + `,` + ratio("z", "c"), "unknown series 'z'"},
		{"unknown denominator", `"chartType":"bar",` + twoSeries + `,` + ratio("c", "z"), "unknown series 'z'"},
		{"heatmap without groups", `"chartType":"heatmap","metric":"count"`, "a heatmap needs a group and a secondary group"},
		{"heatmap without secondary", `"chartType":"heatmap","metric":"count","groupByField":"engine"`, "a heatmap needs"},
		{"heatmap of one thing", `"chartType":"heatmap","metric":"count","groupByField":"engine","secondaryGroupByField":"engine"`, "the same thing"},
		{"heatmap over time", `"chartType":"heatmap","metric":"count","groupByField":"engine","secondaryGroupByField":"tags","timeSeries":true`, "cannot be a time series"},
		{"secondary without heatmap", `"chartType":"bar","metric":"count","groupByField":"engine","secondaryGroupByField":"tags"`, "only a heatmap"},
		{"histogram without field", `"chartType":"histogram","metric":"count"`, "needs histogramField"},
		{"histogram field without histogram", `"chartType":"bar","metric":"count","histogramField":"cost"`, "only a histogram"},
		{"interval without histogram", `"chartType":"bar","metric":"count","histogramInterval":5`, "only a histogram"},
		{"histogram with groups", `"chartType":"histogram","metric":"count","histogramField":"cost","groupByField":"engine"`, "a histogram cannot be grouped"},
		{"histogram over time", `"chartType":"histogram","metric":"count","histogramField":"cost","timeSeries":true`, "cannot be a time series"},
		{"treemap without levels", `"chartType":"treemap","metric":"count"`, "a treemap needs hierarchyFields"},
		{"levels without treemap", `"chartType":"bar","metric":"count","hierarchyFields":["engine","tags"]`, "only a treemap or sunburst"},
		{"sunburst with equal levels", `"chartType":"sunburst","metric":"count","hierarchyFields":["engine","tags","engine"]`, "a field twice"},
		{"score without a name", `"chartType":"bar","metric":"avg","metricField":"scores"`, "metricField 'scores' needs metricNestedKey"},
		{"name without a score", `"chartType":"bar","metric":"avg","metricField":"cost","metricNestedKey":"a"`, "metricNestedKey needs metricField 'scores'"},
		{"series without a name", `"chartType":"bar","series":[` + costSeries + `,{"key":"k","label":"L","metric":"avg","metricField":"scores"}]`, "needs metricNestedKey"},
		{"group without a name", `"chartType":"bar","metric":"count","groupByField":"scores"`, "needs groupByNestedKey"},
		{"secondary group without a name", `"chartType":"heatmap","metric":"count","groupByField":"engine","secondaryGroupByField":"scores"`, "needs secondaryGroupByNestedKey"},
		{"histogram without a name", `"chartType":"histogram","metric":"count","histogramField":"scores"`, "needs histogramNestedKey"},
		{"level of scores", `"chartType":"treemap","metric":"count","hierarchyFields":["engine","scores"]`, "takes no 'scores'"},
		{"sunburst of three lists", `"chartType":"sunburst","metric":"count","hierarchyFields":["tags","metadata_keys","tool_names"]`, "more than two fields"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, problems, err := parseChart(t, c.members)
			if problems.Any() {
				t.Fatal(problems.Err())
			}
			wantRefused(t, err, "Chart 'x': ")
			wantRefused(t, err, c.want)
		})
	}
	t.Run("id used twice", func(t *testing.T) {
		t.Parallel()
		chart := `{"id":"x","chartType":"bar","metric":"count"}`
		var problems fault.Problems
		_, err := Parse(jsonValue(t, "["+chart+","+chart+"]"), &problems)
		wantRefused(t, err, "Chart 'x': the id is used twice")
	})
	t.Run("most charts", func(t *testing.T) {
		t.Parallel()
		var charts []string
		for i := range maxCharts {
			charts = append(charts, fmt.Sprintf(`{"id":"c%d","chartType":"bar","metric":"count"}`, i))
		}
		var problems fault.Problems
		got, err := Parse(jsonValue(t, "["+strings.Join(charts, ",")+"]"), &problems)
		if err != nil || problems.Any() || len(got) != maxCharts {
			t.Errorf("got %d charts, %v, %v", len(got), err, problems.Err())
		}
	})
}
