package trace

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// spanOf returns a span with these attributes.
func spanOf(attributes string) *reqlog.Span {
	return &reqlog.Span{
		TraceID: "t", SpanID: "s", Name: "span", Kind: reqlog.SpanClient, Status: reqlog.SpanUnset,
		Start: 1742034600000000, End: 1742034601500000, Attributes: []byte(attributes),
	}
}

// describe returns the log of a span as lines, one for each fact that is there.
func describe(t testing.TB, span *reqlog.Span) string {
	t.Helper()
	in, ok := LogOf(span)
	if !ok {
		return "no log"
	}
	return describeLog(t, in)
}

func describeLog(t testing.TB, in *reqlog.LogInput) string {
	t.Helper()
	checkLog(t, in)
	l := in.Log
	lines := []string{strings.TrimSpace(fmt.Sprintf("%s %s %s %s", l.Provider, l.Engine, l.APIType, l.FunctionName))}
	add := func(name, text string) {
		if text != "" {
			lines = append(lines, name+": "+text)
		}
	}
	add("usage", describeUsage(l.Usage))
	if l.Price.Known() {
		add("price", fmt.Sprintf("%v %s", l.Price.USD, l.Price.Source))
	}
	add("parameters", string(l.Parameters))
	add("tools", string(check.JSON(string(l.Input)).Get("tools").Raw()))
	for _, part := range []struct {
		name     string
		template json.RawMessage
	}{{"in", l.Input}, {"out", l.Output}} {
		for _, m := range check.JSON(string(part.template)).Get("messages").Elems() {
			add(part.name, describeMessage(m))
		}
	}
	add("error", strings.TrimSpace(l.ErrorType+" "+l.ErrorMessage))
	for _, m := range l.Metadata {
		add("metadata", m.Key+"="+string(m.Value))
	}
	add("tags", strings.Join(l.Tags, ","))
	if in.PromptGiven {
		add("prompt", fmt.Sprintf("%+v", in.Prompt))
	}
	return strings.Join(lines, "\n")
}

func describeUsage(u provider.Usage) string {
	var parts []string
	for _, part := range []struct {
		name  string
		count provider.Count
	}{{"in", u.Input}, {"out", u.Output}, {"read", u.CacheRead}, {"write", u.CacheWrite}, {"reasoning", u.Reasoning}} {
		if part.count.Given {
			parts = append(parts, fmt.Sprintf("%s %d", part.name, part.count.N))
		}
	}
	return strings.Join(parts, ", ")
}

func describeMessage(m jsontree.Value) string {
	parts := []string{m.Get("role").Str()}
	if id := m.Get("tool_call_id"); id.Given() {
		parts[0] += "(" + id.Str() + ")"
	}
	for _, b := range m.Get("content").Elems() {
		kind := b.Get("type").Str()
		text := asText(b.Get(kind))
		if signature := b.Get("signature"); signature.Given() {
			text += " signed " + signature.Str()
		}
		parts = append(parts, kind+" "+text)
	}
	for _, c := range m.Get("tool_calls").Elems() {
		parts = append(parts, fmt.Sprintf("call %s %s(%s)", c.Get("id").Str(), c.Get("function").Get("name").Str(), c.Get("function").Get("arguments").Str()))
	}
	return strings.Join(parts, " | ")
}

// checkLog fails unless the rules of logs accept a log: as the body of a logging
// call, it is the same log.
func checkLog(t testing.TB, in *reqlog.LogInput) {
	t.Helper()
	l := in.Log
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		// An unknown provider and model are valid only in logs of recorded calls.
		w.Key("provider").String(l.Provider + "x")
		w.Key("model").String(l.Engine + "x")
		w.Key("input").Raw(l.Input)
		w.Key("output").Raw(l.Output)
		w.Key("parameters").RawOr(l.Parameters, "{}")
		w.Key("tags").Strings(l.Tags)
		w.Key("metadata").Object(func() {
			for _, m := range l.Metadata {
				w.Key(m.Key).Raw(m.Value)
			}
		})
		w.Key("status").String(l.Status)
		w.Key("error_type").StringOrNull(l.ErrorType)
		w.Key("error_message").StringOrNull(l.ErrorMessage)
	})
	body, err := jsontree.Parse(w.Bytes())
	check.OK(t, err)
	var problems fault.Problems
	again := reqlog.DecodeSpanLog(body, []any{"body"}, l.Start, l.End, &problems)
	check.OK(t, problems.Err())
	again.Derive()
	in.Derive()
	check.Equal(t, "index", in.Log.Index, again.Log.Index)
}

