package trace

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

const minimalSpan = `"name":"step","context":{"trace_id":"t1","span_id":"s1","trace_state":""},"kind":"SpanKind.INTERNAL",
 "start_time":1742034600000001000,"end_time":"1742034601500000999","status":{"status_code":"StatusCode.OK"},
 "attributes":{},"resource":{"attributes":{},"schema_url":""}`

// spanWith returns the minimal span with further members, which replace those
// with the same name.
func spanWith(members string) string {
	if members != "" {
		members = "," + members
	}
	return "{" + minimalSpan + members + "}"
}

func bulk(spans ...string) string { return `{"spans":[` + strings.Join(spans, ",") + `]}` }

// broken returns the problems as lines of path and type.
func broken(problems *fault.Problems) []string {
	err, _ := errors.AsType[*fault.Error](problems.Err())
	if err == nil {
		return nil
	}
	var lines []string
	for _, f := range err.Fields {
		lines = append(lines, fmt.Sprintf("%s: %s", fault.Path(f.Loc), f.Type))
	}
	return lines
}

func decodeBulk(t testing.TB, body string) Batch {
	t.Helper()
	var problems fault.Problems
	batch := DecodeSpans(check.JSON(body), []any{"body"}, &problems)
	check.OK(t, problems.Err())
	return batch
}

