package traces

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/rest"
)

func (h traces) queryOperations() []rest.Op {
	search := post(kit.TracesPath+"/search", "searchTraces", "Search traces",
		"Returns a page of the traces that match structured filters and free text, newest first, and their total number.",
		rest.Handle(h.search))
	charts := post(kit.TracesPath+"/analytics/custom-analytics", "chartTraces", "Compute custom charts of traces",
		"Computes custom charts over the matching traces, or over their spans. All fields of a chart are fields of traces, or all are fields of spans; "+
			"without any, traces are counted.",
		rest.RawBound(kit.ChartsResponse{}, h.charts))
	sessions := post("/api/public/v2/sessions/search", "searchSessions", "Search sessions",
		"Returns a page of the sessions of the traces that match structured filters and free text, the last seen first, and their total number. "+
			"The facts about a session are those of its matching traces.",
		rest.Handle(h.searchSessions))
	users := post("/api/public/v2/users/search", "searchUsers", "Search users of the application",
		"Returns a page of the users of the traces that match structured filters and free text, the last seen first, and their total number. "+
			"The facts about a user are those of the matching traces.",
		rest.Handle(h.searchUsers))
	ops := []rest.Op{search, charts, sessions, users}
	for i := range ops {
		ops[i].EmptyBody, ops[i].Also = true, []int{http.StatusServiceUnavailable} // if the query times out
	}
	return ops
}

// traceSelection has the members that select traces.
type traceSelection struct {
	FilterGroup *kit.TraceFilterGroup `json:"filter_group" description:"Filter group that traces must match."`
	Filters     *kit.TraceFilterList  `json:"filters" description:"Flat list of filters, all of which must match in addition to filter_group."`
	Q           *string               `json:"q" description:"Free text to search in the requests of the traces."`
}

// traceQueryRequest has the members that search and charts share.
type traceQueryRequest struct {
	traceSelection
	SortBy    *kit.TraceSortField `json:"sort_by" description:"Sort key of a search."`
	SortOrder *string             `json:"sort_order" enum:"asc,desc" description:"Sort direction; requires sort_by."`

	input query.Input
}

// BindMembers implements rest.MemberBinder.
func (q *traceQueryRequest) BindMembers(body jsontree.Value, problems *fault.Problems) (err error) {
	q.input, err = kit.BindQuery(body, problems, query.ParseTraces)
	return err
}

type traceSearchRequest struct {
	traceQueryRequest
	Page    int `json:"page" minimum:"1" default:"1" description:"Page number, starting at 1."`
	PerPage int `json:"per_page" minimum:"1" maximum:"100" default:"25" description:"Page size."`
}

type traceSearchResponse struct {
	Success bool        `json:"success" required:"true" description:"Always true."`
	Items   []traceItem `json:"items" required:"true" description:"Traces of the page."`
	Page    int         `json:"page" required:"true" description:"Page number."`
	Pages   int64       `json:"pages" required:"true" description:"Number of pages."`
	PerPage int         `json:"per_page" required:"true" description:"Page size."`
	Total   int64       `json:"total" required:"true" description:"Number of matching traces."`
}

// traceItem is a query.TraceFacts on the wire.
type traceItem struct {
	TraceID      string    `json:"trace_id" required:"true" description:"The id of the trace."`
	Name         string    `json:"name" required:"true" description:"The name of the first span without a parent, or of the first span."`
	Status       string    `json:"status" required:"true" enum:"OK,ERROR" description:"ERROR if a span failed."`
	StartTime    rest.Time `json:"start_time" required:"true" description:"When the first span started."`
	EndTime      rest.Time `json:"end_time" required:"true" description:"When the last span ended."`
	DurationMS   float64   `json:"duration_ms" required:"true" description:"The time between them, in milliseconds."`
	Cost         *float64  `json:"cost" required:"true" description:"The cost of the requests in US dollars; null if no price is known."`
	TotalTokens  *int64    `json:"total_tokens" required:"true" description:"Input and output tokens of the requests; null if there are none."`
	InputTokens  *int64    `json:"input_tokens" required:"true" description:"Input tokens of the requests."`
	OutputTokens *int64    `json:"output_tokens" required:"true" description:"Output tokens of the requests."`
	Spans        int64     `json:"span_count" required:"true" description:"Number of spans."`
	Errors       int64     `json:"error_count" required:"true" description:"Number of failed spans."`
	Models       []string  `json:"models" required:"true" description:"The models of the spans."`
	Tools        []string  `json:"tool_names" required:"true" description:"The tools that were called."`
	UserID       *string   `json:"user_id" required:"true" description:"The user of the trace."`
	SessionID    *string   `json:"session_id" required:"true" description:"The conversation that the trace is part of."`
	Closed       bool      `json:"closed" required:"true" description:"Whether the trace rejects further spans."`
}

func newTraceItem(f query.TraceFacts) traceItem {
	return traceItem{
		TraceID: f.ID, Name: f.Name, Status: f.Status, StartTime: rest.Time(f.Start), EndTime: rest.Time(f.End),
		DurationMS: max(0, float64(f.End-f.Start)/1000), Cost: f.Cost, TotalTokens: f.TotalTokens, InputTokens: f.InputTokens, OutputTokens: f.OutputTokens,
		Spans: f.Spans, Errors: f.Errors, Models: append([]string{}, f.Models...), Tools: append([]string{}, f.Tools...),
		UserID: kit.OrNil(f.User), SessionID: kit.OrNil(f.Session), Closed: f.Closed,
	}
}

