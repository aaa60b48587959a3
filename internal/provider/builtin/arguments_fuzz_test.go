package builtin_test

import (
	"encoding/json"
	"testing"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

// everyShape lists providers and APIs that cover every way to write arguments.
var everyShape = []struct{ provider, model, api string }{
	{"openai", "m", "chat-completions"}, {"openai", "", "responses"}, {"openai", "m", "images"},
	{"openrouter", "m", "chat"}, {"openrouter", "m", "speech"}, {"mistral", "m", ""},
	{"anthropic", "m", ""}, {"vertexai", "claude", ""}, {"vertexai", "gemini", ""}, {"google", "", ""},
	{"amazon.bedrock", "m", ""}, {"", "", ""},
}

// FuzzBuild checks that any JSON gives valid arguments: an object with unique
// members that is not much larger than its input.
func FuzzBuild(f *testing.F) {
	seeds := []string{
		pt.Hello, pt.Rich(`{"type":"thinking","thinking":"hm","signature":"s","id":"rs_1"},`, `,"parameters":{"max_tokens":5,"response_format":{"type":"json_schema","schema":{}}}`),
		pt.Chat(pt.Say("user", `{"type":"media","media":{"url":"data:,%41"}}`), `,"functions":[{"name":"f"}],"function_call":"f","overrides":{"maxTokens":1,"text":3}`),
		pt.Chat(`{"role":"placeholder"},{"role":"tool"},{"role":"function","name":"\ud800"},{"role":"assistant","function_call":{"name":"x"}}`,
			`,"parameters":{"generation_config":7,"inferenceConfig":{"stop":"x","stop":[]},"a\n":null,"output_config":[]}`),
		`{"messages":{"a":1},"tools":[{"type":"web_search"},{"type":"mcp","config":{"a":1}},{},7]}`, `[]`, `"x"`,
	}
	for _, seed := range seeds {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, body []byte, keep bool) {
		template, err := jsontree.Parse(body)
		if err != nil {
			return // callers only pass JSON
		}
		for _, s := range everyShape {
			checkPayload(t, body, builtin.Providers.Arguments(provider.Input{
				Provider: s.provider, Model: s.model, APIType: s.api, KeepPlaceholders: keep,
				Template: template, Parameters: template.Get("parameters"), Overrides: template.Get("overrides"),
			}))
		}
	})
}

func checkPayload(t *testing.T, body, payload []byte) {
	t.Helper()
	// An empty tool result grows most, from 15 to about 70 bytes.
	const growth, overhead = 8, 512
	if len(payload) > growth*len(body)+overhead {
		t.Fatalf("%d bytes became %d: %s", len(body), len(payload), payload)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(payload, &members); err != nil {
		t.Fatalf("%v in %s", err, payload)
	}
	read, err := jsontree.Parse(payload)
	if err != nil {
		return // too deeply nested: arguments are texts in a template
	}
	if read.Len() != len(members) {
		t.Fatalf("an argument is named twice: %s", payload)
	}
}

func BenchmarkBuild(b *testing.B) {
	template, err := jsontree.Parse([]byte(pt.Rich("", "")))
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range everyShape {
		b.Run(s.provider+" "+s.model+" "+s.api, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				builtin.Providers.Arguments(provider.Input{Provider: s.provider, Model: s.model, APIType: s.api, Template: template})
			}
		})
	}
}
