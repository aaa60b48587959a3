package traces

import (
	"context"
	"net/http"
	"slices"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/trace"
)

const (
	traceTag  = "Traces"
	tracePath = "/api/public/v2/traces/{trace_id}"
)

// maxTraceSpans is the maximum number of spans in a response.
const maxTraceSpans = 100_000

// traces has the handlers of traces.
type traces struct{ service *requests.Service }

func (h traces) operations() []rest.Op {
	return kit.Tagged(traceTag, slices.Concat(h.ingestOperations(), h.queryOperations(), h.readOperations()))
}

// readOperations returns the operations that read a trace or a span.
func (h traces) readOperations() []rest.Op {
	read := func(path, id, summary, description string, handler rest.Handler) rest.Op {
		return rest.Op{
			Method: http.MethodGet, Path: path, ID: id, Summary: summary, Description: description,
			Also: []int{http.StatusNotFound, http.StatusServiceUnavailable}, Handler: handler,
		}
	}
	return []rest.Op{
		read(tracePath, "getTrace", "Get a trace",
			"Returns the spans of a trace by start time, with the ids of their request logs. Of a larger trace, the first 100,000 are returned. "+
				"A hexadecimal id can have upper-case letters.",
			rest.RawBound(traceResponse{}, h.get)),
		read(tracePath+"/outline", "getTraceOutline", "Get the outline of a trace",
			"Returns what the tree and the timeline of a trace show: the spans like getTrace, but without attributes, events and other data. It is much smaller.",
			rest.RawBound(outlineResponse{}, h.outline)),
		read(tracePath+"/spans/{span_id}", "getSpan", "Get a span", "Returns one span of a trace, as getTrace does.", rest.RawBound(oneSpanResponse{}, h.span)),
	}
}

// ingestOperations returns the operations that write traces.
func (h traces) ingestOperations() []rest.Op {
	return kit.WriteOnly([]rest.Op{
		{
			Method: http.MethodPost, Path: "/spans-bulk", ID: "createSpansBulk", Summary: "Store spans",
			Description: "Stores spans, all or none, and the request logs that come with them. A span that is sent again replaces the stored one. " +
				"Spans of closed traces are dropped and listed. Once the response is sent, the spans are durable and visible.",
			Status: http.StatusCreated, Also: []int{http.StatusServiceUnavailable}, Computes: true,
			Handler: rest.Raw(spansRequest{}, spansResponse{}, h.storeSpans),
		},
		{
			Method: http.MethodPost, Path: "/v1/traces", ID: "ingestOtlpTraces", Summary: "Store spans from OpenTelemetry",
			Description: "Receives spans from OpenTelemetry exporters over OTLP/HTTP, as protobuf or JSON, plain or with gzip. The response has the same format. " +
				"Spans that are calls of models become request logs. Invalid spans are counted in the response, and the others stored. " +
				"If a trace of the request is closed, nothing is stored.",
			Also: []int{http.StatusConflict, http.StatusServiceUnavailable}, Computes: true,
			Accept: []string{trace.Protobuf, trace.JSON}, Produces: []string{trace.Protobuf},
			Errors:  map[int]any{http.StatusConflict: closedTracesError{}},
			Handler: rest.Raw(exportRequest{}, exportResponse{}, h.export),
		},
		{
			Method: http.MethodPost, Path: tracePath + "/close", ID: "closeTrace", Summary: "Close a trace",
			Description: "Closes a trace for good: later spans are rejected. Its request logs can still be annotated.",
			Status:      http.StatusCreated, Also: []int{http.StatusNotFound, http.StatusConflict, http.StatusServiceUnavailable},
			Handler: rest.Handle(h.close),
		},
	})
}

type traceRequest struct {
	TraceID string `path:"trace_id" minLength:"1" maxLength:"256" description:"The id of the trace."`
}

func (h traces) get(w http.ResponseWriter, r *rest.Request, in *traceRequest) error {
	found, err := kit.Bounded(r.Context(), func(ctx context.Context) (*reqlog.Trace, error) {
		return h.service.Trace(ctx, kit.Workspace(ctx), in.TraceID, maxTraceSpans)
	})
	if err != nil {
		return err
	}
	return writeTrace(w, reqlog.NormalTraceID(in.TraceID), found)
}

func (h traces) outline(w http.ResponseWriter, r *rest.Request, in *traceRequest) error {
	found, err := kit.Bounded(r.Context(), func(ctx context.Context) (*reqlog.Outline, error) {
		return h.service.Outline(ctx, kit.Workspace(ctx), in.TraceID, maxTraceSpans)
	})
	if err != nil {
		return err
	}
	return writeOutline(w, reqlog.NormalTraceID(in.TraceID), found)
}

type spanIDRequest struct {
	traceRequest
	SpanID string `path:"span_id" minLength:"1" maxLength:"256" description:"The id of the span."`
}

func (h traces) span(w http.ResponseWriter, r *rest.Request, in *spanIDRequest) error {
	found, err := kit.Bounded(r.Context(), func(ctx context.Context) (reqlog.FoundSpan, error) {
		return h.service.Span(ctx, kit.Workspace(ctx), in.TraceID, in.SpanID)
	})
	if err != nil {
		return err
	}
	return writeOneSpan(w, found)
}

func (h traces) close(ctx context.Context, in *traceRequest) (*closeResponse, error) {
	closed, err := h.service.CloseTrace(ctx, kit.Workspace(ctx), in.TraceID)
	if err != nil {
		return nil, err
	}
	return &closeResponse{Success: true, Closure: closureResponse{
		ID: closed.UUID(), WorkspaceID: closed.Workspace, TraceID: closed.TraceID, Status: "closed",
		CreatedAt: rest.Time(closed.At), UpdatedAt: rest.Time(closed.At),
	}}, nil
}
