package traces

import (
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/trace"
)

// spansRequest documents the body that trace.DecodeSpans reads.
type spansRequest struct {
	Spans      []spanRequest `json:"spans" required:"true" maxItems:"50000" description:"The spans. Of several with the same ids, the first is stored."`
	CloseAfter bool          `json:"close_after" description:"Whether to close the traces of the spans once they are stored."`
}

type spanRequest struct {
	Name       string           `json:"name" required:"true" maxLength:"4096" description:"Name of the operation."`
	Context    spanContext      `json:"context" required:"true" description:"The ids of the span."`
	Kind       string           `json:"kind" required:"true" enum:"SpanKind.CLIENT,SpanKind.CONSUMER,SpanKind.INTERNAL,SpanKind.PRODUCER,SpanKind.SERVER" description:"Kind of the span."`
	ParentID   *string          `json:"parent_id" maxLength:"256" description:"The id of the parent span; null for the root of a trace."`
	StartTime  rest.DigitInt    `json:"start_time" required:"true" minimum:"0" description:"Start in nanoseconds since 1970, a number or a string of digits."`
	EndTime    rest.DigitInt    `json:"end_time" required:"true" minimum:"0" description:"End in nanoseconds since 1970."`
	Status     spanStatus       `json:"status" required:"true" description:"Outcome of the operation."`
	Attributes rest.RawObject   `json:"attributes" required:"true" description:"Attributes. A span can have 10,000 values in all; their keys have at most 1,024 characters."`
	Resource   spanResource     `json:"resource" required:"true" description:"What recorded the span."`
	Events     []rest.RawObject `json:"events" description:"Events."`
	Links      []rest.RawObject `json:"links" description:"Links to other spans."`
	LogRequest *rest.RawObject  `json:"log_request" description:"The request log of the span, like the body of /log-request. Its times default to those of the span. If its prompt is not found, it is left out. A span has one request log: another one is ignored."`
}

type spanContext struct {
	TraceID    string `json:"trace_id" required:"true" minLength:"1" maxLength:"256" description:"The id of the trace."`
	SpanID     string `json:"span_id" required:"true" minLength:"1" maxLength:"256" description:"The id of the span."`
	TraceState string `json:"trace_state" maxLength:"4096" description:"Trace state of W3C trace context."`
}

type spanStatus struct {
	Code        string  `json:"status_code" required:"true" enum:"StatusCode.ERROR,StatusCode.OK,StatusCode.UNSET" description:"Status of the span."`
	Description *string `json:"description" description:"Error message."`
}

type spanResource struct {
	Attributes rest.RawObject `json:"attributes" required:"true" description:"Attributes of the resource."`
	SchemaURL  string         `json:"schema_url" maxLength:"4096" description:"Schema of the attributes."`
}

// spansResponse documents what appendStored writes.
type spansResponse struct {
	Success     bool         `json:"success" required:"true" description:"Always true."`
	Spans       []storedSpan `json:"spans" required:"true" description:"The stored spans."`
	RequestLogs []spanLog    `json:"request_logs,omitempty" description:"The request logs of the spans. Absent unless a span has log_request."`
	RejectedIDs []string     `json:"rejected_span_ids,omitempty" description:"Ids of spans of closed traces, which were dropped. Absent if there are none."`
	ClosedIDs   []string     `json:"rejected_trace_ids,omitempty" description:"Ids of those traces."`
	Reason      string       `json:"rejection_reason,omitempty" enum:"trace_closed" description:"Why they were dropped."`
}

type storedSpan struct {
	ID       int64   `json:"id" required:"true" description:"Number of the span, which is the same whenever it is sent."`
	Name     string  `json:"name" required:"true" description:"Name of the operation."`
	TraceID  string  `json:"trace_id" required:"true" description:"The id of the trace."`
	SpanID   string  `json:"span_id" required:"true" description:"The id of the span."`
	ParentID *string `json:"parent_id" required:"true" description:"The id of the parent span."`
}

type spanLog struct {
	ID     int64  `json:"id" required:"true" description:"The id of the request log."`
	SpanID string `json:"span_id" required:"true" description:"The id of its span."`
}

// exportRequest documents a request of OTLP, which package trace reads.
type exportRequest struct {
	exportQuery
	ResourceSpans []rest.RawObject `json:"resourceSpans" description:"Spans by resource, as OTLP has them."`
}

type exportResponse struct {
	PartialSuccess *partialSuccess `json:"partialSuccess" required:"true" description:"Null if all spans were stored."`
}

type partialSuccess struct {
	RejectedSpans int    `json:"rejectedSpans" required:"true" description:"Number of invalid spans, which were not stored."`
	ErrorMessage  string `json:"errorMessage" required:"true" description:"What is wrong with the first of them."`
}

func newExportResponse(batch *trace.Batch) exportResponse {
	if batch.Rejected == 0 {
		return exportResponse{}
	}
	return exportResponse{PartialSuccess: &partialSuccess{RejectedSpans: batch.Rejected, ErrorMessage: batch.Reason}}
}

