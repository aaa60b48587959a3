package logs

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/rest"
)

func (h requestLogs) queryOperations() []rest.Op {
	get := rest.Op{
		Method: http.MethodGet, Path: kit.RequestsPath + "/{request_id}", ID: "getRequest", Tag: "Request logs",
		Summary:     "Get a request log",
		Description: "Returns one request log with its prompt blueprint: the input followed by the output, ready to replay.",
		Also:        []int{http.StatusNotFound},
		Handler:     rest.RawBound(getResponse{}, h.get),
	}
	suggest := rest.Op{
		Method: http.MethodGet, Path: kit.RequestsPath + "/suggestions", ID: "suggestRequestValues", Tag: "Request logs",
		Summary:     "Suggest filter values",
		Description: "Returns up to 100 values of a field among the request logs, most frequent first.",
		Limit:       kit.LimitSuggest, Also: []int{http.StatusBadRequest, http.StatusServiceUnavailable},
		Handler: rest.Handle(h.suggest),
	}
	search := post(kit.RequestsPath+"/search", "searchRequests", "Search request logs",
		"Returns a page of the request logs that match structured filters and free text, and their total number.",
		rest.Handle(h.search))
	search.Limit, search.EmptyBody = kit.LimitSearch, true
	analytics := post(kit.RequestsPath+"/analytics", "analyzeRequests", "Analyze request logs",
		"Returns totals, time series and rankings of the matching request logs. The size of the time buckets depends on the filtered time range.",
		rest.Handle(h.analyze))
	analytics.EmptyBody = true
	charts := post(kit.RequestsPath+"/analytics/custom-analytics", "chartRequests", "Compute custom charts",
		"Computes custom charts over the matching request logs.",
		rest.RawBound(kit.ChartsResponse{}, h.charts))
	charts.EmptyBody = true
	for _, op := range []*rest.Op{&search, &analytics, &charts} {
		op.Also = []int{http.StatusServiceUnavailable} // if the query times out
	}
	return []rest.Op{get, suggest, search, analytics, charts}
}

type getRequest struct {
	RequestID int64 `path:"request_id" minimum:"1" description:"The id of the request log."`
	Escape    bool  `query:"escape" default:"true" description:"Whether the texts of the blueprint are escaped for their template format, so that rendering it gives the logged texts. If false, they are as logged, to be shown."`
	Variables bool  `query:"include_variables" default:"false" description:"Whether to return prompt_input_variables."`
}

func (h requestLogs) get(w http.ResponseWriter, r *rest.Request, in *getRequest) error {
	l, err := h.service.Get(r.Context(), kit.Workspace(r.Context()), in.RequestID)
	if err != nil {
		return err
	}
	client, err := h.service.InferenceClient(r.Context(), l)
	if err != nil {
		return err
	}
	form := reqlog.Replayable
	if !in.Escape {
		form = reqlog.AsLogged
	}
	rest.WriteBytes(w, http.StatusOK, appendDetail(nil, l, form, client, in.Variables))
	return nil
}

type searchRequest struct {
	kit.LogQuery
	Page              int  `json:"page" minimum:"1" default:"1" description:"Page number, starting at 1."`
	PerPage           int  `json:"per_page" minimum:"1" maximum:"25" default:"10" description:"Page size."`
	IncludePromptName bool `json:"include_prompt_name" description:"Whether to add prompt_name to each item."`
}

func (h requestLogs) search(ctx context.Context, in *searchRequest) (*searchResponse, error) {
	found, err := kit.Bounded(ctx, func(ctx context.Context) (requests.SearchResult, error) {
		return h.service.Search(ctx, kit.Workspace(ctx), requests.SearchInput{
			Input: in.Input(), Page: in.Page, PerPage: in.PerPage, IncludePromptName: in.IncludePromptName,
		})
	})
	if err != nil {
		return nil, err
	}
	response := newSearchResponse(*in, found)
	return &response, nil
}

type analyticsRequest struct {
	kit.LogQuery
	BreakdownKey *string `json:"metadata_cost_breakdown_key" maxLength:"10000" description:"Restricts metadataValueBreakdown to one metadata key."`
}

func (h requestLogs) analyze(ctx context.Context, in *analyticsRequest) (*analyticsResponse, error) {
	q := in.Input()
	q.BreakdownKey = kit.OrZero(in.BreakdownKey)
	analysis, err := kit.Bounded(ctx, func(ctx context.Context) (requests.Analysis, error) {
		return h.service.Analyze(ctx, kit.Workspace(ctx), q)
	})
	if err != nil {
		return nil, err
	}
	response := newAnalyticsResponse(analysis, q.BreakdownKey)
	return &response, nil
}

type chartsRequest struct {
	kit.LogQuery
	CustomCharts kit.CustomCharts `json:"customCharts" description:"The charts, 1 to 50."`
}

func (h requestLogs) charts(w http.ResponseWriter, r *rest.Request, in *chartsRequest) error {
	return kit.AnswerCharts(w, r, chart.Parse, func(ctx context.Context, charts []chart.Chart) ([]chart.Result, error) {
		return h.service.Charts(ctx, kit.Workspace(ctx), in.Input(), charts)
	})
}

type suggestRequest struct {
	Field       kit.SuggestField `query:"field" required:"true" description:"Field whose values to return."`
	Prefix      string           `query:"prefix" description:"Only values that start with this text, ignoring case."`
	MetadataKey string           `query:"metadata_key" description:"Key whose values to return; required by the three fields that end in _values."`
	PromptID    int64            `query:"prompt_id" minimum:"1" description:"Only this template; with field=prompt."`
	FilterGroup string           `query:"filter_group" description:"Only values of matching logs: a filter group as JSON text."`
}

type suggestResponse struct {
	Success bool     `json:"success" required:"true" description:"Always true."`
	Values  []string `json:"values" required:"true" description:"The values."`
}

func (h requestLogs) suggest(ctx context.Context, in *suggestRequest) (*suggestResponse, error) {
	ask := requests.SuggestInput{Field: string(in.Field), Prefix: in.Prefix, Key: in.MetadataKey, PromptID: in.PromptID}
	if err := ask.Check(); err != nil {
		return nil, err
	}
	if in.FilterGroup != "" {
		group, err := jsontree.Parse([]byte(in.FilterGroup))
		if err != nil {
			return nil, fault.BadRequestf("filter_group is not valid JSON: %v", err)
		}
		if group.Kind() != jsontree.Object && group.Given() {
			return nil, fault.BadRequestf("filter_group should be a valid object")
		}
		if ask.Filter, err = query.ParseFilter(group, jsontree.Value{}); err != nil {
			return nil, err
		}
	}
	values, err := kit.Bounded(ctx, func(ctx context.Context) ([]string, error) {
		return h.service.Suggest(ctx, kit.Workspace(ctx), ask)
	})
	if err != nil {
		return nil, err
	}
	return &suggestResponse{Success: true, Values: rest.NonNil(values)}, nil
}
