package reqlog

import "strings"

// The lengths of ids in hexadecimal, as OpenTelemetry has them.
const (
	traceDigits = 32
	spanDigits  = 16
)

// NormalTraceID returns the form of a trace id in which it is stored and
// compared: in lower case if it is hexadecimal. Clients may use other ids, which
// stay as they are.
func NormalTraceID(id string) string { return normalID(id, traceDigits) }

// NormalSpanID is NormalTraceID for the id of a span.
func NormalSpanID(id string) string { return normalID(id, spanDigits) }

func normalID(id string, digits int) string {
	if len(id) != digits || strings.Trim(id, "0123456789abcdefABCDEF") != "" {
		return id
	}
	return strings.ToLower(id)
}

// LinkParents makes the parents of spans the ids of those spans. Some exporters
// omit the leading zeros of a parent's id. Parents that are not in the trace stay
// as they are.
func (t *Trace) LinkParents() {
	known := make(map[string]bool, len(t.Spans))
	for _, span := range t.Spans {
		known[span.SpanID] = true
	}
	for _, span := range t.Spans {
		span.ParentID = LinkedParent(span.ParentID, func(id string) bool { return known[id] })
	}
}

// LinkParents is LinkParents of a trace.
func (o *Outline) LinkParents() {
	known := make(map[string]bool, len(o.Spans))
	for i := range o.Spans {
		known[o.Spans[i].SpanID] = true
	}
	for i := range o.Spans {
		span := &o.Spans[i]
		span.ParentID = LinkedParent(span.ParentID, func(id string) bool { return known[id] })
	}
}

// LinkedParent returns a parent's id with its leading zeros, if only that is known.
func LinkedParent(parent string, known func(id string) bool) string {
	if parent == "" || len(parent) >= spanDigits || known(parent) {
		return parent
	}
	if padded := strings.ToLower(strings.Repeat("0", spanDigits-len(parent)) + parent); known(padded) {
		return padded
	}
	return parent
}
