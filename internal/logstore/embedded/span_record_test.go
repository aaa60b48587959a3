package embedded

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/reqlog"
)

func wholeSpan() *reqlog.Span {
	return &reqlog.Span{
		Workspace: 7, TraceID: "t", SpanID: "s", ParentID: "p", TraceState: "a=b", Name: "n\x00é", Kind: reqlog.SpanClient, Status: reqlog.SpanError,
		StatusMessage: "failed", Start: -5, End: 1 << 60, Attributes: []byte(`{"a":1}`), Resource: []byte(`{"r":2}`), Events: []byte(`[{}]`), Links: []byte(`[{}]`),
		SchemaURL: "https://example.com/schema", LogSpanID: "other",
		Index: reqlog.SpanIndex{
			Type: "LLM_CALL", ToolName: "tool", Model: "m", User: "u", Session: "c", Workflow: 3, WorkflowVersion: 4,
			OutputText: strings.Repeat("out", 1000), ExceptionText: "exception",
		},
	}
}

func TestSpanRecord(t *testing.T) {
	for _, want := range []*reqlog.Span{wholeSpan(), {Workspace: 1, TraceID: "t", SpanID: "s"}} {
		got, err := decodeSpan(appendSpan(nil, want, want.Key()))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v, %+v", err, got)
		}
	}
}

// Records from before heads had a version.
func TestSpanRecordWithDocument(t *testing.T) {
	want := wholeSpan()
	for _, logSpan := range []string{"other", ""} {
		document := map[string]any{
			"trace_id": "t", "span_id": "s", "parent_id": "p", "trace_state": "a=b", "name": "n\x00é", "kind": "CLIENT", "status": "ERROR", "status_message": "failed",
			"start": -5, "end": int64(1 << 60), "schema_url": "https://example.com/schema", "log_span_id": logSpan, "index": want.Index,
		}
		head, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		r := appendPart(appendHeader(nil, recordSpan, want.Key(), want.Workspace), head)
		for _, part := range [][]byte{want.Attributes, want.Resource, want.Events, want.Links} {
			r = appendPart(r, part)
		}
		if logSpan == "" {
			want.LogSpanID = want.SpanID
		}
		got, err := decodeSpan(r)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v, %+v", err, got)
		}
	}
}

func TestMalformedSpanRecord(t *testing.T) {
	head := appendSpanHead(nil, wholeSpan())
	for cut := range head {
		r := appendPart(appendHeader(nil, recordSpan, 1, 1), head[:cut])
		for range spanPartCount - 1 {
			r = appendPart(r, "")
		}
		if _, err := decodeSpan(r); !errors.Is(err, errRecord) {
			t.Fatalf("a head of %d bytes: %v", cut, err)
		}
	}
}
