package trace

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

var (
	traceID = []byte{0x0a, 0xf7, 0x65, 0x19, 0x16, 0xcd, 0x43, 0xdd, 0x84, 0x48, 0xeb, 0x21, 0x1c, 0x80, 0x31, 0x9c}
	spanID  = []byte{0xb7, 0xad, 0x6b, 0x71, 0x69, 0x20, 0x33, 0x31}
	otherID = []byte{0x00, 0xf0, 0x67, 0xaa, 0x0b, 0xa9, 0x02, 0xb7}
)

func pair(key string, value *commonpb.AnyValue) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: value}
}

func intOf(n int64) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: n}}
}

func doubleOf(f float64) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: f}}
}

func arrayOf(values ...*commonpb.AnyValue) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: &commonpb.ArrayValue{Values: values}}}
}

func listOf(pairs ...*commonpb.KeyValue) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_KvlistValue{KvlistValue: &commonpb.KeyValueList{Values: pairs}}}
}

// minimalMessage returns a valid span, changed by the function.
func minimalMessage(change func(*tracepb.Span)) *tracepb.Span {
	span := &tracepb.Span{TraceId: traceID, SpanId: spanID, Name: "step", StartTimeUnixNano: 1742034600000001000}
	change(span)
	return span
}

func request(spans ...*tracepb.Span) []*tracepb.ResourceSpans {
	return []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: spans}}}}
}

// encoded decodes the messages after encoding them.
func encoded(t testing.TB, resources []*tracepb.ResourceSpans) Batch {
	t.Helper()
	body := check.Must(proto.Marshal(&tracepb.TracesData{ResourceSpans: resources}))(t)
	return check.Must(DecodeOTLP("application/x-protobuf; charset=utf-8", body))(t)
}

func fullMessage() []*tracepb.ResourceSpans {
	span := &tracepb.Span{
		TraceId: traceID, SpanId: spanID, ParentSpanId: otherID, TraceState: "a=b", Name: "chat", Kind: tracepb.Span_SPAN_KIND_CLIENT,
		StartTimeUnixNano: 1742034600000001999, EndTimeUnixNano: 1742034601500000000,
		Status: &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: "it failed"},
		Attributes: []*commonpb.KeyValue{
			pair("text", textValue("a\x00\"b")), pair("int", intOf(math.MinInt64)), pair("double", doubleOf(0.25)), pair("nan", doubleOf(math.NaN())),
			pair("up", doubleOf(math.Inf(1))), pair("down", doubleOf(math.Inf(-1))),
			pair("bool", &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: true}}),
			pair("bytes", &commonpb.AnyValue{Value: &commonpb.AnyValue_BytesValue{BytesValue: []byte{0xff, 0}}}),
			pair("list", arrayOf(intOf(1), textValue("x"), &commonpb.AnyValue{}, arrayOf())),
			pair("__proto__", listOf(pair("a", intOf(1)), pair("a", intOf(2)))), pair("none", nil), pair("twice", intOf(1)), pair("twice", intOf(2)),
		},
		Events: []*tracepb.Span_Event{{Name: "exception", TimeUnixNano: math.MaxUint64, Attributes: []*commonpb.KeyValue{pair("exception.type", textValue("E"))}}, {}},
		Links:  []*tracepb.Span_Link{{TraceId: traceID, SpanId: otherID, TraceState: "c=d", Attributes: []*commonpb.KeyValue{pair("x", intOf(1))}}},
	}
	return []*tracepb.ResourceSpans{{
		Resource: &resourcepb.Resource{Attributes: []*commonpb.KeyValue{pair("service.name", textValue("app"))}}, SchemaUrl: "https://schema",
		ScopeSpans: []*tracepb.ScopeSpans{{Scope: &commonpb.InstrumentationScope{Name: "library", Version: "1.2"}, Spans: []*tracepb.Span{span}}},
	}}
}

