package logs

import (
	"context"
	"net/http"
	"time"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/rest"
)

const requestsPath = "/api/public/v2/requests"

func (h requestLogs) queryOperations() []rest.Op {
	get := rest.Op{
		Method: http.MethodGet, Path: requestsPath + "/{request_id}", ID: "getRequest", Tag: "Request logs",
		Summary:     "Get a request log",
		Description: "Returns one request log with its prompt blueprint: the input followed by the output, ready to replay.",
		Also:        []int{http.StatusNotFound},
		Handler:     rest.RawBound(getResponse{}, h.get),
	}
	suggest := rest.Op{
		Method: http.MethodGet, Path: requestsPath + "/suggestions", ID: "suggestRequestValues", Tag: "Request logs",
		Summary:     "Suggest filter values",
		Description: "Returns up to 100 values of a field among the request logs, most frequent first.",
		Limit:       LimitSuggest, Also: []int{http.StatusBadRequest, http.StatusServiceUnavailable},
		Handler: rest.Handle(h.suggest),
	}
	search := post(requestsPath+"/search", "searchRequests", "Search request logs",
		"Returns a page of the request logs that match structured filters and free text, and their total number.",
		rest.Raw(searchRequest{}, searchResponse{}, h.search))
	search.Limit, search.EmptyBody = LimitSearch, true
	analytics := post(requestsPath+"/analytics", "analyzeRequests", "Analyze request logs",
		"Returns totals, time series and rankings of the matching request logs. The size of the time buckets depends on the filtered time range.",
		rest.Raw(analyticsRequest{}, analyticsResponse{}, h.analyze))
	analytics.EmptyBody = true
	charts := post(requestsPath+"/analytics/custom-analytics", "chartRequests", "Compute custom charts",
		"Computes custom charts over the matching request logs.",
		rest.Raw(chartsRequest{}, chartsResponse{}, h.charts))
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

// queryRequest has the members that search, analytics and charts share. The
// domain checks the filter and returns a BadRequest fault if it is invalid.
type queryRequest struct {
	FilterGroup *kit.FilterGroup `json:"filter_group" description:"Filter group that logs must match."`
	Filters     *kit.FilterList  `json:"filters" description:"Flat list of filters, all of which must match in addition to filter_group."`
	Q           *string          `json:"q" description:"Free text to search in prompt input and model output. All words must match; words match as prefixes and tolerate typos. Exact matches come first."`
	SortBy      *kit.SortField   `json:"sort_by" description:"Sort key."`
	SortKey     *string          `json:"sort_nested_key" minLength:"1" maxLength:"255" description:"The name of the score to sort by. Required by sort_by scores."`
	SortOrder   *string          `json:"sort_order" enum:"asc,desc" description:"Sort direction; requires sort_by."`
}

type searchRequest struct {
	queryRequest
	Page              int  `json:"page" minimum:"1" default:"1" description:"Page number, starting at 1."`
	PerPage           int  `json:"per_page" minimum:"1" maximum:"25" default:"10" description:"Page size."`
	IncludePromptName bool `json:"include_prompt_name" description:"Whether to add prompt_name to each item."`
}

// queryTimeout limits queries with expensive filters, so that they cannot
// pile up.
const queryTimeout = 30 * time.Second

// bounded runs a query with queryTimeout.
func bounded[T any](ctx context.Context, run func(context.Context) (T, error)) (T, error) {
	limited, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	result, err := run(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return result, fault.Wrap(fault.Unavailable, err, "The query took longer than %s; narrow its filters", queryTimeout)
	}
	return result, err
}

// query binds the body to in, the operation's input, and returns the members
// that all queries share.
func query(r *rest.Request, in any) (reqlog.QueryInput, error) {
	return parseQuery(r, in, reqlog.ParseQuery)
}

// parseQuery binds the body to in and parses the query in it.
func parseQuery(r *rest.Request, in any, parse func(jsontree.Value, *fault.Problems) (reqlog.QueryInput, error)) (reqlog.QueryInput, error) {
	if err := r.Bind(in); err != nil {
		return reqlog.QueryInput{}, err
	}
	var problems fault.Problems
	q, err := parse(r.Body, &problems)
	if invalid := problems.Err(); invalid != nil {
		return q, invalid
	}
	return q, err
}

func (h requestLogs) search(w http.ResponseWriter, r *rest.Request) error {
	var in searchRequest
	q, err := query(r, &in)
	if err != nil {
		return err
	}
	found, err := bounded(r.Context(), func(ctx context.Context) (reqlog.SearchResult, error) {
		return h.service.Search(ctx, kit.Workspace(ctx), reqlog.SearchInput{
			QueryInput: q, Page: in.Page, PerPage: in.PerPage, IncludePromptName: in.IncludePromptName,
		})
	})
	if err != nil {
		return err
	}
	return rest.WriteJSON(w, http.StatusOK, newSearchResponse(in, found))
}

type analyticsRequest struct {
	queryRequest
	BreakdownKey *string `json:"metadata_cost_breakdown_key" maxLength:"10000" description:"Restricts metadataValueBreakdown to one metadata key."`
}

func (h requestLogs) analyze(w http.ResponseWriter, r *rest.Request) error {
	var in analyticsRequest
	q, err := query(r, &in)
	if err != nil {
		return err
	}
	q.BreakdownKey = kit.OrZero(in.BreakdownKey)
	analysis, err := bounded(r.Context(), func(ctx context.Context) (reqlog.Analysis, error) {
		return h.service.Analyze(ctx, kit.Workspace(ctx), q)
	})
	if err != nil {
		return err
	}
	return rest.WriteJSON(w, http.StatusOK, newAnalyticsResponse(analysis, q.BreakdownKey))
}

type chartsRequest struct {
	queryRequest
	CustomCharts customCharts `json:"customCharts" description:"The charts, 1 to 50."`
}

func (h requestLogs) charts(w http.ResponseWriter, r *rest.Request) error {
	q, err := query(r, &chartsRequest{})
	if err != nil {
		return err
	}
	var problems fault.Problems
	charts, err := reqlog.ParseCharts(r.Body.Get("customCharts"), &problems)
	if invalid := problems.Err(); invalid != nil {
		return invalid
	}
	if err != nil {
		return err
	}
	results, err := bounded(r.Context(), func(ctx context.Context) ([]reqlog.ChartResult, error) {
		return h.service.Charts(ctx, kit.Workspace(ctx), q, charts)
	})
	if err != nil {
		return err
	}
	return rest.WriteJSON(w, http.StatusOK, chartsAnswer{Success: true, CustomCharts: results})
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
	ask := reqlog.SuggestInput{Field: string(in.Field), Prefix: in.Prefix, Key: in.MetadataKey, PromptID: in.PromptID}
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
		if ask.Filter, err = reqlog.ParseFilter(group, jsontree.Value{}); err != nil {
			return nil, err
		}
	}
	values, err := bounded(ctx, func(ctx context.Context) ([]string, error) {
		return h.service.Suggest(ctx, kit.Workspace(ctx), ask)
	})
	if err != nil {
		return nil, err
	}
	return &suggestResponse{Success: true, Values: rest.NonNil(values)}, nil
}
