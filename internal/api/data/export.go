package data

import (
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/export/format"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/rest"
)

// exports has the handlers of exports.
type exports struct{ service *export.Service }

func (h exports) operations() []rest.Op {
	return []rest.Op{{
		Method: http.MethodGet, Path: kit.RequestsPath + "/export", ID: "exportRequests", Tag: "Request logs",
		Summary: "Export request logs",
		Description: "Returns all request logs that match, in the order of their ids, with their bodies and everything else that is needed to import them again. " +
			"The header X-Export-Last-Id has the highest id that the export covers." + kit.ExportAbout,
		Also:     []int{http.StatusBadRequest, http.StatusConflict, http.StatusServiceUnavailable},
		Produces: format.MediaTypes, Limit: kit.LimitSearch,
		Handler: rest.RawBound(nil, h.logs),
	}, {
		Method: http.MethodGet, Path: kit.TracesPath + "/export", ID: "exportTraces", Tag: "Traces",
		Summary: "Export traces",
		Description: "Returns the spans of all traces that match, each as a row, in the order in which they were written. With a query, all spans of the " +
			"workspace are read, and up to 2,000,000 traces may match." + kit.ExportAbout,
		Also:     []int{http.StatusBadRequest, http.StatusServiceUnavailable},
		Produces: format.MediaTypes, Limit: kit.LimitSearch,
		Handler: rest.RawBound(nil, h.traces),
	}}
}

type exportTracesRequest struct {
	kit.ExportQuery
	Query kit.SearchText `query:"query" description:"The members filter_group, filters and q of a search for traces, as JSON text; defaults to all traces."`
}

func (h exports) traces(w http.ResponseWriter, r *rest.Request, in *exportTracesRequest) error {
	query, text, err := in.Query.Parse(query.ParseTraces)
	if err != nil {
		return err
	}
	made, err := h.service.Traces(r.Context(), kit.Workspace(r.Context()), query, text, in.File())
	if err != nil {
		return err
	}
	return kit.Download(w, r, made)
}

type exportLogsRequest struct {
	kit.ExportQuery
	Query   kit.SearchText `query:"query" description:"The members filter_group, filters and q of a search, as JSON text; defaults to all request logs."`
	AfterID *int64         `query:"after_id" minimum:"0" description:"Only request logs with a higher id, to continue an earlier export after its X-Export-Last-Id. If several servers share the request logs, the newest ones are in a later export, after at most half an hour."`
}

func (h exports) logs(w http.ResponseWriter, r *rest.Request, in *exportLogsRequest) error {
	query, text, err := in.Query.Parse(query.Parse)
	if err != nil {
		return err
	}
	made, err := h.service.Logs(r.Context(), kit.Workspace(r.Context()), export.LogQuery{Input: query, Text: text, After: in.AfterID}, in.File())
	if err != nil {
		return err
	}
	return kit.Download(w, r, made)
}
