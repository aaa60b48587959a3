package client_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/client"
)

// streamed is an answer with and without streaming.
type streamed struct {
	call   client.Call
	whole  string
	events []string
	path   string
	text   string
	thinks string
}

var streams = map[string]streamed{
	"openai": {
		call: client.Call{Provider: "openai", Model: "gpt-4o", Arguments: []byte(`{"messages":[]}`)}, path: "/v1/chat/completions",
		text: "Hello there", thinks: "Hm. Well.",
		whole: `{"id":"c1","created":1,"model":"gpt-4o","choices":[{"index":0,"message":{"role":"assistant","reasoning_content":"Hm. Well.",` +
			`"content":"Hello there","tool_calls":[{"id":"t1","type":"function","function":{"name":"look","arguments":"{\"q\":1}"}},` +
			`{"id":"t2","type":"function","function":{"name":"find","arguments":"{}"}}]},"finish_reason":"tool_calls"}],` +
			`"usage":{"prompt_tokens":10,"completion_tokens":5},"object":"chat.completion"}`,
		events: []string{
			`{"id":"c1","object":"chat.completion.chunk","created":1,"model":"gpt-4o","choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning_content":"Hm."},"finish_reason":null}],"obfuscation":"xyz"}`,
			`{"id":"c1","object":"chat.completion.chunk","created":1,"model":"gpt-4o","choices":[{"index":0,"delta":{"reasoning_content":" Well."}}]}`,
			`{"id":"c1","object":"chat.completion.chunk","created":1,"model":"gpt-4o","choices":[{"index":0,"delta":{"content":"Hel"}}]}`,
			`{"id":"c1","object":"chat.completion.chunk","created":1,"model":"gpt-4o","choices":[{"index":0,"delta":{"content":"lo there"}}]}`,
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t1","type":"function","function":{"name":"look","arguments":""}}]}}]}`,
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"q\""}}]}}]}`,
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"t2","type":"function","function":{"name":"find","arguments":"{}"}}]}}]}`,
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}}]}`,
			`{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
			`{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5}}`,
			`[DONE]`,
		},
	},
	"responses": {
		call: client.Call{Provider: "openai", Model: "gpt-4o", API: "responses", Arguments: []byte(`{"input":"Hi"}`)}, path: "/v1/responses",
		whole: responsesAnswer, text: "Hello there", thinks: "Hm.",
		events: []string{
			`{"type":"response.created","response":{"id":"r1","status":"in_progress"}}`,
			`{"type":"response.reasoning_summary_text.delta","delta":"Hm."}`,
			`{"type":"response.output_text.delta","delta":"Hello "}`,
			`{"type":"response.output_text.delta","delta":"there"}`,
			`{"type":"response.completed","response":` + responsesAnswer + `}`,
		},
	},
	"anthropic": {
		call: client.Call{Provider: "anthropic", Model: "claude-sonnet-4-5", Arguments: []byte(`{"messages":[],"max_tokens":9}`)}, path: "/v1/messages",
		text: "Hello there", thinks: "Hm. Well.",
		whole: `{"id":"m1","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"thinking","thinking":"Hm. Well.","signature":"sig"},` +
			`{"type":"text","text":"Hello there","citations":[{"type":"char_location","cited_text":"x"}]},` +
			`{"type":"tool_use","id":"t1","name":"look","input":{"q":[1,2.0]}},{"type":"tool_use","id":"t2","name":"list","input":{}}],` +
			`"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5}}`,
		events: []string{
			`{"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":1}}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
			`{"type":"ping"}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm. "}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Well."}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"sig"}}`,
			`{"type":"content_block_stop","index":0}`,
			`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Hello "}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"there"}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"citations_delta","citation":{"type":"char_location","cited_text":"x"}}}`,
			`{"type":"content_block_stop","index":1}`,
			`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t1","name":"look","input":{}}}`,
			`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}`,
			`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"q\":[1"}}`,
			`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":",2.0]}"}}`,
			`{"type":"content_block_stop","index":2}`,
			`{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"t2","name":"list","input":{}}}`,
			`{"type":"content_block_stop","index":3}`,
			`{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":5}}`,
			`{"type":"message_stop"}`,
		},
	},
	"google": {
		call: client.Call{Provider: "google", Model: "gemini-2.5-flash", Arguments: []byte(`{"history":[]}`)},
		path: "/v1beta/models/gemini-2.5-flash:streamGenerateContent", text: "Hello there", thinks: "Hm. Well.",
		whole: `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hm. Well.","thought":true},{"text":"Hello ","thoughtSignature":"sig"},{"text":"there"},` +
			`{"functionCall":{"name":"look","args":{"q":1}}}]},"index":0,"finishReason":"STOP"}],` +
			`"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5},"modelVersion":"g"}`,
		events: []string{
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"Hm. ","thought":true}]},"index":0}],"usageMetadata":{"promptTokenCount":10},"modelVersion":"g"}`,
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"Well.","thought":true}]},"index":0}],"usageMetadata":{"promptTokenCount":10},"modelVersion":"g"}`,
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"Hel"}]}}]}`,
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"lo ","thoughtSignature":"sig"}]}}]}`,
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"there"}]}}]}`,
			`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"look","args":{"q":1}}}]},"finishReason":"STOP"}],` +
				`"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5},"modelVersion":"g"}`,
		},
	},
}