func (h traces) search(ctx context.Context, in *traceSearchRequest) (*traceSearchResponse, error) {
	found, err := kit.Bounded(ctx, func(ctx context.Context) (query.FoundTraces, error) {
		return h.service.SearchTraces(ctx, kit.Workspace(ctx), in.input, in.Page, in.PerPage)
	})
	if err != nil {
		return nil, err
	}
	return &traceSearchResponse{
		Success: true, Items: kit.Each(found.Items, newTraceItem), Page: in.Page, PerPage: in.PerPage,
		Pages: (found.Total + int64(in.PerPage) - 1) / int64(in.PerPage), Total: found.Total,
	}, nil
}

type traceChartsRequest struct {
	traceQueryRequest
	CustomCharts traceCharts `json:"customCharts" description:"The charts, 1 to 10."`
}

// traceCharts documents the charts of a request. Nothing is bound to it:
// chart.ParseTraces reads them.
type traceCharts []traceChart

// BindJSON implements rest.JSONBinder.
func (*traceCharts) BindJSON(jsontree.Value, []any, *fault.Problems) {}

// InlineJSONSchema keeps traceCharts out of the named schemas.
func (traceCharts) InlineJSONSchema() {}

// traceChart is a customChart with fields of traces or spans.
type traceChart struct {
	ID                    string             `json:"id" required:"true" pattern:"^[A-Za-z0-9_-]{1,64}$" description:"Identifies the chart in the response."`
	Title                 string             `json:"title" maxLength:"200" description:"The title. The default is the id."`
	ChartType             kit.ChartType      `json:"chartType" required:"true" description:"How the chart is drawn. Totals without groups and without timeSeries are a bar."`
	Metric                traceMetric        `json:"metric" description:"How traces or spans are summarised. Required without series."`
	MetricField           traceMetricField   `json:"metricField" description:"The field to summarise. Required by every metric except count."`
	Percentile            float64            `json:"percentile" minimum:"0" maximum:"100" description:"The percentile. Required by the metric percentile."`
	Series                []traceChartSeries `json:"series" minItems:"2" maxItems:"20" description:"Several metrics instead of one; not in a grouped time series."`
	DerivedInsights       []kit.ChartRatio   `json:"derivedInsights" maxItems:"20" description:"Ratios of the totals of two series."`
	GroupByField          traceGroupField    `json:"groupByField" description:"The field to group by."`
	SecondaryGroupByField traceGroupField    `json:"secondaryGroupByField" description:"The field of the second side of a heatmap."`
	HistogramField        traceMetricField   `json:"histogramField" description:"The field of a histogram."`
	HistogramInterval     float64            `json:"histogramInterval" minimum:"0.000001" maximum:"1000000000000000" description:"The width of the bins of a histogram. The default depends on the field."`
	HierarchyFields       []traceGroupField  `json:"hierarchyFields" minItems:"2" maxItems:"5" description:"The levels of a treemap or sunburst, from the root."`
	TimeSeries            bool               `json:"timeSeries" description:"Whether to show the values over time, by the start of the traces. Not with fields of spans."`
	TimeBucket            string             `json:"timeBucket" enum:"auto,day,week,month" description:"The time interval of one value; by default it depends on the range."`
	Limit                 int64              `json:"limit" minimum:"1" maximum:"100" description:"How many groups to show, 25 by default."`
}

type traceChartSeries struct {
	Key         string           `json:"key" required:"true" pattern:"^[A-Za-z0-9_-]{1,64}$" description:"The member of each row that holds the value."`
	Label       string           `json:"label" required:"true" minLength:"1" maxLength:"120" description:"The label in the legend."`
	Metric      kit.SeriesMetric `json:"metric" required:"true" description:"How traces or spans are summarised."`
	MetricField traceMetricField `json:"metricField" required:"true" description:"The field to summarise."`
	Percentile  float64          `json:"percentile" minimum:"0" maximum:"100" description:"The percentile. Required by the metric percentile."`
}

type (
	traceMetric      string
	traceMetricField string
	traceGroupField  string
)

// Enum returns the metrics.
func (traceMetric) Enum() []any {
	return kit.Enum(append([]chart.Metric{chart.MetricCount}, chart.SeriesMetrics...))
}

// InlineJSONSchema keeps traceMetric out of the named schemas.
func (traceMetric) InlineJSONSchema() {}

// Enum returns the names of the fields.
func (traceMetricField) Enum() []any { return kit.Enum(query.TraceMetricFields) }

// InlineJSONSchema keeps traceMetricField out of the named schemas.
func (traceMetricField) InlineJSONSchema() {}

// Enum returns the names of the fields.
func (traceGroupField) Enum() []any { return kit.Enum(query.TraceGroupFields) }

// InlineJSONSchema keeps traceGroupField out of the named schemas.
func (traceGroupField) InlineJSONSchema() {}

func (h traces) charts(w http.ResponseWriter, r *rest.Request, in *traceChartsRequest) error {
	return kit.AnswerCharts(w, r, chart.ParseTraces, func(ctx context.Context, charts []chart.Chart) ([]chart.Result, error) {
		return h.service.TraceCharts(ctx, kit.Workspace(ctx), in.input, charts)
	})
}

// post returns an operation that reads traces with a query in the body.
func post(path, id, summary, description string, handler rest.Handler) rest.Op {
	return rest.Op{Method: http.MethodPost, Path: path, ID: id, Summary: summary, Description: description, Handler: handler}
}
