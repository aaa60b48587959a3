package trace

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

func FuzzDecodeSpans(f *testing.F) {
	f.Add([]byte(bulk(spanWith(""), spanWith(`"log_request":{`+minimalLog+`}`))))
	f.Add([]byte(`{"spans":[{"context":[],"resource":7,"status":null,"events":{"a":[[]]}}],"close_after":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		body, err := jsontree.Parse(text)
		if err != nil {
			return
		}
		var problems fault.Problems
		batch := DecodeSpans(body, []any{"body"}, &problems)
		if !problems.Any() {
			checkBatch(t, batch)
		}
	})
}

func FuzzDecodeJSON(f *testing.F) {
	f.Add([]byte(camelRequest))
	f.Add([]byte(snakeRequest))
	f.Add([]byte(jsonSpans(jsonSpan(`,"attributes":[{"key":"k","value":{"arrayValue":[]}}]`))))
	f.Fuzz(func(t *testing.T, text []byte) {
		if batch, err := DecodeOTLP(JSON, text); err == nil {
			checkBatch(t, batch)
		}
	})
}

func FuzzDecodeProtobuf(f *testing.F) {
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: fullMessage()})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(body)
	f.Fuzz(func(t *testing.T, text []byte) {
		checkReference(t, text)
		if batch, err := DecodeOTLP(Protobuf, text); err == nil {
			checkBatch(t, batch)
		}
	})
}

// FuzzLogOf reads any attributes and events, most of which real libraries never
// send.
func FuzzLogOf(f *testing.F) {
	for _, attributes := range []string{
		quoted(`"gen_ai.input.messages":[{"role":"user","parts":[{"type":"tool_call_response","response":[{"type":"x"}]}]}]`),
		quoted(`"gen_ai.prompt.0.tool_calls.0.name":"f","gen_ai.prompt.0":7,"gen_ai.prompt.0.content":"[{\"type\":\"tool_result\"}]"`),
		quoted(`"llm.input_messages.0.message.contents.1.message_content.image.image.url":"u","llm.tools.0.tool.json_schema":"{\"name\":\"n\"}"`),
		quoted(`"ai.prompt.messages":"[[],{},1]","ai.response.toolCalls":"[{}]","promptlayer.metadata.a":{"b":[1]},"tag.tags":["a",1]`),
	} {
		f.Add([]byte(attributes), []byte(`[{"name":"gen_ai.choice","attributes":{"message":"{}"}},{"name":"exception","attributes":{"exception.type":"E"}}]`))
	}
	f.Fuzz(func(t *testing.T, attributes, events []byte) {
		span := spanOf(string(attributes))
		span.Events, span.Status = events, reqlog.SpanError
		if in, ok := LogOf(span); ok {
			checkLog(t, in)
		}
		x := Index(span, nil)
		for _, text := range []string{x.OutputText, x.ExceptionText, x.ToolName, x.Model, x.User, x.Session, x.Type} {
			if len(text) > maxIndexText || !utf8.ValidString(text) {
				t.Fatalf("an index text of %d bytes", len(text))
			}
		}
	})
}

// checkBatch fails unless the spans of a batch can be stored.
func checkBatch(t *testing.T, batch Batch) {
	t.Helper()
	if (batch.Rejected > 0) != (batch.Reason != "") {
		t.Fatalf("%d rejected spans for the reason %q", batch.Rejected, batch.Reason)
	}
	for i, s := range batch.Spans {
		if s.TraceID == "" || s.SpanID == "" || s.LogSpanID == "" || s.Kind == "" || s.Status == "" || s.Start < 0 || s.End < 0 {
			t.Fatalf("incomplete span: %+v", s)
		}
		if log := batch.Logs[i]; log != nil {
			checkLog(t, log)
		}
		for _, text := range []json.RawMessage{s.Attributes, s.Resource, s.Events, s.Links} {
			if text != nil && !json.Valid(text) {
				t.Fatalf("invalid JSON: %s", text)
			}
		}
	}
}