// checkLogs compares the logs of spans, given by their attributes.
func checkLogs(t *testing.T, cases map[string]string) {
	t.Helper()
	for _, attributes := range slices.Sorted(maps.Keys(cases)) {
		check.Equal(t, attributes, describe(t, spanOf(attributes)), cases[attributes])
	}
}

func TestWhichSpansBecomeLogs(t *testing.T) {
	t.Parallel()
	for attributes, want := range map[string]bool{
		`{}`:                             false,
		`{"http.method":"GET"}`:          false,
		`{"gen_ai.request.model":"m"}`:   true,
		`{"gen_ai.response.model":"m"}`:  true,
		`{"gen_ai.request.model":""}`:    false,
		`{"gen_ai.provider.name":"p"}`:   false,
		`{"gen_ai.input.messages":"hi"}`: false,
		`{"gen_ai.provider.name":"p","gen_ai.input.messages":"hi"}`: true,
		`{"gen_ai.system":"p","gen_ai.completion.0.content":"hi"}`:  true,

		`{"gen_ai.operation.name":"chat","gen_ai.input.messages":"hi"}`:              true,
		`{"gen_ai.operation.name":"chat"}`:                                           false,
		`{"gen_ai.operation.name":"CHAT","gen_ai.request.model":"m"}`:                true,
		`{"gen_ai.operation.name":"text_completion","gen_ai.request.model":"m"}`:     true,
		`{"gen_ai.operation.name":"completion","gen_ai.request.model":"m"}`:          true,
		`{"gen_ai.operation.name":"generate_content","gen_ai.request.model":"m"}`:    true,
		`{"gen_ai.operation.name":"embeddings","gen_ai.request.model":"m"}`:          true,
		`{"gen_ai.operation.name":"messages","gen_ai.request.model":"m"}`:            true,
		`{"gen_ai.operation.name":"responses","gen_ai.request.model":"m"}`:           true,
		`{"gen_ai.operation.name":"interactions.create","gen_ai.request.model":"m"}`: true,
		`{"gen_ai.operation.name":"execute_tool","gen_ai.request.model":"m"}`:        false,
		`{"gen_ai.operation.name":"invoke_agent","gen_ai.request.model":"m"}`:        false,
		`{"gen_ai.operation.name":"create_agent","gen_ai.request.model":"m"}`:        false,
		`{"gen_ai.operation.name":"invoke_workflow","gen_ai.request.model":"m"}`:     false,
		`{"gen_ai.request.model":"m","promptlayer.request_log.managed":true}`:        false,
		`{"gen_ai.request.model":"m","promptlayer.request_log.managed":"true"}`:      false,
		`{"gen_ai.request.model":"m","promptlayer.request_log.managed":false}`:       true,
		`{"llm.model_name":"m"}`:                                                                                                     true,
		`{"llm.model_name":"m","openinference.span.kind":"LLM"}`:                                                                     true,
		`{"input.value":"hi","openinference.span.kind":"LLM"}`:                                                                       true,
		`{"llm.model_name":"m","openinference.span.kind":"CHAIN"}`:                                                                   false,
		`{"llm.model_name":"m","openinference.span.kind":"AGENT"}`:                                                                   false,
		`{"input.value":"hi","openinference.span.kind":"TOOL","llm.provider":"p"}`:                                                   false,
		`{"input.value":"hi","llm.provider":"p"}`:                                                                                    false,
		`{"llm.request.model":"m"}`:                                                                                                  true,
		`{"gen_ai.request.model":"m","llm.request.type":"chat"}`:                                                                     true,
		`{"gen_ai.request.model":"m","llm.request.type":"rerank"}`:                                                                   false,
		`{"gen_ai.request.model":"m","traceloop.span.kind":"workflow"}`:                                                              false,
		`{"ai.model.id":"m"}`:                                                                                                        true,
		`{"ai.model.id":"m","ai.operationId":"ai.generateText"}`:                                                                     false,
		`{"ai.model.id":"m","ai.operationId":"ai.generateText.doGenerate"}`:                                                          true,
		`{"ai.model.id":"m","ai.operationId":"ai.streamText.doStream"}`:                                                              true,
		`{"ai.model.id":"m","ai.operationId":"ai.embedMany"}`:                                                                        false,
		`{"ai.model.id":"m","operation.name":"ai.streamText my-function"}`:                                                           false,
		`{"ai.model.id":"m","operation.name":"ai.streamText.doStream my-function"}`:                                                  true,
		`{"otel.scope.name":"gen_ai","gen_ai.operation.name":"embeddings","gen_ai.request.model":"m"}`:                               false,
		`{"otel.scope.name":"gen_ai","gen_ai.operation.name":"embeddings","gen_ai.request.model":"m","gen_ai.usage.input_tokens":3}`: true,
	} {
		_, got := LogOf(spanOf(attributes))
		check.Equal(t, attributes, got, want)
	}
}

