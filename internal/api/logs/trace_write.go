package logs

import (
	"net/http"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/trace"
)

// maxUnwritten is the size of the part of a trace that is kept in memory as
// JSON.
const maxUnwritten = 64 << 10

// writeTrace responds with a trace, span by span.
func writeTrace(to http.ResponseWriter, id string, found *reqlog.Trace) (err error) {
	to.Header().Set("Content-Type", "application/json")
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("success").Bool(true)
		w.Key("trace_id").String(id)
		w.Key("spans").Array(func() {
			for i, span := range found.Spans {
				writeSpan(&w, span, found.LogIDs[i])
				if err == nil && w.Len() > maxUnwritten {
					err = w.Flush(to)
				}
			}
		})
		writeTraceState(&w, found)
	})
	if err == nil {
		_, err = to.Write(w.Bytes())
	}
	return err
}

// writeTraceState writes what concerns the trace as a whole.
func writeTraceState(w *jsontree.Writer, found *reqlog.Trace) {
	w.Key("total").Int(found.Total)
	w.Key("truncated").Bool(found.Total > int64(len(found.Spans)+len(found.Damaged)))
	if w.Key("closed_at"); found.Closure != nil {
		w.String(rest.Time(found.Closure.At).String())
	} else {
		w.Null()
	}
	if len(found.Damaged) > 0 {
		w.Key("damaged_span_ids").Strings(found.Damaged)
	}
}

func writeSpan(w *jsontree.Writer, span *reqlog.Span, logID int64) {
	start, end := rest.Time(span.Start).String(), rest.Time(span.End).String()
	w.Object(func() {
		writeSpanIDs(w, span)
		w.Key("start_time").String(start)
		w.Key("start").String(start)
		w.Key("end_time").String(end)
		w.Key("end").String(end)
		w.Key("kind").String(trace.KindPrefix + span.Kind)
		w.Key("status").Object(func() {
			w.Key("status_code").String(trace.StatusPrefix + span.Status)
			w.Key("description").StringOrNull(span.StatusMessage)
		})
		w.Key("attributes").RawOr(span.Attributes, "{}")
		w.Key("resource").Object(func() {
			w.Key("attributes").RawOr(span.Resource, "{}")
			w.Key("schema_url").String(span.SchemaURL)
		})
		w.Key("context").Object(func() {
			w.Key("trace_id").String(span.TraceID)
			w.Key("span_id").String(span.SpanID)
			w.Key("trace_state").String(span.TraceState)
		})
		w.Key("events").RawOr(span.Events, "[]")
		w.Key("links").RawOr(span.Links, "[]")
		if w.Key("request_log_id"); logID != 0 {
			w.Int(logID)
		} else {
			w.Null()
		}
	})
}

// writeSpanIDs writes what identifies a span.
func writeSpanIDs(w *jsontree.Writer, span *reqlog.Span) {
	w.Key("id").Int(span.ID())
	w.Key("name").String(span.Name)
	w.Key("trace_id").String(span.TraceID)
	w.Key("span_id").String(span.SpanID)
	w.Key("parent_id").StringOrNull(span.ParentID)
}
