package api_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/promptuary/promptuary/internal/check"
)

const (
	otlpPath = "/v1/traces"
	protobuf = "Content-Type: application/x-protobuf"
	gzipped  = "Content-Encoding: gzip"
)

// otlpBody returns an export request with spans.
func otlpBody(t *testing.T, spans ...*tracepb.Span) []byte {
	t.Helper()
	return check.Must(proto.Marshal(&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		ScopeSpans: []*tracepb.ScopeSpans{{Spans: spans}},
	}}}))(t)
}

// otlpSpan returns a span whose ids consist of the same byte.
func otlpSpan(id byte, attributes ...*commonpb.KeyValue) *tracepb.Span {
	return &tracepb.Span{
		TraceId: bytes.Repeat([]byte{0xa1}, 16), SpanId: bytes.Repeat([]byte{id}, 8), Name: "chat", Attributes: attributes,
		StartTimeUnixNano: 1_773_568_800_000_000_000, EndTimeUnixNano: 1_773_568_801_000_000_000,
	}
}

func text(key, value string) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: value}}}
}

func whole(key string, value int64) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: value}}}
}

// export sends an export request and requires a status and the media type of
// its response.
func (w *world) export(t *testing.T, status int, media string, body []byte, headers ...string) []byte {
	t.Helper()
	got, err := w.send("home", http.MethodPost, otlpPath, body, headers...)
	check.OK(t, err)
	if got.status != status || got.header.Get("Content-Type") != media {
		t.Fatalf("got %d %s %s, want %d %s", got.status, got.header.Get("Content-Type"), clip(string(got.body)), status, media)
	}
	return got.body
}

func (w *world) trace(t *testing.T, id string) (spans []map[string]any) {
	t.Helper()
	found := w.must(t, http.StatusOK, "home", http.MethodGet, tracesPath+"/"+id, "")
	for _, span := range found["spans"].([]any) {
		spans = append(spans, span.(map[string]any))
	}
	return spans
}

// TestOTLPProtobuf sends protobuf, plain and packed, and reads the trace and the
// request log of the model call in it.
func TestOTLPProtobuf(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	call := otlpSpan(2, text("gen_ai.operation.name", "chat"), text("gen_ai.provider.name", "openai"), text("gen_ai.request.model", "gpt-4o"),
		whole("gen_ai.usage.input_tokens", 12), whole("gen_ai.usage.output_tokens", 5), text("user.id", "ann"))
	call.ParentSpanId = bytes.Repeat([]byte{1}, 8)
	body := otlpBody(t, otlpSpan(1), call)
	for _, answer := range [][]byte{
		w.export(t, http.StatusOK, "application/x-protobuf", nil, protobuf),
		w.export(t, http.StatusOK, "application/x-protobuf", body, protobuf),
		w.export(t, http.StatusOK, "application/x-protobuf", packed(t, string(body)), protobuf, gzipped),
	} {
		check.Equal(t, "answer", string(answer), "")
	}
	spans := w.trace(t, strings.Repeat("A1", 16))
	check.Equal(t, "number of spans", len(spans), 2)
	check.Equal(t, "parent", spans[1]["parent_id"], any("0101010101010101"))
	log := w.must(t, http.StatusOK, "home", http.MethodGet, "/api/public/v2/requests/"+asText(t, spans[1]["request_log_id"]), "")
	check.Equal(t, "tokens", log["tokens"], any(17.0))
	check.Equal(t, "trace of the log", log["trace_id"], any(strings.Repeat("a1", 16)))
	if log["price"].(float64) <= 0 {
		t.Errorf("the log has no cost: %v", log)
	}
	check.Equal(t, "number of logs", w.total(t, "home"), 1)
}

// TestOTLPPartialSuccess reads the response with a rejected span as the
// exporters do.
func TestOTLPPartialSuccess(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	short := otlpSpan(2)
	short.SpanId = short.SpanId[:3]
	answer := w.export(t, http.StatusOK, "application/x-protobuf", otlpBody(t, short, otlpSpan(1)), protobuf)
	field, _, n := protowire.ConsumeTag(answer)
	partial, m := protowire.ConsumeBytes(answer[n:])
	check.Equal(t, "field of the response", int(field), 1)
	check.Equal(t, "length of the response", n+m, len(answer))
	_, _, n = protowire.ConsumeTag(partial)
	rejected, m := protowire.ConsumeVarint(partial[n:])
	check.Equal(t, "rejected spans", rejected, 1)
	field, _, k := protowire.ConsumeTag(partial[n+m:])
	reason, _ := protowire.ConsumeString(partial[n+m+k:])
	check.Equal(t, "field of the message", int(field), 2)
	check.Equal(t, "message", reason, "Invalid spanId length")
	check.Equal(t, "number of spans", len(w.trace(t, strings.Repeat("a1", 16))), 1)
	w.must(t, http.StatusCreated, "home", http.MethodPost, tracesPath+"/"+strings.Repeat("a1", 16)+"/close", "")
	w.export(t, http.StatusConflict, "application/json", otlpBody(t, otlpSpan(3)), protobuf)
}
