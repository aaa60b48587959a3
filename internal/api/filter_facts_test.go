package api_test

import (
	"cmp"
	"net/http"
	"testing"
	"time"
)

// facts is what filters can match in a log, written by hand from the log's
// body, not computed by the program. A field that is not in a map has no
// value.
type facts struct {
	name    string
	path    string // where the log is sent
	key     string // what it is sent with, home if empty
	body    map[string]any
	words   map[string]string   // strings
	texts   map[string]string   // texts
	numbers map[string]float64  // numbers, identifiers, and times in microseconds
	flags   map[string]bool     // booleans
	lists   map[string][]string // arrays and intents
	nested  map[string]pairs    // nested fields
}

// pairs are flattened keys and values; noValue marks a key without one.
type pairs [][2]string

const noValue = "\x00none"

func at(t string) float64 {
	parsed, err := time.Parse(time.RFC3339Nano, t)
	if err != nil {
		panic(err)
	}
	return float64(parsed.UnixMicro())
}

// withTimes adds the start and end of a log.
func (f facts) withTimes(start, end string) facts {
	f.body["request_start_time"], f.body["request_end_time"] = start, end
	f.numbers["request_start_time"], f.numbers["request_end_time"] = at(start), at(end)
	f.numbers["latency_ms"] = max(0, (at(end)-at(start))/1000)
	return f
}

// allFacts describes the logs of the filter tests.
func allFacts() []facts {
	return []facts{
		refundFacts().withTimes("2026-03-10T08:00:00Z", "2026-03-10T08:00:01Z"),
		jsonFacts().withTimes("2026-03-10T08:00:00Z", "2026-03-10T08:00:03Z"),
		toolFacts().withTimes("2026-03-11T00:00:00Z", "2026-03-11T00:00:02Z"),
		errorFacts().withTimes("2026-03-12T23:59:59.999999Z", "2026-03-13T00:00:00Z"),
		promptFacts().withTimes("2026-03-12T12:00:00Z", "2026-03-12T12:00:00Z"),
		completionFacts().withTimes("2026-03-13T10:00:00Z", "2026-03-13T09:00:00Z"),
		trackedFacts().withTimes("2026-03-14T10:00:00Z", "2026-03-14T10:00:00.25Z"),
		oddFacts().withTimes("2026-03-14T11:00:00Z", "2026-03-14T12:00:00Z"),
	}
}

func refundFacts() facts {
	return facts{
		name: "refund", path: "/log-request",
		body: logBody(map[string]any{
			"input":  chat("system", "Be kind.", "user", "Please REFUND my order, it is not working"),
			"output": chat("assistant", "Sorry, I cannot do that."),
			"tags":   []string{"prod", "eu"}, "input_tokens": 100, "output_tokens": 10, "price": 0.5,
			"metadata": map[string]any{"user_id": "u1", "env": "prod", "n": 42},
			"score":    80, "score_name": "helpful",
			"prompt_name": "welcome", "prompt_version_number": 1,
			"prompt_input_variables": map[string]any{"city": "Oslo", "unused": "x"},
		}),
		words: map[string]string{"engine": "gpt-4o", "provider_type": "openai", "status": "SUCCESS", "user_id": "u1", "prompt": "welcome", "prompt_version_ref": "910001:1"},
		texts: map[string]string{
			"input_text":  "Be kind.\n\nPlease REFUND my order, it is not working",
			"output_text": "Sorry, I cannot do that.",
		},
		numbers: map[string]float64{
			"prompt_id": 910001, "prompt_version_number": 1, "input_tokens": 100, "output_tokens": 10, "total_tokens": 110, "cost": 0.5, "turn_count": 1,
		},
		flags: map[string]bool{"is_plain_text": true},
		lists: map[string][]string{
			"tags": {"prod", "eu"}, "metadata_keys": {"user_id", "env", "n"}, "score_names": {"helpful"}, "input_variable_keys": {"city"},
			"user_intent": {"frustrated"}, "agent_intent": {"apologetic", "refusal"},
		},
		nested: map[string]pairs{
			"metadata": {{"user_id", "u1"}, {"env", "prod"}, {"n", "42"}}, "input_variables": {{"city", "Oslo"}}, "scores": {{"helpful", "80"}},
		},
	}
}

