package trace

import (
	"encoding/json"
	"testing"

	"google.golang.org/protobuf/proto"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
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
		if batch, err := DecodeOTLP(Protobuf, text); err == nil {
			checkBatch(t, batch)
		}
	})
}

// checkBatch fails unless the spans of a batch can be stored.
func checkBatch(t *testing.T, batch Batch) {
	t.Helper()
	if (batch.Rejected > 0) != (batch.Reason != "") {
		t.Fatalf("%d rejected spans for the reason %q", batch.Rejected, batch.Reason)
	}
	for _, item := range batch.Items {
		s := item.Span
		if s.TraceID == "" || s.SpanID == "" || s.LogSpanID == "" || s.Kind == "" || s.Status == "" || s.Start < 0 || s.End < 0 {
			t.Fatalf("incomplete span: %+v", s)
		}
		for _, text := range []json.RawMessage{s.Attributes, s.Resource, s.Events, s.Links} {
			if text != nil && !json.Valid(text) {
				t.Fatalf("invalid JSON: %s", text)
			}
		}
	}
}
