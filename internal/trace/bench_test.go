package trace

import (
	"encoding/binary"
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// typicalRequest is a batch of 512 spans as an exporter sends it: one in four is
// a model call with messages.
func typicalRequest(b *testing.B) []byte {
	b.Helper()
	messages := `[{"role":"user","parts":[{"type":"text","content":"` + strings.Repeat("How warm is it in Oslo? ", 20) + `"}]}]`
	spans := make([]*tracepb.Span, 512)
	for i := range spans {
		spans[i] = &tracepb.Span{
			TraceId: traceID, SpanId: binary.BigEndian.AppendUint64(nil, uint64(i+1)), ParentSpanId: spanID, Name: "step", Kind: tracepb.Span_SPAN_KIND_CLIENT,
			StartTimeUnixNano: 1742034600000001000, EndTimeUnixNano: 1742034601000001000,
			Attributes: []*commonpb.KeyValue{
				pair("http.method", textValue("POST")), pair("http.url", textValue("https://api.example.com/v1/chat/completions")),
				pair("server.port", intOf(443)), pair("session.id", textValue("4f1c9d8e")), pair("duration", doubleOf(0.25)),
			},
		}
		if i%4 == 0 {
			spans[i].Attributes = append(spans[i].Attributes,
				pair("gen_ai.operation.name", textValue("chat")), pair("gen_ai.provider.name", textValue("openai")), pair("gen_ai.request.model", textValue("gpt-4o")),
				pair("gen_ai.request.temperature", doubleOf(0.2)), pair("gen_ai.usage.input_tokens", intOf(200)), pair("gen_ai.usage.output_tokens", intOf(100)),
				pair("gen_ai.input.messages", textValue(messages)), pair("gen_ai.output.messages", textValue(strings.Replace(messages, "user", "assistant", 1))),
			)
		}
	}
	resources := request(spans...)
	resources[0].Resource = &resourcepb.Resource{Attributes: []*commonpb.KeyValue{
		pair("service.name", textValue("app")), pair("telemetry.sdk.name", textValue("opentelemetry")), pair("process.pid", intOf(7)),
	}}
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: resources})
	if err != nil {
		b.Fatal(err)
	}
	return body
}

func BenchmarkDecodeProtobuf(b *testing.B) {
	body := typicalRequest(b)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		batch, err := DecodeOTLP(Protobuf, body)
		if err != nil || len(batch.Spans) != 512 || batch.Logs[0] == nil {
			b.Fatal(err, len(batch.Spans))
		}
	}
}

// BenchmarkUnmarshal is the part of BenchmarkDecodeProtobuf that nothing can
// avoid.
func BenchmarkUnmarshal(b *testing.B) {
	body := typicalRequest(b)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		var request tracepb.TracesData
		if err := proto.Unmarshal(body, &request); err != nil {
			b.Fatal(err)
		}
	}
}
