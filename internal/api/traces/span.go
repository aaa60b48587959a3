package traces

import (
	"net/http"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/trace"
)

func (h traces) storeSpans(w http.ResponseWriter, r *rest.Request) error {
	var problems fault.Problems
	batch := trace.DecodeSpans(r.Body, kit.BodyLoc, &problems)
	if err := problems.Err(); err != nil {
		return err
	}
	result, err := h.service.LogSpans(r.Context(), kit.Workspace(r.Context()), batch.SpanInput)
	if err != nil {
		return err
	}
	rest.WriteBytes(w, http.StatusCreated, appendStored(nil, batch.SpanInput, result))
	return nil
}

// appendStored appends the response to stored spans.
func appendStored(dst []byte, in requests.SpanInput, result reqlog.SpanResult) []byte {
	closed := map[string]bool{}
	for _, id := range result.Closed {
		closed[id] = true
	}
	w := jsontree.NewWriter(dst)
	w.Object(func() {
		w.Key("success").Bool(true)
		w.Key("spans").Array(func() {
			for _, span := range in.Spans {
				if !closed[span.TraceID] {
					w.Object(func() { writeSpanIDs(&w, span) })
				}
			}
		})
		if slices.ContainsFunc(in.Logs, func(l *reqlog.LogInput) bool { return l != nil }) {
			w.Key("request_logs").Array(func() { writeSpanLogs(&w, in.Spans, result.LogIDs) })
		}
		if len(result.Closed) > 0 {
			w.Key("rejected_span_ids").Array(func() {
				for _, span := range in.Spans {
					if closed[span.TraceID] {
						w.String(span.SpanID)
					}
				}
			})
			w.Key("rejected_trace_ids").Strings(result.Closed)
			w.Key("rejection_reason").String("trace_closed")
		}
	})
	return w.Bytes()
}

func writeSpanLogs(w *jsontree.Writer, spans []*reqlog.Span, logIDs []int64) {
	for i, id := range logIDs {
		if id == 0 {
			continue
		}
		w.Object(func() {
			w.Key("id").Int(id)
			w.Key("span_id").String(spans[i].SpanID)
		})
	}
}

// exportQuery has the parameters of an export.
type exportQuery struct {
	CloseAfter bool `query:"close_after" description:"Whether to close the traces of the request once its spans are stored."`
}

// export receives a request of OTLP. Its faults are JSON whatever the format of
// the request, like all faults.
func (h traces) export(w http.ResponseWriter, r *rest.Request) error {
	batch, err := decodeExport(r)
	if err != nil {
		return err
	}
	var query exportQuery
	if err := r.Bind(&query); err != nil {
		return err
	}
	batch.CloseAfter, batch.Source = query.CloseAfter, reqlog.SourceOTLP
	result, err := h.service.LogSpans(r.Context(), kit.Workspace(r.Context()), batch.SpanInput)
	switch {
	case err != nil:
		return err
	case len(result.Closed) > 0:
		return writeClosed(w, result.Closed)
	case r.MediaType == trace.Protobuf:
		w.Header().Set("Content-Type", trace.Protobuf)
		_, _ = w.Write(batch.AppendResponse(nil)) // a disconnected client is not an error
		return nil
	default:
		return rest.WriteJSON(w, http.StatusOK, newExportResponse(&batch))
	}
}

func decodeExport(r *rest.Request) (trace.Batch, error) {
	if r.MediaType == trace.JSON {
		return trace.DecodeJSON(r.Body)
	}
	return trace.DecodeOTLP(r.MediaType, r.Bytes)
}

// maxNamedTraces is the number of closed traces that an error message names.
const maxNamedTraces = 5

// writeClosed responds to an export of closed traces. Its error is a text, unlike
// that of other errors.
func writeClosed(w http.ResponseWriter, ids []string) error {
	text := "Trace already closed: " + strings.Join(ids[:min(len(ids), maxNamedTraces)], ", ")
	if len(ids) > maxNamedTraces {
		text += ", …"
	}
	return rest.WriteJSON(w, http.StatusConflict, closedTracesError{Message: text, Error: text, TraceIDs: ids})
}
