package client_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider/client"
)

// TestToolCalls expects the same blueprint calls from all providers.
func TestToolCalls(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		call         client.Call
		answer, want string
	}{
		"openai": {
			call: client.Call{Provider: "openai", Model: "gpt-4o", Arguments: []byte(`{"messages":[]}`)},
			answer: `{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"t1","type":"function",` +
				`"function":{"name":"look","arguments":"{\"q\":1}"}}]},"finish_reason":"tool_calls"}]}`,
			want: `[{"id":"t1","type":"function","function":{"name":"look","arguments":"{\"q\":1}"}}]`,
		},
		"responses": {
			call:   client.Call{Provider: "openai", API: "responses", Model: "gpt-4o", Arguments: []byte(`{"input":"x"}`)},
			answer: `{"status":"completed","output":[{"type":"function_call","id":"f1","call_id":"t1","name":"look","arguments":"{\"q\":1}"}]}`,
			want:   `[{"id":"t1","type":"function","function":{"name":"look","arguments":"{\"q\":1}"},"tool_id":"f1"}]`,
		},
		"anthropic": {
			call:   client.Call{Provider: "anthropic", Model: "c", Arguments: []byte(`{"messages":[]}`)},
			answer: `{"content":[{"type":"tool_use","id":"t1","name":"look","input":{"q":1}}],"stop_reason":"tool_use"}`,
			want:   `[{"id":"t1","type":"function","function":{"name":"look","arguments":"{\"q\":1}"}}]`,
		},
		"google": {
			call:   client.Call{Provider: "google", Model: "g", Arguments: []byte(`{"history":[]}`)},
			answer: `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"t1","name":"look","args":{"q":1}}}]},"finishReason":"STOP"}]}`,
			want:   `[{"id":"t1","type":"function","function":{"name":"look","arguments":"{\"q\":1}"}}]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, reply{body: test.answer})
			done := complete(t, newService(client.Options{Keys: operated(server.URL)}), test.call)
			sameJSON(t, "tool calls", done.ToolCalls, test.want)
			same(t, "text", done.Text, "")
		})
	}
}

// TestStructuredAnswers requests JSON from each provider.
func TestStructuredAnswers(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"json_schema","json_schema":{"name":"n","schema":{}}}`
	openAI := func(text string) string {
		return `{"choices":[{"message":{"role":"assistant","content":` + text + `}}]}`
	}
	for name, test := range map[string]struct {
		call   client.Call
		answer string
		want   string
	}{
		"not asked for": {
			call:   client.Call{Provider: "openai", Arguments: []byte(`{"messages":[],"response_format":{"type":"text"}}`)},
			answer: openAI(`"{\"a\":1}"`), want: `"{\"a\":1}"`,
		},
		"schema":       {client.Call{Provider: "openai", Arguments: []byte(`{"messages":[],"response_format":` + schema + `}`)}, openAI(`" {\"a\":1.0} "`), `{"a":1.0}`},
		"object":       {client.Call{Provider: "mistral", Arguments: []byte(`{"messages":[],"response_format":{"type":"json_object"}}`)}, openAI(`"[]"`), `[]`},
		"not complied": {client.Call{Provider: "openai", Arguments: []byte(`{"messages":[],"response_format":` + schema + `}`)}, openAI(`"{\"a\":"`), `"{\"a\":"`},
		"no text":      {client.Call{Provider: "openai", Arguments: []byte(`{"messages":[],"response_format":` + schema + `}`)}, openAI(`null`), `""`},
		"responses": {
			call:   client.Call{Provider: "openai", API: "responses", Arguments: []byte(`{"input":"x","text":{"format":{"type":"json_schema"}}}`)},
			answer: `{"status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"{\"a\":1}"}]}]}`,
			want:   `{"a":1}`,
		},
		"anthropic": {
			call:   client.Call{Provider: "anthropic", Arguments: []byte(`{"messages":[],"output_config":{"format":{"type":"json_schema","schema":{}}}}`)},
			answer: `{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"{\"a\""},{"type":"text","text":":1}"}]}`, want: `{"a":1}`,
		},
		"google": {
			call:   client.Call{Provider: "google", Arguments: []byte(`{"history":[],"generation_config":{"response_mime_type":"application/json"}}`)},
			answer: `{"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"{\"a\":1}"}]}}]}`, want: `{"a":1}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, reply{body: test.answer})
			test.call.Model = "m"
			done := complete(t, newService(client.Options{Keys: operated(server.URL)}), test.call)
			value := done.Structured
			if value == nil {
				value = jsontree.AppendQuoted(nil, done.Text)
			}
			same(t, "value", string(value), test.want)
		})
	}
}

// TestTemplates checks the templates of the request log.
func TestTemplates(t *testing.T) {
	t.Parallel()
	server := newStandIn(t, reply{body: chatAnswer})
	done := complete(t, newService(client.Options{Keys: operated(server.URL)}), client.Call{
		Provider: "openai", API: "chat-completions",
		Arguments: []byte(`{"messages":[{"role":"user","content":"Hi"}],"model":"gpt-4o","temperature":0.5}`),
	})
	sameJSON(t, "parameters", done.Parameters, `{"temperature":0.5}`)
	same(t, "model", done.Engine, "gpt-4o")
	for what, template := range map[string][]byte{"input": done.Input, "output": done.Output} {
		messages := decoded(t, string(template)).(map[string]any)["messages"].([]any)
		same(t, what, len(messages), 1)
	}
}