func fullSpan() *reqlog.Span {
	return &reqlog.Span{
		TraceID: "0af7651916cd43dd8448eb211c80319c", SpanID: "b7ad6b7169203331", ParentID: "00f067aa0ba902b7", TraceState: "a=b",
		Name: "chat", Kind: reqlog.SpanClient, Status: reqlog.SpanError, StatusMessage: "it failed",
		Start: 1742034600000001, End: 1742034601500000,
		Attributes: []byte(`{"otel.scope.name":"library","otel.scope.version":"1.2",` +
			`"text":"a\u0000\"b","int":-9223372036854775808,"double":0.25,"nan":"NaN","up":"Infinity","down":"-Infinity","bool":true,"bytes":"/wA=",` +
			`"list":[1,"x",null,[]],"__proto__":{"a":2},"none":null,"twice":2}`),
		Resource:  []byte(`{"service.name":"app"}`),
		Events:    []byte(`[{"name":"exception","timestamp":"18446744073709551615","attributes":{"exception.type":"E"}},{"name":"","timestamp":"0","attributes":{}}]`),
		Links:     []byte(`[{"context":{"trace_id":"0af7651916cd43dd8448eb211c80319c","span_id":"00f067aa0ba902b7","trace_state":"c=d"},"attributes":{"x":1}}]`),
		SchemaURL: "https://schema", LogSpanID: "b7ad6b7169203331",
	}
}

func fullBatch() Batch {
	return Batch{SpanInput: requests.SpanInput{Spans: []*reqlog.Span{fullSpan()}, Logs: []*reqlog.LogInput{nil}, Whole: true, Unlinked: true}}
}

var ignoreIndex = cmpopts.IgnoreFields(reqlog.Span{}, "Index")

func TestDecodeProtobuf(t *testing.T) {
	t.Parallel()
	batch := encoded(t, fullMessage())
	if diff := cmp.Diff(fullBatch(), batch, ignoreIndex); diff != "" {
		t.Error(diff)
	}
	for _, empty := range [][]*tracepb.ResourceSpans{nil, {{}}, {{ScopeSpans: []*tracepb.ScopeSpans{{}}}}, request()} {
		check.Equal(t, "spans of an empty request", len(encoded(t, empty).Spans), 0)
	}
}

func TestDecodeSmallSpan(t *testing.T) {
	t.Parallel()
	span := encoded(t, request(minimalMessage(func(s *tracepb.Span) { s.ParentSpanId = make([]byte, 8); s.Kind = 77 }))).Spans[0]
	want := &reqlog.Span{
		TraceID: "0af7651916cd43dd8448eb211c80319c", SpanID: "b7ad6b7169203331", Name: "step", Kind: reqlog.SpanInternal, Status: reqlog.SpanUnset,
		Start: 1742034600000001, End: 1742034600000001, LogSpanID: "b7ad6b7169203331",
	}
	if diff := cmp.Diff(want, span, ignoreIndex); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeRejectsSpans(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*tracepb.Span){
		"Invalid traceId length":           func(s *tracepb.Span) { s.TraceId = traceID[:15] },
		"Invalid spanId length":            func(s *tracepb.Span) { s.SpanId = nil },
		"Invalid parentSpanId length":      func(s *tracepb.Span) { s.ParentSpanId = traceID },
		"Invalid traceId: all zeros":       func(s *tracepb.Span) { s.TraceId = make([]byte, 16) },
		"Invalid spanId: all zeros":        func(s *tracepb.Span) { s.SpanId = make([]byte, 8) },
		"Missing name":                     func(s *tracepb.Span) { s.Name = "" },
		"Invalid name length":              func(s *tracepb.Span) { s.Name = strings.Repeat("n", maxText+1) },
		"Invalid traceState length":        func(s *tracepb.Span) { s.TraceState = strings.Repeat("n", maxText+1) },
		"Missing startTimeUnixNano":        func(s *tracepb.Span) { s.StartTimeUnixNano = 0 },
		"Invalid startTimeUnixNano":        func(s *tracepb.Span) { s.StartTimeUnixNano = math.MaxInt64 + 1 },
		"Invalid endTimeUnixNano":          func(s *tracepb.Span) { s.EndTimeUnixNano = math.MaxUint64 },
		"Invalid attribute key length":     func(s *tracepb.Span) { s.Attributes = append(s.Attributes, pair(strings.Repeat("k", 1<<20), intOf(1))) },
		"Attribute values nest too deeply": func(s *tracepb.Span) { s.Attributes = append(s.Attributes, pair("k", nested(maxDepth))) },
		"Too many attributes":              func(s *tracepb.Span) { s.Attributes = manyAttributes(100_000) },
	} {
		good := minimalMessage(func(s *tracepb.Span) { s.SpanId = otherID })
		batch := encoded(t, request(minimalMessage(change), good, minimalMessage(change)))
		check.Equal(t, want, batch.Reason, want)
		check.Equal(t, want+": rejected", batch.Rejected, 2)
		check.Equal(t, want+": accepted", len(batch.Spans), 1)
	}
}

