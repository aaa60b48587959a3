package trace

import (
	"encoding/base64"
	"encoding/hex"
	"iter"
	"math"
	"strconv"
	"strings"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

func decodeJSON(body []byte) (Batch, error) {
	request, err := jsontree.Parse(body)
	if err != nil {
		return Batch{}, fault.BadRequestf("The request body is not valid JSON: %v", err)
	}
	if request.Kind() != jsontree.Object {
		return Batch{}, fault.BadRequestf("The request body must be a JSON object")
	}
	return DecodeJSON(request)
}

// DecodeJSON is DecodeOTLP for a request in JSON that was already parsed, an
// object. The JSON of OTLP differs from that of protobuf, and libraries differ
// from both, so it accepts all of them: names in camel or snake case, ids in
// hexadecimal or base64, enumerations by name or number, numbers as texts.
// Unknown members are ignored.
func DecodeJSON(request jsontree.Value) (Batch, error) {
	r := jsonReader{}
	d := newOTLPDecoder(0)
	for resource := range r.objects(either(request, "resourceSpans", "resource_spans"), "resourceSpans") {
		d.resource(r.resource(resource.Get("resource")), either(resource, "schemaUrl", "schema_url").Str())
		for scope := range r.objects(either(resource, "scopeSpans", "scope_spans"), "scopeSpans") {
			d.scope(scopeOf(scope.Get("scope")))
			for span := range r.objects(scope.Get("spans"), "spans") {
				d.jsonSpan(span)
			}
		}
	}
	if r.wrong != "" {
		return Batch{}, fault.BadRequestf("The request body is not a valid export request: %s", r.wrong)
	}
	return d.batch, nil
}

// jsonSpan reads one span. A span with members of the wrong type is rejected.
func (d *otlpDecoder) jsonSpan(v jsontree.Value) {
	r := jsonReader{}
	span := r.span(v)
	if r.wrong != "" {
		d.reject("Invalid span: " + r.wrong)
		return
	}
	d.span(span)
}

// jsonReader converts JSON to the messages of OTLP. wrong describes the last
// value of the wrong type.
type jsonReader struct{ wrong string }

// either returns the member with the name in camel or in snake case.
func either(v jsontree.Value, camel, snake string) jsontree.Value {
	if found := v.Get(camel); found.Given() {
		return found
	}
	return v.Get(snake)
}

// objects iterates over the objects of a list, which is optional.
func (r *jsonReader) objects(list jsontree.Value, name string) iter.Seq[jsontree.Value] {
	if list.Given() && list.Kind() != jsontree.Array {
		r.wrong = name + " must be a list"
	}
	return func(yield func(jsontree.Value) bool) {
		for _, element := range list.Elems() {
			if element.Kind() != jsontree.Object {
				r.wrong = name + " must be a list of objects"
				return
			}
			if !yield(element) {
				return
			}
		}
	}
}

func (r *jsonReader) resource(v jsontree.Value) *resourcepb.Resource {
	return &resourcepb.Resource{Attributes: r.attributes(v.Get("attributes"))}
}

func scopeOf(v jsontree.Value) *commonpb.InstrumentationScope {
	return &commonpb.InstrumentationScope{Name: v.Get("name").Str(), Version: v.Get("version").Str()}
}

func (r *jsonReader) span(v jsontree.Value) *tracepb.Span {
	status := v.Get("status")
	span := &tracepb.Span{
		TraceId: idOf(either(v, "traceId", "trace_id"), traceDigits), SpanId: idOf(either(v, "spanId", "span_id"), spanDigits), ParentSpanId: idOf(either(v, "parentSpanId", "parent_span_id"), spanDigits),
		TraceState: either(v, "traceState", "trace_state").Str(), Name: v.Get("name").Str(),
		Kind:              tracepb.Span_SpanKind(enum(v.Get("kind"), "SPAN_KIND_", tracepb.Span_SpanKind_value)),
		StartTimeUnixNano: timeOf(either(v, "startTimeUnixNano", "start_time_unix_nano")),
		EndTimeUnixNano:   timeOf(either(v, "endTimeUnixNano", "end_time_unix_nano")),
		Attributes:        r.attributes(v.Get("attributes")),
		Status: &tracepb.Status{
			Code:    tracepb.Status_StatusCode(enum(status.Get("code"), "STATUS_CODE_", tracepb.Status_StatusCode_value)),
			Message: status.Get("message").Str(),
		},
	}
	for event := range r.objects(v.Get("events"), "events") {
		span.Events = append(span.Events, &tracepb.Span_Event{
			Name: event.Get("name").Str(), TimeUnixNano: timeOf(either(event, "timeUnixNano", "time_unix_nano")), Attributes: r.attributes(event.Get("attributes")),
		})
	}
	for link := range r.objects(v.Get("links"), "links") {
		span.Links = append(span.Links, &tracepb.Span_Link{
			TraceId: idOf(either(link, "traceId", "trace_id"), traceDigits), SpanId: idOf(either(link, "spanId", "span_id"), spanDigits),
			TraceState: either(link, "traceState", "trace_state").Str(), Attributes: r.attributes(link.Get("attributes")),
		})
	}
	return span
}

// malformedID is longer than no id and shorter than any valid one.
var malformedID = []byte{0}

// idOf reads an id with this number of hexadecimal digits, or the same bytes in
// base64. It returns nil for none.
func idOf(v jsontree.Value, digits int) []byte {
	text := v.Str()
	if !v.Given() || v.Kind() == jsontree.String && text == "" {
		return nil
	}
	if id, err := hex.DecodeString(text); err == nil && len(text) == digits {
		return id
	}
	text = strings.TrimRight(text, "=")
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if id, err := encoding.DecodeString(text); err == nil && len(id) == digits/2 {
			return id
		}
	}
	return malformedID
}

// enum returns the number of an enumeration: a number, a text of digits, or a
// name with or without its prefix. It is 0 for anything else.
func enum(v jsontree.Value, prefix string, numbers map[string]int32) int32 {
	n, ok := v.Int()
	if v.Kind() == jsontree.String {
		name := strings.ToUpper(v.Str())
		if known, found := numbers[prefix+strings.TrimPrefix(name, prefix)]; found {
			return known
		}
		parsed, err := strconv.ParseInt(name, 10, 32)
		n, ok = parsed, err == nil
	}
	if !ok || n < 0 || n > math.MaxInt32 {
		return 0
	}
	return int32(n)
}

// timeOf returns a number of nanoseconds, 0 for none. An invalid one becomes a
// time that is out of range.
func timeOf(v jsontree.Value) uint64 {
	if !v.Given() {
		return 0
	}
	if n, ok := wholeNumber(v); ok && n >= 0 {
		return uint64(n)
	}
	return math.MaxUint64
}