func jsonFacts() facts {
	metadata := pairs{
		{"user_id", "7"}, {"n", "42.5"}, {"deep.flag", "true"}, {"deep.list", "1"}, {"deep.list", "two"},
		{"deep.list.k", "v"}, {"deep.none", noValue}, {"deep.object", noValue},
	}
	return facts{
		name: "json", path: "/log-request", key: "owner",
		body: logBody(map[string]any{
			"input":  chat("user", "Thanks!", "assistant", "You are welcome", "user", "What is it, thanks"),
			"output": chat("assistant", `{"a": 1, "b": {"c": ["x", "Y"]}, "e": null, "ok": true}`),
			"tags":   []string{"prod"}, "input_tokens": 200, "output_tokens": 20, "price": 0.25, "model": "GPT-4o", "score": 7,
			"metadata": map[string]any{"user_id": 7, "n": "42.5", "deep": map[string]any{
				"flag": true, "list": []any{1, "two", map[string]any{"k": "v"}}, "none": nil, "object": map[string]any{},
			}},
		}),
		words: map[string]string{"engine": "GPT-4o", "provider_type": "openai", "status": "SUCCESS", "user_id": "7"},
		texts: map[string]string{
			"input_text":  "Thanks!\n\nYou are welcome\n\nWhat is it, thanks",
			"output_text": "a: 1\nb.c: x\nb.c: Y\ne:\nok: true",
		},
		numbers: map[string]float64{"input_tokens": 200, "output_tokens": 20, "total_tokens": 220, "cost": 0.25, "turn_count": 2},
		flags:   map[string]bool{"is_json": true},
		lists: map[string][]string{
			"tags": {"prod"}, "metadata_keys": {"user_id", "n", "deep.flag", "deep.list", "deep.list.k", "deep.none", "deep.object"},
			"score_names": {"default"}, "output_keys": {"a", "b.c", "e", "ok"}, "user_intent": {"satisfied", "curious"},
		},
		nested: map[string]pairs{
			"metadata": metadata, "scores": {{"default", "7"}}, "output": {{"a", "1"}, {"b.c", "x"}, {"b.c", "Y"}, {"e", noValue}, {"ok", "true"}},
		},
	}
}

func toolFacts() facts {
	call := func(id, name, arguments string) map[string]any {
		return map[string]any{"id": id, "type": "function", "function": map[string]any{"name": name, "arguments": arguments}}
	}
	output := map[string]any{"type": "chat", "messages": []any{map[string]any{
		"role": "assistant",
		"content": []any{
			map[string]any{"type": "thinking", "thinking": "Hmm, a deep thought"},
			map[string]any{"type": "text", "text": "I am not sure"},
		},
		"tool_calls": []any{call("c1", "find", `{"city": "Oslo", "n": 2}`), call("c2", "book", "no JSON")},
	}}}
	return facts{
		name: "tools", path: "/log-request",
		body: logBody(map[string]any{
			"provider": "anthropic", "model": "claude", "input": chat("user", "Find and book"), "output": output,
			"input_tokens": 50, "output_tokens": 5, "price": 1, "metadata": map[string]any{"env": "Prod"}, "prompt_id": 910004,
		}),
		words: map[string]string{"engine": "claude", "provider_type": "anthropic", "status": "SUCCESS", "prompt": "farewell v2", "prompt_version_ref": "910004:1"},
		texts: map[string]string{
			"input_text": "Find and book", "thinking_text": "Hmm, a deep thought",
			"output_text": "I am not sure\ntool_calls.function.arguments.city: Oslo\ntool_calls.function.arguments.n: 2\n" +
				"tool_calls.function.name: find\ntool_calls.id: c1\ntool_calls.type: function\n" +
				"tool_calls.function.arguments: no JSON\ntool_calls.function.name: book\ntool_calls.id: c2\ntool_calls.type: function",
		},
		numbers: map[string]float64{
			"prompt_id": 910004, "prompt_version_number": 1, "input_tokens": 50, "output_tokens": 5, "total_tokens": 55, "cost": 1,
			"turn_count": 1, "tool_call_count": 2,
		},
		flags: map[string]bool{"is_tool_call": true},
		lists: map[string][]string{
			"metadata_keys": {"env"}, "tool_names": {"find", "book"}, "agent_intent": {"uncertain"},
			"output_keys": {
				"tool_calls.id", "tool_calls.type", "tool_calls.function.name", "tool_calls.function.arguments.city",
				"tool_calls.function.arguments.n", "tool_calls.function.arguments",
			},
		},
		nested: map[string]pairs{"metadata": {{"env", "Prod"}}, "output": {
			{"tool_calls.id", "c1"}, {"tool_calls.id", "c2"}, {"tool_calls.type", "function"},
			{"tool_calls.function.name", "find"}, {"tool_calls.function.name", "book"},
			{"tool_calls.function.arguments.city", "Oslo"}, {"tool_calls.function.arguments.n", "2"},
			{"tool_calls.function.arguments", "no JSON"},
		}},
	}
}