// nested returns a value with a number of arrays around it.
func nested(levels int) *commonpb.AnyValue {
	value := intOf(1)
	for range levels {
		value = arrayOf(value)
	}
	return value
}

func manyAttributes(n int) []*commonpb.KeyValue {
	list := make([]*commonpb.KeyValue, n)
	for i := range list {
		list[i] = pair(strconv.Itoa(i), intOf(int64(i)))
	}
	return list
}

func TestDecodeKeepsExtremeSpans(t *testing.T) {
	t.Parallel()
	batch := encoded(t, request(
		minimalMessage(func(s *tracepb.Span) {
			s.EndTimeUnixNano = 1
			s.Attributes = []*commonpb.KeyValue{pair("deep", nested(maxDepth-1)), pair("", textValue("")), pair("long", textValue(strings.Repeat("x", 5<<20)))}
		}),
		minimalMessage(func(s *tracepb.Span) { s.SpanId = otherID; s.ParentSpanId = otherID; s.StartTimeUnixNano = 1 }),
	))
	check.Equal(t, "rejected", batch.Reason, "")
	check.Equal(t, "end", batch.Spans[0].End, 0)
	check.Equal(t, "parent", batch.Spans[1].ParentID, batch.Spans[1].SpanID)
}

func TestDecodeKeepsFirstOfRepeatedSpans(t *testing.T) {
	t.Parallel()
	batch := encoded(t, request(
		minimalMessage(func(s *tracepb.Span) { s.Name = "first" }), minimalMessage(func(s *tracepb.Span) { s.Name = "second" }),
	))
	check.Equal(t, "spans", len(batch.Spans), 1)
	check.Equal(t, "name", batch.Spans[0].Name, "first")
	check.Equal(t, "rejected", batch.Rejected, 0)
}

func TestDecodeOTLPRefuses(t *testing.T) {
	t.Parallel()
	const unsupported = "Unsupported Content-Type: send application/x-protobuf or application/json"
	for _, contentType := range []string{"", "text/plain", "application/protobuf", "application/json; charset", "a/b/c"} {
		check.Refused(t, check.Failure(DecodeOTLP(contentType, nil)), fault.UnsupportedMedia, unsupported)
	}
	deep := check.Must(proto.Marshal(&tracepb.TracesData{ResourceSpans: request(minimalMessage(func(s *tracepb.Span) {
		s.Attributes = []*commonpb.KeyValue{pair("k", nested(10_000))}
	}))}))(t)
	for _, body := range [][]byte{[]byte("{}"), {0x0a, 0xff}, deep} {
		err := check.Failure(DecodeOTLP(Protobuf, body))
		check.Fault(t, err, fault.BadRequest)
	}
}

// TestDecodeBoundsCopiesOfResources sends many spans with one large resource,
// which would be stored with each of them.
func TestDecodeBoundsCopiesOfResources(t *testing.T) {
	t.Parallel()
	large := func(size int) *resourcepb.Resource {
		return &resourcepb.Resource{Attributes: []*commonpb.KeyValue{pair("k", textValue(strings.Repeat("x", size)))}}
	}
	spans := make([]*tracepb.Span, 2000)
	for i := range spans {
		spans[i] = minimalMessage(func(s *tracepb.Span) { s.SpanId = []byte{1, 0, 0, 0, 0, 0, byte(i >> 8), byte(i)} })
	}
	resources := request(spans...)
	resources[0].Resource = large(maxResource - 100)
	batch := encoded(t, resources)
	check.Equal(t, "reason", batch.Reason, "Too many spans in one request with a resource of this size")
	check.Equal(t, "spans", len(batch.Spans)+batch.Rejected, 2000)
	check.Equal(t, "accepted", len(batch.Spans), maxCopies/len(batch.Spans[0].Resource))

	resources[0].Resource = large(maxResource)
	resources = append(resources, request(minimalMessage(func(*tracepb.Span) {}))...)
	batch = encoded(t, resources)
	check.Equal(t, "reason", batch.Reason, "Resource attributes are too large")
	check.Equal(t, "rejected", batch.Rejected, 2000)
	check.Equal(t, "accepted", len(batch.Spans), 1)
}
