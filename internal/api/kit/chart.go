package kit

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/rest"
)

// CustomCharts documents the charts of a request. Nothing is bound to it:
// chart.Parse reads the charts from the body.
type CustomCharts []customChart

// BindJSON implements rest.JSONBinder.
func (*CustomCharts) BindJSON(jsontree.Value, []any, *fault.Problems) {}

// InlineJSONSchema keeps CustomCharts out of the named schemas.
func (CustomCharts) InlineJSONSchema() {}

type customChart struct {
	ID        string    `json:"id" required:"true" pattern:"^[A-Za-z0-9_-]{1,64}$" description:"Identifies the chart in the response."`
	Title     string    `json:"title" maxLength:"200" description:"The title. The default is the id."`
	ChartType ChartType `json:"chartType" required:"true" description:"How the chart is drawn. Totals without groups and without timeSeries are a bar."`
	chartMetricSpec
	Series                      []chartSeries `json:"series" minItems:"2" maxItems:"20" description:"Several metrics instead of one; not in a grouped time series."`
	DerivedInsights             []ChartRatio  `json:"derivedInsights" maxItems:"20" description:"Ratios of the totals of two series."`
	GroupByField                groupField    `json:"groupByField" description:"The field to group by."`
	GroupByNestedKey            string        `json:"groupByNestedKey" minLength:"1" maxLength:"255" description:"The name of the score. Required by groupByField scores."`
	GroupByMetadataKey          string        `json:"groupByMetadataKey" minLength:"1" maxLength:"120" description:"The metadata key to group by, instead of a field."`
	SecondaryGroupByField       groupField    `json:"secondaryGroupByField" description:"The field of the second side of a heatmap."`
	SecondaryGroupByNestedKey   string        `json:"secondaryGroupByNestedKey" minLength:"1" maxLength:"255" description:"The name of the score. Required by secondaryGroupByField scores."`
	SecondaryGroupByMetadataKey string        `json:"secondaryGroupByMetadataKey" minLength:"1" maxLength:"120" description:"The metadata key of the second side of a heatmap, instead of a field."`
	HistogramField              metricField   `json:"histogramField" description:"The field of a histogram."`
	HistogramNestedKey          string        `json:"histogramNestedKey" minLength:"1" maxLength:"255" description:"The name of the score. Required by histogramField scores."`
	HistogramInterval           float64       `json:"histogramInterval" minimum:"0.000001" maximum:"1000000000000000" description:"The width of the bins of a histogram. The default depends on the field."`
	HierarchyFields             []groupField  `json:"hierarchyFields" minItems:"2" maxItems:"5" description:"The levels of a treemap or sunburst, from the root."`
	TimeSeries                  bool          `json:"timeSeries" description:"Whether to show the values over time."`
	TimeBucket                  string        `json:"timeBucket" enum:"auto,day,week,month" description:"The time interval of one value; by default it depends on the range."`
	Limit                       int64         `json:"limit" minimum:"1" maximum:"100" description:"How many groups to show, 25 by default."`
}

type chartMetricSpec struct {
	Metric              chartMetric `json:"metric" description:"How logs are summarised. Required without series."`
	MetricField         metricField `json:"metricField" description:"The field to summarise. Required by every metric except count and distinct_count."`
	MetricNestedKey     string      `json:"metricNestedKey" minLength:"1" maxLength:"255" description:"The name of the score. Required by metricField scores."`
	Percentile          float64     `json:"percentile" minimum:"0" maximum:"100" description:"The percentile. Required by the metric percentile."`
	DistinctMetadataKey string      `json:"distinctMetadataKey" minLength:"1" maxLength:"120" description:"The metadata key whose values are counted. Required by the metric distinct_count."`
}

type chartSeries struct {
	Key         string       `json:"key" required:"true" pattern:"^[A-Za-z0-9_-]{1,64}$" description:"The member of each row that holds the value."`
	Label       string       `json:"label" required:"true" minLength:"1" maxLength:"120" description:"The label in the legend."`
	Metric      SeriesMetric `json:"metric" required:"true" description:"How logs are summarised."`
	MetricField metricField  `json:"metricField" required:"true" description:"The field to summarise."`
	NestedKey   string       `json:"metricNestedKey" minLength:"1" maxLength:"255" description:"The name of the score. Required by metricField scores."`
	Percentile  float64      `json:"percentile" minimum:"0" maximum:"100" description:"The percentile. Required by the metric percentile."`
}

