package client_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/client"
)

// TestMalformedAnswers expects one clear error for malformed answers and no
// retry, because the call was already charged.
func TestMalformedAnswers(t *testing.T) {
	t.Parallel()
	calls := map[string]client.Call{
		"openai":    {Provider: "openai", Model: "m", Arguments: []byte(`{"messages":[]}`)},
		"responses": {Provider: "openai", Model: "m", API: "responses", Arguments: []byte(`{"input":""}`)},
		"images":    {Provider: "openai", Model: "m", API: "images", Arguments: []byte(`{"prompt":""}`)},
		"anthropic": {Provider: "anthropic", Model: "m", Arguments: []byte(`{"messages":[]}`)},
		"google":    {Provider: "google", Model: "m", Arguments: []byte(`{"history":[]}`)},
	}
	for name, answer := range map[string]string{
		"nothing": "", "no JSON": "<html>", "cut off": `{"choices":[{"message":{"content":"He`, "text": `"hello"`, "null": "null",
		"list": "[]", "empty": "{}", "bad text": "{\"choices\":\"\xff\"}", "too deep": strings.Repeat(`{"a":[`, 200),
		"empty lists":   `{"choices":[],"candidates":[],"output":null,"data":[]}`,
		"wrong types":   `{"choices":"a","candidates":{"content":1},"output":{},"content":"x","data":7}`,
		"wrong inside":  `{"choices":[7],"candidates":["x"],"output":"x","content":{},"data":[null]}`,
		"wrong message": `{"choices":[{"message":"x"}],"candidates":[[]],"content":5,"data":["x"]}`,
	} {
		for api, call := range calls {
			t.Run(api+" "+name, func(t *testing.T) {
				t.Parallel()
				server := newStandIn(t, reply{body: answer})
				failure := failed(t, newService(client.Options{Keys: operated(server.URL)}), call)
				same(t, "type", failure.Type, provider.TypeProvider)
				same(t, "tries", len(server.got()), 1)
				if answer != "" && !strings.HasPrefix(strings.ToValidUTF8(answer, "\uFFFD"), failure.Detail) {
					t.Errorf("detail %q", failure.Detail)
				}
				if !strings.HasPrefix(failure.Message, "The provider's answer cannot be read: ") {
					t.Errorf("message %q", failure.Message)
				}
			})
		}
	}
}

// TestOddAnswers uses answers with unexpected parts. The result does not
// matter, but nothing may fail.
func TestOddAnswers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ provider, answer string }{
		"numbers for texts": {"openai", `{"choices":[{"message":{"role":5,"content":7,"tool_calls":"x"},"finish_reason":{}}],"usage":{"prompt_tokens":"many","completion_tokens":-4}}`},
		"huge counts":       {"openai", `{"choices":[{"message":{}}],"usage":{"prompt_tokens":1e300,"completion_tokens":9999999999}}`},
		"odd blocks":        {"anthropic", `{"content":[null,5,{"type":"tool_use"},{"type":{}}],"usage":[]}`},
		"odd parts":         {"google", `{"candidates":[{"content":{"parts":[1,{"functionCall":{"args":"x"}}]}}],"usageMetadata":"none"}`},
		"no content":        {"google", `{"candidates":[{"finishReason":"SAFETY"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, reply{body: test.answer})
			done := complete(t, newService(client.Options{Keys: operated(server.URL)}), client.Call{
				Provider: test.provider, Model: "gpt-4o", Arguments: []byte(`{"messages":[]}`),
			})
			same(t, "tokens", done.Usage.Total().N, int64(0))
		})
	}
}

func TestErrorsInAnswers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		call            client.Call
		answer, message string
	}{
		"blocked": {
			client.Call{Provider: "google", Arguments: []byte(`{}`)}, `{"promptFeedback":{"blockReason":"SAFETY"}}`,
			"The provider refused to answer: SAFETY",
		},
		"failed": {
			client.Call{Provider: "openai", API: "responses", Arguments: []byte(`{}`)}, `{"status":"failed","error":{"code":"server_error","message":"Oops"}}`,
			"The provider answered: Oops",
		},
		"failed without a word": {
			client.Call{Provider: "openai", API: "responses", Arguments: []byte(`{}`)}, `{"status":"failed","error":null}`,
			"The provider's answer has the status failed",
		},
		"in the background": {
			client.Call{Provider: "openai", API: "responses", Arguments: []byte(`{"background":true}`)}, `{"status":"queued","output":[]}`,
			"The provider answers in the background, which is not supported",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, reply{body: test.answer})
			test.call.Model = "m"
			failure := failed(t, newService(client.Options{Keys: operated(server.URL)}), test.call)
			same(t, "message", failure.Message, test.message)
		})
	}
}

func TestIncompleteAnswers(t *testing.T) {
	t.Parallel()
	server := newStandIn(t, reply{body: `{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}`})
	done := complete(t, newService(client.Options{Keys: operated(server.URL)}), client.Call{
		Provider: "openai", API: "responses", Model: "m", Arguments: []byte(`{"input":"x"}`),
	})
	same(t, "finish", done.FinishReason, "max_output_tokens")
}

func TestHugeAnswers(t *testing.T) {
	t.Parallel()
	const limit = 1000
	padded := func(size int) string {
		return fmt.Sprintf(`{"choices":[{"message":{"content":%q}}]}`, strings.Repeat("x", size-len(`{"choices":[{"message":{"content":""}}]}`)))
	}
	event := `{"choices":[{"delta":{"content":"` + strings.Repeat("x", 200) + `"}}]}`
	for name, test := range map[string]struct {
		reply reply
		fits  bool
	}{
		"just fits":     {reply{body: padded(limit)}, true},
		"too large":     {reply{body: padded(limit + 1)}, false},
		"far too large": {reply{body: padded(100 * limit)}, false},
		"stream":        {reply{events: []string{event, event, event, event, event}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, test.reply)
			s := newService(client.Options{Keys: operated(server.URL), MaxAnswer: limit})
			call := plainCall
			call.Stream = func(provider.Delta) {}
			if test.fits {
				complete(t, s, call)
				return
			}
			same(t, "message", failed(t, s, call).Message, "The provider's answer is larger than 1000 bytes")
			same(t, "tries", len(server.got()), 1)
		})
	}
}

// TestStreamsWithTooManyValues sends far more values than any real answer has.
func TestStreamsWithTooManyValues(t *testing.T) {
	t.Parallel()
	many := "[" + strings.Repeat("0,", 200_100) + "0]"
	for stream, events := range map[string][]string{
		"openai":    {`{"choices":[{"index":0,"delta":{"content":` + many + `},"finish_reason":"stop"}]}`},
		"anthropic": {`{"type":"message_start","message":{"x":` + many + `}}`, `{"type":"message_stop"}`},
		"google":    {`{"candidates":[{"content":{"parts":` + many + `},"finishReason":"STOP"}]}`},
	} {
		t.Run(stream, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, reply{events: events})
			call := streams[stream].call
			call.Stream = func(provider.Delta) {}
			failure := failed(t, newService(client.Options{Keys: operated(server.URL)}), call)
			same(t, "message", failure.Message, "The provider's answer cannot be read: it has more than 200000 values")
		})
	}
}
