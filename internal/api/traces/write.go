package traces

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
func writeTrace(to http.ResponseWriter, id string, found *reqlog.Trace) error {
	return writeSpans(to, id, len(found.Spans), func(w *jsontree.Writer, i int) { writeSpan(w, found.Spans[i], found.LogIDs[i]) }, func(w *jsontree.Writer) {
		writeTraceState(w, found.Total, len(found.Spans)+len(found.Damaged), found.Closure)
		if len(found.Damaged) > 0 {
			w.Key("damaged_span_ids").Strings(found.Damaged)
		}
	})
}

// writeOutline responds with the outline of a trace, span by span.
func writeOutline(to http.ResponseWriter, id string, found *reqlog.Outline) error {
	return writeSpans(to, id, len(found.Spans), func(w *jsontree.Writer, i int) { writeSpanOutline(w, &found.Spans[i]) }, func(w *jsontree.Writer) {
		writeTraceState(w, found.Total, len(found.Spans), found.Closure)
	})
}

// writeSpans responds with so many spans of a trace, and with what comes after
// them.
func writeSpans(to http.ResponseWriter, id string, count int, span func(w *jsontree.Writer, i int), after func(*jsontree.Writer)) (err error) {
	to.Header().Set("Content-Type", "application/json")
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("success").Bool(true)
		w.Key("trace_id").String(id)
		w.Key("spans").Array(func() {
			for i := range count {
				span(&w, i)
				if err == nil && w.Len() > maxUnwritten {
					err = w.Flush(to)
				}
			}
		})
		after(&w)
	})
	if err == nil {
		_, err = to.Write(w.Bytes())
	}
	return err
}

// writeTraceState writes what concerns the trace as a whole.
func writeTraceState(w *jsontree.Writer, total int64, returned int, closure *reqlog.Closure) {
	w.Key("total").Int(total)
	w.Key("truncated").Bool(total > int64(returned))
	if w.Key("closed_at"); closure != nil {
		w.String(rest.Time(closure.At).String())
	} else {
		w.Null()
	}
}

func writeOneSpan(to http.ResponseWriter, found reqlog.FoundSpan) error {
	to.Header().Set("Content-Type", "application/json")
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("success").Bool(true)
		w.Key("span")
		writeSpan(&w, found.Span, found.LogID)
	})
	_, err := to.Write(w.Bytes())
	return err
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
		writeLogID(w, logID)
	})
}

func writeLogID(w *jsontree.Writer, id int64) {
	if w.Key("request_log_id"); id != 0 {
		w.Int(id)
	} else {
		w.Null()
	}
}

func writeSpanOutline(w *jsontree.Writer, span *reqlog.SpanOutline) {
	kind := span.Type
	if kind == "" && span.LogID != 0 {
		kind = trace.LLMCall
	}
	w.Object(func() {
		w.Key("name").String(span.Name)
		w.Key("span_id").String(span.SpanID)
		w.Key("parent_id").StringOrNull(span.ParentID)
		w.Key("start_time").String(rest.Time(span.Start).String())
		w.Key("end_time").String(rest.Time(span.End).String())
		w.Key("status").Object(func() { w.Key("status_code").String(trace.StatusPrefix + span.Status) })
		w.Key("type").StringOrNull(kind)
		w.Key("tool_name").StringOrNull(span.ToolName)
		writeLogID(w, span.LogID)
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