func TestDecodeSpans(t *testing.T) {
	t.Parallel()
	batch := decodeBulk(t, `{"close_after":true,"spans":[{
		"name":"PromptLayer Run","context":{"trace_id":"0AF7651916CD43DD8448EB211C80319C","span_id":"B7AD6B7169203331","trace_state":"a=b"},
		"kind":"SpanKind.CLIENT","parent_id":"00F067AA0BA902B7","start_time":"1742034600000001999","end_time":1742034601500000000,
		"status":{"status_code":"StatusCode.ERROR","description":"it failed"},
		"attributes":{"function_input":"{}"},"events":[{"name":"e","timestamp":"1","attributes":{}}],"links":[{"context":{}}],
		"resource":{"attributes":{"service.name":"app","n":[1]},"schema_url":"https://schema"},"log_request":null,"unknown":1}]}`)
	want := Batch{SpanInput: requests.SpanInput{CloseAfter: true, Logs: []*reqlog.LogInput{nil}, Spans: []*reqlog.Span{{
		TraceID: "0af7651916cd43dd8448eb211c80319c", SpanID: "b7ad6b7169203331", ParentID: "00f067aa0ba902b7", TraceState: "a=b",
		Name: "PromptLayer Run", Kind: reqlog.SpanClient, Status: reqlog.SpanError, StatusMessage: "it failed",
		Start: 1742034600000001, End: 1742034601500000,
		Attributes: []byte(`{"function_input":"{}"}`), Resource: []byte(`{"service.name":"app","n":[1]}`),
		Events: []byte(`[{"name":"e","timestamp":"1","attributes":{}}]`), Links: []byte(`[{"context":{}}]`),
		SchemaURL: "https://schema", LogSpanID: "b7ad6b7169203331",
	}}}}
	if diff := cmp.Diff(want, batch, cmpopts.IgnoreFields(reqlog.Span{}, "Index")); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeLenientSpans(t *testing.T) {
	t.Parallel()
	for _, members := range []string{
		``, `"parent_id":null,"events":null,"links":null`, `"parent_id":""`,
		`"context":{"trace_id":"t","span_id":"not hexadecimal","trace_state":null}`,
		`"context":{"trace_id":"t","span_id":"s"}`,
		`"resource":{"attributes":{"a":1,"b":null},"schema_url":null}`, `"resource":{"attributes":{}}`,
		`"status":{"status_code":"StatusCode.UNSET","description":null}`,
		`"start_time":5000000000,"end_time":"1000000000"`, `"end_time":0`, `"start_time":1742034600000001000.0`,
	} {
		if items := decodeBulk(t, bulk(spanWith(members))).Spans; len(items) != 1 {
			t.Errorf("%s: %d spans", members, len(items))
		}
	}
	check.Equal(t, "no spans", len(decodeBulk(t, `{"spans":[]}`).Spans), 0)
}

func TestDecodeSpansDropsSome(t *testing.T) {
	t.Parallel()
	batch := decodeBulk(t, bulk(
		spanWith(`"name":"openai.OpenAI"`), spanWith(`"name":"first"`), spanWith(`"name":"second"`),
		spanWith(`"name":"other trace","context":{"trace_id":"t2","span_id":"s1"}`),
		spanWith(`"name":"anthropic.Anthropic","context":{"trace_id":"t3","span_id":"s1"}`),
		spanWith(`"name":"openai.OpenAI.chat","context":{"trace_id":"t4","span_id":"s1"}`),
	))
	var names []string
	for _, span := range batch.Spans {
		names = append(names, span.Name)
	}
	check.Equal(t, "names", strings.Join(names, ", "), "first, other trace, openai.OpenAI.chat")
}

const minimalLog = `"provider":"openai","model":"gpt-4o","input":{"type":"chat","messages":[]},"output":{"type":"chat","messages":[]}`

func TestDecodeSpanWithLog(t *testing.T) {
	t.Parallel()
	batch := decodeBulk(t, bulk(
		spanWith(`"log_request":{`+minimalLog+`,"prompt_name":"p"}`),
		spanWith(`"context":{"trace_id":"t1","span_id":"s2"},"log_request":{`+minimalLog+`,"request_start_time":"2025-01-01","request_end_time":1735689601}`),
	))
	log := batch.Logs[0]
	check.Equal(t, "start", log.Log.Start, 1742034600000001)
	check.Equal(t, "end", log.Log.End, 1742034601500000)
	check.Equal(t, "span", log.Log.SpanID, "s1")
	check.Equal(t, "prompt", log.Prompt, reqlog.PromptRef{Name: "p"})
	log = batch.Logs[1]
	check.Equal(t, "start", log.Log.Start, 1735689600000000)
	check.Equal(t, "end", log.Log.End, 1735689601000000)
	check.Equal(t, "span", log.Log.SpanID, "s2")
}

func TestDecodeSpansRefuses(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`[]`:                             "body: dict_type",
		`{}`:                             "spans: missing",
		`{"spans":null}`:                 "spans: missing",
		`{"spans":{}}`:                   "spans: list_type",
		`{"spans":[1]}`:                  "spans[0]: dict_type",
		`{"spans":[],"close_after":"x"}`: "close_after: bool_type",
		`{"spans":[{}]}`: "spans[0].name: missing|spans[0].context: missing|spans[0].kind: missing|" +
			"spans[0].start_time: missing|spans[0].end_time: missing|spans[0].status: missing|" +
			"spans[0].attributes: missing|spans[0].resource: missing",
		bulk(spanWith(`"name":1`)): "spans[0].name: string_type",
		bulk(spanWith(`"context":{"trace_id":"","span_id":5,"trace_state":1}`)): "spans[0].context.trace_id: string_too_short|" +
			"spans[0].context.span_id: string_type|spans[0].context.trace_state: string_type",
		bulk(spanWith(`"context":{"trace_id":"t","span_id":"` + strings.Repeat("x", maxID+1) + `"}`)): "spans[0].context.span_id: string_too_long",
		bulk(spanWith(`"kind":"CLIENT"`)):                                "spans[0].kind: enum",
		bulk(spanWith(`"kind":3`)):                                       "spans[0].kind: string_type",
		bulk(spanWith(`"parent_id":7`)):                                  "spans[0].parent_id: string_type",
		bulk(spanWith(`"start_time":-1`)):                                "spans[0].start_time: greater_than_equal",
		bulk(spanWith(`"start_time":1.5,"end_time":"x"`)):                "spans[0].start_time: int_parsing|spans[0].end_time: int_parsing",
		bulk(spanWith(`"end_time":9223372036854775808`)):                 "spans[0].end_time: int_parsing",
		bulk(spanWith(`"end_time":true`)):                                "spans[0].end_time: int_parsing",
		bulk(spanWith(`"status":{"status_code":"OK"}`)):                  "spans[0].status.status_code: enum",
		bulk(spanWith(`"status":{"description":1}`)):                     "spans[0].status.status_code: missing|spans[0].status.description: string_type",
		bulk(spanWith(`"attributes":[]`)):                                "spans[0].attributes: dict_type",
		bulk(spanWith(`"events":{},"links":"x"`)):                        "spans[0].events: list_type|spans[0].links: list_type",
		bulk(spanWith(`"resource":{"schema_url":""}`)):                   "spans[0].resource.attributes: missing",
		bulk(spanWith(`"log_request":[]`)):                               "spans[0].log_request: dict_type",
		bulk(spanWith(`"log_request":{` + minimalLog + `,"score":101}`)): "spans[0].log_request.score: less_than_equal",
		bulk(spanWith(`"log_request":{`+minimalLog+`,"prompt_version_number":1}`),
			spanWith(`"name":2`)): "spans[0].log_request.prompt_version_number: value_error|spans[1].name: string_type",
		// A span that would be dropped must be valid, too.
		bulk(spanWith(`"name":"openai.OpenAI","kind":"x"`)): "spans[0].kind: enum",
	} {
		var problems fault.Problems
		DecodeSpans(check.JSON(body), []any{"body"}, &problems)
		check.Equal(t, body, strings.Join(broken(&problems), "|"), want)
	}
}

func TestDecodeSpansBoundsAttributes(t *testing.T) {
	t.Parallel()
	many := `{"a":{` + strings.TrimSuffix(strings.Repeat(`"k":0,`, maxValues), ",") + `}}`
	long := `{"` + strings.Repeat("ü", maxKey+1) + `":1}`
	for members, want := range map[string]string{
		`"attributes":` + many:                   "spans[0].attributes: too_long",
		`"attributes":` + long:                   "spans[0].attributes: string_too_long",
		`"events":[{"attributes":` + long + `}]`: "spans[0].events: string_too_long",
		`"resource":{"attributes":` + long + `}`: "spans[0].resource.attributes: string_too_long",
	} {
		var problems fault.Problems
		DecodeSpans(check.JSON(bulk(spanWith(members))), []any{"body"}, &problems)
		check.Equal(t, members[:20], strings.Join(broken(&problems), "|"), want)
	}
	longest := `{"` + strings.Repeat("ü", maxKey) + `":"` + strings.Repeat("x", 1<<20) + `"}`
	check.Equal(t, "longest key", len(decodeBulk(t, bulk(spanWith(`"attributes":`+longest))).Spans), 1)
}