func TestProviders(t *testing.T) {
	t.Parallel()
	cases := map[string]string{}
	for sent, want := range map[string]string{
		"openai": "openai m  openai.chat.completions.create", "OpenAI": "openai m  openai.chat.completions.create",
		"anthropic": "anthropic m  anthropic.messages.create", "Anthropic": "anthropic m  anthropic.messages.create",
		"gemini": "google m  google.model.generate_content", "gcp.gemini": "google m  google.model.generate_content",
		"gcp.gen_ai": "google m  google.model.generate_content", "vertex_ai": "vertexai m  google.model.generate_content",
		"gcp.vertex_ai": "vertexai m  google.model.generate_content", "aws.bedrock": "amazon.bedrock m  boto3.bedrock-runtime.converse",
		"azure.ai.openai": "openai.azure m  openai.chat.completions.create", "openai.responses": "openai m responses openai.responses.create",
		"openai.chat": "openai m  openai.chat.completions.create", "azure.responses": "openai.azure m responses openai.responses.create",
		"google.generative-ai": "google m  google.model.generate_content", "anthropic.messages": "anthropic m  anthropic.messages.create",
		"mistral_ai": "mistral m  mistral.chat", "Groq": "Groq m  Groq.chat", "my.own": "my.own m  my.own.chat",
	} {
		cases[fmt.Sprintf(`{"gen_ai.request.model":"m","gen_ai.provider.name":%q}`, sent)] = want
	}
	for attributes, want := range map[string]string{
		`{"gen_ai.request.model":"m"}`:                                                                    "m  chat",
		`{"gen_ai.request.model":"gpt-4o"}`:                                                               "openai gpt-4o  openai.chat.completions.create",
		`{"gen_ai.request.model":"claude-3-5-sonnet"}`:                                                    "anthropic claude-3-5-sonnet  anthropic.messages.create",
		`{"gen_ai.request.model":"vertex_ai/gemini-2"}`:                                                   "vertexai vertex_ai/gemini-2  google.model.generate_content",
		`{"gen_ai.request.model":"gpt-5","gen_ai.system":"unknown"}`:                                      "openai gpt-5  openai.chat.completions.create",
		`{"gen_ai.request.model":"some/gpt-4o"}`:                                                          "some/gpt-4o  chat",
		`{"gen_ai.system":"a","gen_ai.provider.name":"b","gen_ai.request.model":"m"}`:                     "b m  b.chat",
		`{"promptlayer.provider.type":"c","gen_ai.provider.name":"b","gen_ai.request.model":"m"}`:         "c m  c.chat",
		`{"gen_ai.response.model":"long","gen_ai.request.model":"m"}`:                                     "m  chat",
		`{"gen_ai.operation.name":"embeddings","gen_ai.system":"openai","gen_ai.request.model":"m"}`:      "openai m embeddings openai.embeddings.create",
		`{"promptlayer.api.type":"responses","gen_ai.system":"openai","gen_ai.request.model":"m"}`:        "openai m responses openai.responses.create",
		`{"gen_ai.operation.name":"text_completion","gen_ai.system":"openai","gen_ai.request.model":"m"}`: "openai m  openai.completions.create",
		`{"gen_ai.operation.name":"embeddings","gen_ai.system":"cohere","gen_ai.request.model":"m"}`:      "cohere m embeddings cohere.embeddings",
	} {
		cases[attributes] = want
	}
	checkLogs(t, cases)
}

