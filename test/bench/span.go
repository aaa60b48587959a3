package main

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

const (
	// exporterBatch is the number of spans of one request, the default of
	// OpenTelemetry's exporters.
	exporterBatch = 512
	// largeTrace is the number of spans of the largest trace, which has the first
	// ones. All others have traceSpans.
	largeTrace = 30_000
	traceSpans = 10
	// minSpans is the smallest load: the large trace and as many spans in others.
	minSpans = 2 * largeTrace
)

// spanSource generates the spans of agents: a root, and below it steps, tools
// and, unless plain, calls of a model with their messages, which are three of
// ten spans.
type spanSource struct {
	start time.Time // of the first span
	plain bool
}

// messages are those of a model call, about 600 bytes.
var messages = `[{"role":"user","parts":[{"type":"text","content":"` + strings.Repeat("Where is the parcel of order 4711? ", 16) + `"}]}]`

// tools are the tools that spans call.
var tools = []string{"search orders", "track parcel", "refund", "read policy"}

// bodies returns requests with count spans from the first one.
func (s spanSource) bodies(first, count int) (*bodySet, error) {
	set := &bodySet{}
	for at := first; at < first+count; at += exporterBatch {
		request := s.request(at, min(exporterBatch, first+count-at))
		var err error
		if set.text, err = (proto.MarshalOptions{}).MarshalAppend(set.text, request); err != nil {
			return nil, fmt.Errorf("encode spans: %w", err)
		}
		set.ends = append(set.ends, len(set.text))
	}
	return set, nil
}

func (s spanSource) request(first, count int) *tracepb.TracesData {
	spans := make([]*tracepb.Span, count)
	for i := range spans {
		spans[i] = s.span(first + i)
	}
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource:   &resourcepb.Resource{Attributes: []*commonpb.KeyValue{textPair("service.name", "support"), textPair("service.version", "1.4.2"), intPair("process.pid", 7)}},
		ScopeSpans: []*tracepb.ScopeSpans{{Spans: spans}},
	}}}
}

// span returns a span by its number. Every hundredth one failed.
func (s spanSource) span(i int) *tracepb.Span {
	place := i % traceSpans
	root := i - place
	started := s.start.Add(time.Duration(i) * time.Millisecond)
	span := &tracepb.Span{
		TraceId: traceID(i), SpanId: spanID(i), Name: fmt.Sprint("step ", place), Kind: tracepb.Span_SPAN_KIND_INTERNAL,
		StartTimeUnixNano: uint64(started.UnixNano()), EndTimeUnixNano: uint64(started.Add(time.Duration(1+i%997) * time.Millisecond).UnixNano()),
		Attributes: []*commonpb.KeyValue{
			textPair("http.route", "/v1/answers"), textPair("server.address", "orders.internal.example.com"), intPair("server.port", 443), intPair("thread.id", int64(i%64)),
		},
	}
	if place > 0 {
		span.ParentSpanId = spanID(root)
	}
	if i%100 == 55 {
		span.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: "timed out"}
	}
	span.Attributes = append(span.Attributes, s.kind(i, place)...)
	return span
}

// kind returns the attributes that say what a span is.
func (s spanSource) kind(i, place int) []*commonpb.KeyValue {
	switch {
	case place == 0:
		return []*commonpb.KeyValue{textPair("user.id", fmt.Sprint("user_", i/traceSpans%5000)), textPair("session.id", fmt.Sprint("session_", i/traceSpans/4))}
	case place%4 == 1 && !s.plain:
		return []*commonpb.KeyValue{
			textPair("gen_ai.operation.name", "chat"), textPair("gen_ai.provider.name", "openai"), textPair("gen_ai.request.model", "gpt-4o"),
			intPair("gen_ai.usage.input_tokens", int64(100+i%400)), intPair("gen_ai.usage.output_tokens", int64(20+i%90)),
			textPair("gen_ai.input.messages", messages), textPair("gen_ai.output.messages", strings.Replace(messages, "user", "assistant", 1)),
		}
	case place%4 == 2:
		return []*commonpb.KeyValue{textPair("gen_ai.operation.name", "execute_tool"), textPair("gen_ai.tool.name", tools[i/traceSpans%len(tools)])}
	}
	return nil
}

// traceID returns the id of the trace of a span.
func traceID(i int) []byte {
	trace := uint64(1)
	if i >= largeTrace {
		trace = uint64(i/traceSpans) + 2
	}
	return binary.BigEndian.AppendUint64(make([]byte, 8), trace)
}

func spanID(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)+1) }

func textPair(key, value string) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: value}}}
}

func intPair(key string, value int64) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: value}}}
}