func errorFacts() facts {
	return facts{
		name: "error", path: "/log-request",
		body: logBody(map[string]any{
			"model": "gpt-4o-mini", "input": chat("user", "Hello"), "output": chat(),
			"status": "ERROR", "error_type": "PROVIDER_TIMEOUT", "tags": []string{"production", ""},
		}),
		words:   map[string]string{"engine": "gpt-4o-mini", "provider_type": "openai", "status": "ERROR", "error_type": "PROVIDER_TIMEOUT"},
		texts:   map[string]string{"input_text": "Hello"},
		numbers: map[string]float64{},
		flags:   map[string]bool{"is_plain_text": true},
		lists:   map[string][]string{"tags": {"production", ""}},
	}
}

func promptFacts() facts {
	return facts{
		name: "prompt", path: "/log-request",
		body: logBody(map[string]any{
			"input": chat("user", "Hello"), "output": chat("assistant", "[1, 2]"),
			"status": "WARNING", "error_type": "PROVIDER_RATE_LIMIT", "price": 0.125, "prompt_name": "welcome",
			"prompt_input_variables": map[string]any{"city": "Rome", "guest": map[string]any{"name": "Ann", "age": 30}, "secret": "s"},
		}),
		words: map[string]string{
			"engine": "gpt-4o", "provider_type": "openai", "status": "WARNING", "error_type": "PROVIDER_RATE_LIMIT", "prompt": "welcome",
			"prompt_version_ref": "910001:2",
		},
		texts:   map[string]string{"input_text": "Hello", "output_text": "[1, 2]"},
		numbers: map[string]float64{"prompt_id": 910001, "prompt_version_number": 2, "cost": 0.125, "turn_count": 1},
		flags:   map[string]bool{"is_plain_text": true},
		lists:   map[string][]string{"input_variable_keys": {"city", "guest.name", "guest.age"}},
		nested:  map[string]pairs{"input_variables": {{"city", "Rome"}, {"guest.name", "Ann"}, {"guest.age", "30"}}},
	}
}

func completionFacts() facts {
	part := func(text string) map[string]any {
		return map[string]any{"type": "completion", "content": []any{map[string]any{"type": "text", "text": text}}}
	}
	return facts{
		name: "completion", path: "/log-request",
		body:  logBody(map[string]any{"input": part("Once upon a time"), "output": part(" there was 100% a dragon_")}),
		words: map[string]string{"engine": "gpt-4o", "provider_type": "openai", "status": "SUCCESS"},
		texts: map[string]string{"input_text": "Once upon a time", "output_text": " there was 100% a dragon_"},
		// A completion has no messages and therefore no turns.
		numbers: map[string]float64{},
		flags:   map[string]bool{"is_plain_text": true},
	}
}