func TestUsage(t *testing.T) {
	t.Parallel()
	cases := map[string]string{}
	for attributes, want := range map[string]string{
		`"gen_ai.usage.input_tokens":10,"gen_ai.usage.output_tokens":"5"`:                                                      "in 10, out 5",
		`"gen_ai.usage.prompt_tokens":10,"gen_ai.usage.completion_tokens":5`:                                                   "in 10, out 5",
		`"gen_ai.usage.input_tokens":1,"gen_ai.usage.prompt_tokens":10`:                                                        "in 1",
		`"gen_ai.usage.input_tokens":0,"gen_ai.usage.output_tokens":0`:                                                         "in 0, out 0",
		`"gen_ai.usage.input_tokens":10,"gen_ai.usage.cache_read.input_tokens":4,"gen_ai.usage.cache_creation.input_tokens":2`: "in 10, read 4, write 2",
		`"gen_ai.usage.input_tokens":10,"gen_ai.usage.cache_read_input_tokens":40`:                                             "in 50, read 40",
		`"gen_ai.usage.output_tokens":10,"gen_ai.usage.reasoning.output_tokens":4`:                                             "out 10, reasoning 4",
		`"gen_ai.usage.output_tokens":10,"gen_ai.usage.reasoning_tokens":40`:                                                   "out 50, reasoning 40",
		`"openclaw.usage.cache_read_tokens":4,"gen_ai.usage.input_tokens":10`:                                                  "in 10, read 4",
		`"gen_ai.usage.input_tokens":10,"gen_ai.usage.total_tokens":15`:                                                        "in 10, out 5",
		`"gen_ai.usage.input_tokens":-1,"gen_ai.usage.output_tokens":1.5`:                                                      "",
		`"gen_ai.usage.input_tokens":99999999999,"gen_ai.usage.output_tokens":true`:                                            "",
		`"llm.token_count.prompt":10,"llm.token_count.completion":5,"llm.token_count.prompt_details.cache_read":1,"llm.token_count.prompt_details.cache_write":2,"llm.token_count.completion_details.reasoning":3`: "in 10, out 5, read 1, write 2, reasoning 3",
		`"llm.usage.prompt_tokens":10,"llm.usage.completion_tokens":5,"llm.usage.reasoning_tokens":3`:                                                                                                              "in 10, out 5, reasoning 3",
		`"llm.usage.prompt_tokens":10,"llm.usage.total_tokens":12`:                                                                                                                                                 "in 10, out 2",
		`"ai.usage.promptTokens":10,"ai.usage.completionTokens":5`:                                                                                                                                                 "in 10, out 5",
		`"ai.usage.inputTokens":10,"ai.usage.outputTokens":5,"ai.usage.cachedInputTokens":4,"ai.usage.reasoningTokens":3`:                                                                                          "in 10, out 5, read 4, reasoning 3",
		`"ai.usage.tokens":3`: "in 3",
	} {
		cases[`{"gen_ai.request.model":"m",`+attributes+`}`] = strings.TrimSuffix("m  chat\nusage: "+want, "\nusage: ")
	}
	for attributes, want := range map[string]string{
		`"gen_ai.usage.cost":0.25`: "0.25 sent", `"gen_ai.usage.cost":0`: "0 sent", `"gen_ai.usage.cost":-0.0`: "0 sent", `"llm.cost.total":3`: "3 sent",
		`"gen_ai.usage.cost":-1`: "", `"gen_ai.usage.cost":1e16`: "", `"gen_ai.usage.cost":"x"`: "",
	} {
		cases[`{"gen_ai.request.model":"m",`+attributes+`}`] = strings.TrimSuffix("m  chat\nprice: "+want, "\nprice: ")
	}
	checkLogs(t, cases)
}