// jsonTexts compares JSON texts by value.
var jsonTexts = cmp.Transformer("JSON", func(raw json.RawMessage) any {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return string(raw)
	}
	return value
})

func TestStreamsGiveSameAnswer(t *testing.T) {
	t.Parallel()
	for name, test := range streams {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, reply{body: test.whole}, reply{events: test.events})
			s := newService(client.Options{Keys: operated(server.URL)})
			want := complete(t, s, test.call)
			var text, thinks strings.Builder
			pieces := 0
			test.call.Stream = func(d provider.Delta) {
				pieces++
				text.WriteString(d.Text)
				thinks.WriteString(d.Thinking)
			}
			got := complete(t, s, test.call)
			if diff := cmp.Diff(want, got, jsonTexts, cmpopts.IgnoreFields(provider.Completion{}, "Start", "End")); diff != "" {
				t.Errorf("the stream gives another answer (-whole +stream):\n%s", diff)
			}
			same(t, "text", text.String(), test.text)
			same(t, "thinking", thinks.String(), test.thinks)
			if pieces < 3 {
				t.Errorf("it came in %d pieces", pieces)
			}
			same(t, "path", server.got()[1].path, test.path)
		})
	}
}

func TestStreamsAreRequested(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ provider, arguments, want string }{
		"openai":         {"openai", `{"messages":[]}`, `{"messages":[],"model":"m","stream":true,"stream_options":{"include_usage":true}}`},
		"openai options": {"openai", `{"messages":[],"stream":false,"stream_options":{"x":1}}`, `{"messages":[],"stream_options":{"x":1},"model":"m","stream":true}`},
		"mistral":        {"mistral", `{"messages":[]}`, `{"messages":[],"model":"m","stream":true}`},
		"anthropic":      {"anthropic", `{"messages":[],"max_tokens":1}`, `{"messages":[],"model":"m","max_tokens":1,"stream":true}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, reply{status: 400})
			failure := failed(t, newService(client.Options{Keys: operated(server.URL)}), client.Call{
				Provider: test.provider, Model: "m", Arguments: []byte(test.arguments), Stream: func(provider.Delta) {},
			})
			same(t, "status", failure.Status, 400)
			sameJSON(t, "body", []byte(server.only(t).body), test.want)
		})
	}
}

// TestAnswersWithoutAStream are delivered in one piece.
func TestAnswersWithoutAStream(t *testing.T) {
	t.Parallel()
	server := newStandIn(t, reply{body: chatAnswer})
	call := plainCall
	var got []provider.Delta
	call.Stream = func(d provider.Delta) { got = append(got, d) }
	complete(t, newService(client.Options{Keys: operated(server.URL)}), call)
	same(t, "pieces", got, []provider.Delta{{Text: "Hello there"}})
}

// TestInterruptedStreams truncates each stream. Delivered pieces cannot be
// withdrawn, so the call is not retried.
func TestInterruptedStreams(t *testing.T) {
	t.Parallel()
	for name, test := range streams {
		cutAt := map[string]int{"openai": 8, "responses": 4, "anthropic": 20, "google": 5}[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, reply{events: test.events[:cutAt]})
			test.call.Stream = func(provider.Delta) {}
			failure := failed(t, newService(client.Options{Keys: operated(server.URL)}), test.call)
			same(t, "message", failure.Message, "The provider's answer was interrupted")
			same(t, "tries", len(server.got()), 1)
		})
	}
}

// TestStreamsThatFailBeforeFirstPiece checks that they are retried.
func TestStreamsThatFailBeforeFirstPiece(t *testing.T) {
	t.Parallel()
	for name, test := range streams {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, reply{events: []string{}}, reply{events: test.events})
			test.call.Stream = func(provider.Delta) {}
			done := complete(t, newService(client.Options{Keys: operated(server.URL)}), test.call)
			same(t, "attempts", done.Attempts, 2)
		})
	}
}

func TestErrorsInStreams(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		stream, event  string
		class, message string
		tries          int
	}{
		"openai":           {"openai", `{"error":{"message":"Slow down","code":"rate_limit_exceeded"}}`, provider.TypeRateLimit, "The provider answered: Slow down", 3},
		"responses":        {"responses", `{"type":"error","code":"server_error","message":"Oops"}`, provider.TypeProvider, "The provider answered: Oops", 3},
		"responses failed": {"responses", `{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"Oops"}}}`, provider.TypeProvider, "The provider answered: Oops", 1},
		"anthropic":        {"anthropic", `{"type":"error","error":{"type":"overloaded_error","message":"Busy"}}`, provider.TypeProvider, "The provider answered: Busy", 3},
		"google":           {"google", `{"error":{"code":403,"message":"Not yours","status":"PERMISSION_DENIED"}}`, provider.TypeAuth, "The provider answered: Not yours", 1},
		"google blocked":   {"google", `{"promptFeedback":{"blockReason":"SAFETY"}}`, provider.TypeProvider, "The provider refused to answer: SAFETY", 1},
		"no JSON":          {"openai", `{"choices":[{`, provider.TypeProvider, "The provider's answer cannot be read: an event of its stream is not JSON (unexpected end of text at byte 13)", 1},
		"a list":           {"anthropic", `[]`, provider.TypeProvider, "The provider's answer cannot be read: an event of its stream is an array", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, reply{events: []string{test.event}})
			call := streams[test.stream].call
			call.Stream = func(provider.Delta) {}
			failure := failed(t, newService(client.Options{Keys: operated(server.URL)}), call)
			same(t, "type", failure.Type, test.class)
			same(t, "message", failure.Message, test.message)
			same(t, "tries", len(server.got()), test.tries)
		})
	}
}

// TestOddStreams checks that unexpected streams neither crash nor count as
// answers.
func TestOddStreams(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		stream string
		events []string
	}{
		"deltas of nothing": {"anthropic", []string{
			`{"type":"content_block_delta","index":5,"delta":{"type":"text_delta","text":"x"}}`, `{"type":"message_stop"}`,
		}},
		"a tool's input": {"anthropic", []string{
			`{"type":"message_start","message":{"content":[]}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"n","input":{}}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}`, `{"type":"message_stop"}`,
		}},
		"changing types": {"openai", []string{`{"choices":7,"usage":"x"}`, `{"choices":[5,{"index":1e9,"delta":7}],"usage":{}}`, `[DONE]`}},
		"no choices":     {"openai", []string{`{"choices":[]}`, `[DONE]`}},
		"odd parts":      {"google", []string{`{"candidates":7}`, `{"candidates":[4,{"content":[],"finishReason":"STOP"}]}`, `{"candidates":"x"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, reply{events: test.events})
			call := streams[test.stream].call
			call.Stream = func(provider.Delta) {}
			_, err := newService(client.Options{Keys: operated(server.URL)}).Complete(t.Context(), workspace, call)
			if name != "odd parts" && provider.TypeOf(err) != provider.TypeProvider {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestLineEndingsOfStreams writes a stream in all allowed notations.
func TestLineEndingsOfStreams(t *testing.T) {
	t.Parallel()
	const first = `{"choices":[{"index":0,"delta":{"content":"Hel"}}]}`
	for name, text := range map[string]string{
		"carriage returns": "data: " + first + "\r\n\r\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"lo\"},\"finish_reason\":\"stop\"}]}\r\n\r\n",
		"no space":         "data:" + first + "\n\ndata:{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"lo\"},\"finish_reason\":\"stop\"}]}\n\n",
		"several lines":    "event: x\nid: 1\ndata: " + first + "\n: comment\n\ndata: {\"choices\":\ndata: [{\"index\":0,\"delta\":{\"content\":\"lo\"},\"finish_reason\":\"stop\"}]}\n\n",
		"no end":           "\n\ndata: " + first + "\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"lo\"},\"finish_reason\":\"stop\"}]}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, reply{header: map[string]string{"Content-Type": "text/event-stream; charset=utf-8"}, body: text})
			call := plainCall
			call.Stream = func(provider.Delta) {}
			done := complete(t, newService(client.Options{Keys: operated(server.URL), Trusted: &http.Client{}}), call)
			same(t, "text", done.Text, "Hello")
		})
	}
}
