package client_test

import (
	"math"
	"testing"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/client"
)

func TestPrices(t *testing.T) {
	t.Parallel()
	own := provider.Prices{
		{Provider: "ollama", Model: "llama", Input: 1, Output: 2},
		{Model: "ft:gpt-4o*", Input: 3, Output: 4},
		{Provider: "openai", Model: "gpt-4.1", Input: 100, Output: 100},
	}
	for name, test := range map[string]struct {
		provider, model string
		input, output   float64
		known           bool
	}{
		"listed":                      {"openai", "gpt-4o-mini", 0.15, 0.6, true},
		"dated":                       {"openai", "gpt-4o-mini-2024-07-18", 0.15, 0.6, true},
		"longest name":                {"openai", "gpt-4o-2024-05-13", 5, 15, true},
		"latest":                      {"mistral", "mistral-large-latest", 0.5, 1.5, true},
		"numbered":                    {"mistral", "mistral-large-2411", 2, 6, true},
		"preview":                     {"openai", "o1-preview", 15, 60, true},
		"version of a listed model":   {"openai", "gpt-4.5", 0, 0, false},
		"relative of a listed model":  {"openai", "gpt-4o-huge", 0, 0, false},
		"successor of a listed model": {"anthropic", "claude-opus-4-9", 0, 0, false},
		"dated, of Anthropic":         {"anthropic", "claude-opus-4-20250514", 15, 75, true},
		"with a path":                 {"google", "models/gemini-2.5-pro", 1.25, 10, true},
		"of another provider":         {"openai", "gemini-2.5-pro", 0, 0, false},
		"on a server of one's own":    {"ollama", "mistral-small", 0, 0, false},
		"set for a custom model":      {"ollama", "llama", 1, 2, true},
		"set for a prefix":            {"openai", "ft:gpt-4o-mini:me::x", 3, 4, true},
		"overrides a list price":      {"openai", "gpt-4.1", 100, 100, true},
		"unknown":                     {"openai", "secret", 0, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, reply{body: `{"choices":[{"message":{}}],"content":[],"candidates":[{}],` +
				`"usage":{"prompt_tokens":1000000,"completion_tokens":2000000,"input_tokens":1000000,"output_tokens":2000000},` +
				`"usageMetadata":{"promptTokenCount":1000000,"candidatesTokenCount":2000000}}`})
			done := complete(t, newService(client.Options{Keys: operated(server.URL), Prices: own}),
				client.Call{Provider: test.provider, Model: test.model, Arguments: []byte(`{"messages":[]}`)})
			if want := test.input + 2*test.output; math.Abs(done.Price-want) > 1e-9 {
				t.Errorf("price %v, want %v", done.Price, want)
			}
			same(t, "known", done.Priced, test.known)
		})
	}
}