// closedTracesError is the response to spans of closed traces.
type closedTracesError struct {
	Success  bool     `json:"success" required:"true" enum:"[false]" description:"Always false."`
	Message  string   `json:"message" required:"true" description:"What went wrong."`
	Error    string   `json:"error" required:"true" description:"Same as message."`
	TraceIDs []string `json:"trace_ids" required:"true" description:"The traces of the request that are closed."`
}

// traceResponse documents what writeTrace writes.
type traceResponse struct {
	Success   bool           `json:"success" required:"true" description:"Always true."`
	TraceID   string         `json:"trace_id" required:"true" description:"The id of the trace."`
	Spans     []spanResponse `json:"spans" required:"true" description:"The spans by start, then by id."`
	Total     int64          `json:"total" required:"true" description:"Number of spans of the trace."`
	Truncated bool           `json:"truncated" required:"true" description:"Whether spans are missing from the response because the trace is too large."`
	ClosedAt  *rest.Time     `json:"closed_at" required:"true" description:"When the trace was closed; null while it is open."`
	Damaged   []string       `json:"damaged_span_ids,omitempty" description:"Ids of spans that can no longer be read, because their storage is damaged. They count in total. Absent if there are none."`
}

type spanResponse struct {
	storedSpan
	StartTime    rest.Time        `json:"start_time" required:"true" description:"Start."`
	Start        rest.Time        `json:"start" required:"true" description:"Same as start_time."`
	EndTime      rest.Time        `json:"end_time" required:"true" description:"End."`
	End          rest.Time        `json:"end" required:"true" description:"Same as end_time."`
	Kind         string           `json:"kind" required:"true" description:"Kind of the span, such as SpanKind.CLIENT."`
	Status       spanStatus       `json:"status" required:"true" description:"Outcome of the operation."`
	Attributes   rest.RawObject   `json:"attributes" required:"true" description:"Attributes."`
	Resource     spanResource     `json:"resource" required:"true" description:"What recorded the span."`
	Context      spanContext      `json:"context" required:"true" description:"The ids of the span."`
	Events       []rest.RawObject `json:"events" required:"true" description:"Events."`
	Links        []rest.RawObject `json:"links" required:"true" description:"Links to other spans."`
	RequestLogID *int64           `json:"request_log_id" required:"true" description:"The id of the first request log of the span; null if it has none."`
}

// outlineResponse documents what writeOutline writes.
type outlineResponse struct {
	Success   bool           `json:"success" required:"true" description:"Always true."`
	TraceID   string         `json:"trace_id" required:"true" description:"The id of the trace."`
	Spans     []outlinedSpan `json:"spans" required:"true" description:"The spans by start, then by id."`
	Total     int64          `json:"total" required:"true" description:"Number of spans of the trace."`
	Truncated bool           `json:"truncated" required:"true" description:"Whether spans are missing from the response because the trace has too many."`
	ClosedAt  *rest.Time     `json:"closed_at" required:"true" description:"When the trace was closed; null while it is open."`
}

type outlinedSpan struct {
	Name         string         `json:"name" required:"true" description:"Name of the operation."`
	SpanID       string         `json:"span_id" required:"true" description:"The id of the span."`
	ParentID     *string        `json:"parent_id" required:"true" description:"The id of the parent span."`
	StartTime    rest.Time      `json:"start_time" required:"true" description:"Start."`
	EndTime      rest.Time      `json:"end_time" required:"true" description:"End."`
	Status       outlinedStatus `json:"status" required:"true" description:"Outcome of the operation."`
	Type         *string        `json:"type" required:"true" description:"Type of the span, as the filter field span_type has it; null if it is not known."`
	ToolName     *string        `json:"tool_name" required:"true" description:"The tool that the span called; null if it called none."`
	RequestLogID *int64         `json:"request_log_id" required:"true" description:"The id of the first request log of the span; null if it has none."`
}

type outlinedStatus struct {
	Code string `json:"status_code" required:"true" enum:"StatusCode.ERROR,StatusCode.OK,StatusCode.UNSET" description:"Status of the span."`
}

type oneSpanResponse struct {
	Success bool         `json:"success" required:"true" description:"Always true."`
	Span    spanResponse `json:"span" required:"true" description:"The span."`
}

type closeResponse struct {
	Success bool            `json:"success" required:"true" description:"Always true."`
	Closure closureResponse `json:"closure" required:"true" description:"The end of the trace."`
}

type closureResponse struct {
	ID          string    `json:"id" required:"true" description:"Identifies the closure, a UUID."`
	WorkspaceID int64     `json:"workspace_id" required:"true" description:"The id of the workspace."`
	TraceID     string    `json:"trace_id" required:"true" description:"The id of the trace."`
	Status      string    `json:"status" required:"true" enum:"closed" description:"Always \"closed\"."`
	CreatedAt   rest.Time `json:"created_at" required:"true" description:"When the trace was closed."`
	UpdatedAt   rest.Time `json:"updated_at" required:"true" description:"Same as created_at."`
}
