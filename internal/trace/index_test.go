package trace

import (
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/reqlog"
)

func TestIndex(t *testing.T) {
	t.Parallel()
	for attributes, want := range map[string]reqlog.SpanIndex{
		``:   {},
		`{}`: {},
		`{"node_type":"CODE_EXECUTION","workflow_id":7,"workflow_version_number":"2"}`: {Type: "CODE_EXECUTION", Workflow: 7, WorkflowVersion: 2},
		`{"workflow_id":"x","workflow_version":2}`:                                     {},
		`{"node_type":"PROMPT_TEMPLATE","gen_ai.request.model":"m"}`:                   {Type: "PROMPT_TEMPLATE", Model: "m"},
		`{"gen_ai.request.model":"m","user.id":"u","session.id":"s"}`:                  {Type: LLMCall, Model: "m", User: "u", Session: "s"},
		`{"promptlayer.request_log.managed":true}`:                                     {Type: LLMCall},
		`{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"f","gen_ai.tool.call.arguments":"{\"a\":1}","gen_ai.tool.call.result":"5"}`: {
			Type: "TOOL", ToolName: "f", OutputText: "5"},
		`{"gen_ai.operation.name":"invoke_agent","gen_ai.request.model":"m","gen_ai.input.messages":"Hi"}`: {Type: "AGENT", Model: "m"},
		`{"openinference.span.kind":"RETRIEVER","input.value":"q","output.value":"d"}`:                     {Type: "RETRIEVER", OutputText: "d"},
		`{"openinference.span.kind":"LLM"}`:                                                                {Type: LLMCall},
		`{"traceloop.span.kind":"tool","traceloop.entity.name":"f","traceloop.entity.input":"{}","traceloop.entity.output":"5"}`: {
			Type: "TOOL", ToolName: "f", OutputText: "5"},
		`{"traceloop.span.kind":"workflow","traceloop.entity.name":"w","traceloop.association.properties.session_id":"s"}`: {Type: "WORKFLOW", Session: "s"},
		`{"ai.operationId":"ai.toolCall","ai.toolCall.name":"f","ai.toolCall.args":"{}","ai.toolCall.result":"5"}`:         {Type: "TOOL", ToolName: "f", OutputText: "5"},
		`{"ai.operationId":"ai.generateText","ai.prompt":"{\"prompt\":\"Hi\"}","ai.response.text":"Hello","ai.model.id":"m"}`: {
			Model: "m", OutputText: "Hello"},
		`{"tool.name":"a","tool_name":"b"}`:                    {ToolName: "a"},
		`{"function_input":"[1]","function_output":"{}"}`:      {OutputText: "{}"},
		`{"user.id":7,"session.id":true}`:                      {User: "7", Session: "true"},
		`{"user.id":"u","promptlayer.metadata.user_id":"own"}`: {User: "own"},
		`{"gen_ai.request.model":"m","gen_ai.output.messages":[{"role":"assistant","parts":[{"type":"reasoning","content":"Hm"},{"type":"text","content":"Hello"},{"type":"tool_call","name":"f","arguments":{}}]}]}`: {
			Type: LLMCall, Model: "m", OutputText: "Hello\n\nf {}"},
	} {
		check.Equal(t, attributes, Index(spanOf(attributes), nil), want)
	}
	span := spanOf(`{}`)
	span.Name = "Tool: search "
	check.Equal(t, "tool in the name", Index(span, nil).ToolName, "search")
}

func TestIndexOfExceptions(t *testing.T) {
	t.Parallel()
	span := spanOf(`{}`)
	span.Status, span.StatusMessage = reqlog.SpanError, "it failed"
	check.Equal(t, "status", Index(span, nil).ExceptionText, "it failed")
	span.Events = []byte(`[{"name":"exception","attributes":{"exception.type":"E","exception.message":"m","exception.stacktrace":"at x"}},{"name":"exception","attributes":{"exception.message":"n"}}]`)
	check.Equal(t, "events", Index(span, nil).ExceptionText, "E\nm\nat x\nn")
	span.Status, span.StatusMessage, span.Events = reqlog.SpanOK, "fine", nil
	check.Equal(t, "no error", Index(span, nil).ExceptionText, "")
}

func TestIndexIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1<<20)
	span := spanOf(`{"input.value":"` + long + `","gen_ai.output.messages":[{"role":"assistant","content":"` + long + `"},{"role":"assistant","content":"more"}],"user.id":"` + long + `","node_type":"` + long + `"}`)
	span.Status, span.StatusMessage, span.Name = reqlog.SpanError, long, "Tool: "+long
	x := Index(span, nil)
	for _, text := range []string{x.OutputText, x.ExceptionText} {
		check.Equal(t, "text", text, strings.Repeat("é", maxIndexText/2))
	}
	for _, name := range []string{x.User, x.Type, x.ToolName} {
		check.Equal(t, "name", name, strings.Repeat("é", maxNames))
	}
}

func TestLogsOfManagedSpans(t *testing.T) {
	t.Parallel()
	for attributes, want := range map[string]string{
		`{}`: "b7ad6b7169203331",
		`{"promptlayer.request_log.managed":true}`:                                                      "b7ad6b7169203331",
		`{"promptlayer.request_log.managed":true,"promptlayer.request_log.span_id":"00F067AA0BA902B7"}`: "00f067aa0ba902b7",
		`{"promptlayer.request_log.span_id":"00f067aa0ba902b7"}`:                                        "b7ad6b7169203331",
	} {
		span := spanWith(`"context":{"trace_id":"t","span_id":"b7ad6b7169203331"},"attributes":` + attributes)
		batch := decodeBulk(t, bulk(span))
		check.Equal(t, attributes, batch.Spans[0].LogSpanID, want)
		check.Equal(t, "has a log", batch.Logs[0] != nil, false)
	}
}

func TestSpansWithLogsAreIndexed(t *testing.T) {
	t.Parallel()
	log := `"log_request":{` + minimalLog + `,"input":{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]},"output":{"type":"chat","messages":[{"role":"assistant","content":[{"type":"text","text":"Hello"}]}]}}`
	got := decodeBulk(t, bulk(spanWith(log))).Spans[0].Index
	check.Equal(t, "index", got, reqlog.SpanIndex{Type: LLMCall, Model: "gpt-4o", OutputText: "Hello"})
	// Spans in our format become logs only with log_request.
	batch := decodeBulk(t, bulk(spanWith(`"attributes":{"gen_ai.request.model":"m"}`)))
	check.Equal(t, "has a log", batch.Logs[0] != nil, false)
	check.Equal(t, "model", batch.Spans[0].Index.Model, "m")
}

func TestDecodedSpansHaveTheirLogs(t *testing.T) {
	t.Parallel()
	batch := decodedJSON(t, jsonSpans(
		jsonSpan(`,"attributes":[{"key":"gen_ai.request.model","value":{"stringValue":"m"}}]`),
		jsonSpan(`,"spanId":"00f067aa0ba902b7"`),
	))
	check.Equal(t, "model", batch.Logs[0].Log.Engine, "m")
	check.Equal(t, "span of the log", batch.Logs[0].Log.SpanID, "b7ad6b7169203331")
	check.Equal(t, "type", batch.Spans[0].Index.Type, LLMCall)
	check.Equal(t, "other span has a log", batch.Logs[1] != nil, false)
}