func trackedFacts() facts {
	return facts{
		name: "tracked", path: "/track-request",
		body: map[string]any{
			"function_name": "openai.chat.completions.create", "span_id": "00f067aa0ba902b7",
			"kwargs": map[string]any{"model": "gpt-5", "messages": []any{map[string]any{"role": "user", "content": "Why?"}}},
			"request_response": map[string]any{
				"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": "Because"}}},
				"usage": map[string]any{
					"prompt_tokens": 11, "completion_tokens": 4, "prompt_tokens_details": map[string]any{"cached_tokens": 8},
					"completion_tokens_details": map[string]any{"reasoning_tokens": 2},
				},
			},
			"metadata": map[string]any{"user_id": "u1"},
		},
		words: map[string]string{"engine": "gpt-5", "provider_type": "openai", "status": "SUCCESS", "user_id": "u1"},
		texts: map[string]string{"input_text": "Why?", "output_text": "Because"},
		numbers: map[string]float64{
			"input_tokens": 11, "output_tokens": 4, "total_tokens": 15, "cached_tokens": 8, "thinking_tokens": 2, "turn_count": 1,
			"cost": (3*1.25 + 8*0.125 + 4*10) / 1e6,
		},
		flags:  map[string]bool{"is_plain_text": true},
		lists:  map[string][]string{"metadata_keys": {"user_id"}, "user_intent": {"curious"}},
		nested: map[string]pairs{"metadata": {{"user_id", "u1"}}},
	}
}

func oddFacts() facts {
	metadata := pairs{{"a.b", "dot"}, {"", "no key"}, {"ÜBER", "Straße"}, {"e", ""}, {"t", "true"}, {"1", "10000000000000001"}}
	return facts{
		name: "odd", path: "/log-request",
		body: logBody(map[string]any{
			"input": chat("user", "Ünïcödé 'quotes' \"and\" \\ slashes; DROP TABLE log; --"), "output": chat("assistant", "42"),
			"metadata": map[string]any{"a.b": "dot", "": "no key", "ÜBER": "Straße", "e": "", "t": "true", "1": int64(10_000_000_000_000_001)},
			"price":    2, "input_tokens": 1_000_000,
			// Without a prompt, these have no meaning.
			"prompt_input_variables": map[string]any{"city": "Nowhere"},
		}),
		words: map[string]string{"engine": "gpt-4o", "provider_type": "openai", "status": "SUCCESS"},
		texts: map[string]string{
			"input_text": "Ünïcödé 'quotes' \"and\" \\ slashes; DROP TABLE log; --", "output_text": "42",
		},
		numbers: map[string]float64{"cost": 2, "input_tokens": 1_000_000, "total_tokens": 1_000_000, "turn_count": 1},
		flags:   map[string]bool{"is_plain_text": true},
		lists:   map[string][]string{"metadata_keys": {"a.b", "", "ÜBER", "e", "t", "1"}},
		nested:  map[string]pairs{"metadata": metadata},
	}
}

// numbersThatAre0 are never null: they default to 0. Tokens and costs that were
// not given are null.
var numbersThatAre0 = []string{"turn_count", "tool_call_count"}

// factWorld returns a world with the logs of allFacts, whose ids are added to
// the facts, and the same logs in the other workspace, which must stay
// invisible.
func factWorld(t *testing.T) (*world, []facts) {
	t.Helper()
	w := newWorld(t, settings{})
	all := allFacts()
	for i := range all {
		f := &all[i]
		status := http.StatusCreated
		if f.path == "/track-request" {
			status = http.StatusOK
		}
		theirs := toJSON(t, f.body)
		if f.numbers["prompt_id"] == 0 { // the other workspace has other prompts
			w.must(t, status, "away", http.MethodPost, f.path, theirs)
		}
		key := cmp.Or(f.key, "home")
		answer := w.must(t, status, key, http.MethodPost, f.path, toJSON(t, f.body))
		f.words["source"], f.words["api_key"] = "api", key
		f.numbers["api_key_id"] = map[string]float64{"home": 1, "owner": 3}[key]
		f.numbers["pl_id"] = answer["request_id"].(float64)
		for _, field := range numbersThatAre0 {
			f.numbers[field] += 0
		}
	}
	return w, all
}