// ChartRatio is a ratio of the totals of two series.
type ChartRatio struct {
	Type        string `json:"type" enum:"ratio" description:"Always ratio."`
	Label       string `json:"label" required:"true" maxLength:"200" description:"What the ratio means."`
	Numerator   string `json:"numeratorSeriesKey" required:"true" description:"The key of the series to divide."`
	Denominator string `json:"denominatorSeriesKey" required:"true" description:"The key of the series to divide by."`
}

type (
	// ChartType is how a chart is drawn.
	ChartType   string
	chartMetric string
	// SeriesMetric is how the logs of a series are summarised.
	SeriesMetric string
	metricField  string
	groupField   string
)

// Enum returns the types.
func (ChartType) Enum() []any { return Enum(chart.Types) }

// InlineJSONSchema keeps ChartType out of the named schemas.
func (ChartType) InlineJSONSchema() {}

// Enum returns the metrics.
func (chartMetric) Enum() []any { return Enum(chart.Metrics) }

// InlineJSONSchema keeps chartMetric out of the named schemas.
func (chartMetric) InlineJSONSchema() {}

// Enum returns the metrics.
func (SeriesMetric) Enum() []any { return Enum(chart.SeriesMetrics) }

// InlineJSONSchema keeps SeriesMetric out of the named schemas.
func (SeriesMetric) InlineJSONSchema() {}

// Enum returns the names of the fields.
func (metricField) Enum() []any { return Enum(query.MetricFields) }

// InlineJSONSchema keeps metricField out of the named schemas.
func (metricField) InlineJSONSchema() {}

// Enum returns the names of the fields.
func (groupField) Enum() []any { return Enum(query.GroupFields) }

// InlineJSONSchema keeps groupField out of the named schemas.
func (groupField) InlineJSONSchema() {}

// ChartsResponse documents ChartsAnswer.
type ChartsResponse struct {
	Success      bool            `json:"success" required:"true" description:"Always true."`
	CustomCharts []chartResponse `json:"customCharts" required:"true" description:"The charts with their data, in the order of the request."`
}

// ChartsAnswer has the charts as the domain returns them, because the keys of
// their rows depend on the chart.
type ChartsAnswer struct {
	Success      bool           `json:"success"`
	CustomCharts []chart.Result `json:"customCharts"`
}

type chartResponse struct {
	ID       string           `json:"id" required:"true" description:"The id of the chart."`
	Title    string           `json:"title" required:"true" description:"The chart's title."`
	Type     string           `json:"chartType" required:"true" description:"Chart type."`
	Series   []seriesResponse `json:"series" required:"true" description:"Series of numbers in the rows."`
	Data     []rest.RawObject `json:"data" required:"true" description:"Rows with a label or a time bucket and a number for each series, null if there was nothing to measure."`
	Insights []ratioResponse  `json:"derivedInsights" description:"Ratios of totals; only for charts that list their series."`
}

type seriesResponse struct {
	Key   string `json:"key" required:"true" description:"Key of the series' numbers in the rows."`
	Label string `json:"label" required:"true" description:"Label for a legend."`
	Unit  string `json:"unit" required:"true" description:"Unit: count, tokens, currency, duration_seconds or number."`
}

type ratioResponse struct {
	Type        string   `json:"type" required:"true" description:"Always \"ratio\"."`
	Label       string   `json:"label" required:"true" description:"Name of the ratio."`
	Numerator   string   `json:"numeratorSeriesKey" required:"true" description:"Key of the numerator series."`
	Denominator string   `json:"denominatorSeriesKey" required:"true" description:"Key of the denominator series."`
	Value       *float64 `json:"value" required:"true" description:"Quotient of the totals; null if the denominator is zero."`
}

// AnswerCharts reads the charts in the body of a request, and answers with what compute
// returns for them.
func AnswerCharts(
	w http.ResponseWriter, r *rest.Request, parse func(jsontree.Value, *fault.Problems) ([]chart.Chart, error),
	compute func(context.Context, []chart.Chart) ([]chart.Result, error),
) error {
	var problems fault.Problems
	charts, err := parse(r.Body.Get("customCharts"), &problems)
	if invalid := problems.Err(); invalid != nil {
		return invalid
	}
	if err != nil {
		return err
	}
	results, err := Bounded(r.Context(), func(ctx context.Context) ([]chart.Result, error) { return compute(ctx, charts) })
	if err != nil {
		return err
	}
	return rest.WriteJSON(w, http.StatusOK, ChartsAnswer{Success: true, CustomCharts: results})
}
