package builtin_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

func TestParametersInOrderOfPrecedence(t *testing.T) {
	t.Parallel()
	hi := pt.Chat(pt.Say("user", pt.Text("hi")))
	const messages = `"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]`
	pt.Run(t, []pt.Case{
		{
			Name: "nothing but a template", Provider: "openai", Template: hi,
			Want: `{` + messages + `}`,
		},
		{
			Name: "overrides win over parameters, which keep their written form", Provider: "openai", Model: "gpt-4o",
			Template: hi, Parameters: `{"temperature":1.0,"seed":7,"stop":null}`, Overrides: `{"seed":8,"top_p":1e0}`,
			Want: `{` + messages + `,"model":"gpt-4o","temperature":1.0,"seed":8,"stop":null,"top_p":1e0}`,
		},
		{
			Name: "stored model and messages win over the derived ones", Provider: "openai", Model: "gpt-4o-mini",
			Template:   pt.Chat(pt.Say("system", "")),
			Parameters: `{"messages":[{"role":"system","content":"Hello"}],"model":"gpt-4o"}`,
			Want:       `{"messages":[{"role":"system","content":"Hello"}],"model":"gpt-4o"}`,
		},
		{
			Name: "an overriding null is a value", Provider: "openai", Model: "a", Template: hi,
			Parameters: `{"seed":1}`, Overrides: `{"seed":null,"model":null}`,
			Want: `{` + messages + `,"seed":null,"model":null}`,
		},
		{
			Name: "of a key given twice the last counts", Provider: "openai", Template: hi,
			Parameters: `{"n":1,"\u006e":2,"a\"b":3}`,
			Want:       `{` + messages + `,"n":2,"a\"b":3}`,
		},
		{
			Name: "a stored token limit stays as it is", Provider: "openai", Template: hi,
			Parameters: `{"max_tokens":5}`,
			Want:       `{` + messages + `,"max_tokens":5}`,
		},
		{
			Name: "an override of the token limit replaces it under every name", Provider: "openai", Template: hi,
			Parameters: `{"max_tokens":5,"seed":1}`, Overrides: `{"maxOutputTokens":9}`,
			Want: `{` + messages + `,"seed":1,"max_completion_tokens":9}`,
		},
		{
			Name: "no template at all", Provider: "openai", Template: `null`, Parameters: `[]`, Overrides: `3`,
			Want: `{"messages":[]}`,
		},
	})
}

func TestTokenLimitOfOverrides(t *testing.T) {
	t.Parallel()
	chat := pt.Chat(pt.Say("user", pt.Text("hi")))
	for _, c := range []struct{ provider, api, template, want string }{
		{"openai", "", chat, `"max_completion_tokens":7`},
		{"openai.azure", "chat-completions", chat, `"max_completion_tokens":7`},
		{"openai", "responses", chat, `"max_output_tokens":7`},
		{"openai", "", pt.Hello, `"max_tokens":7`},
		{"mistral", "", chat, `"max_tokens":7`},
		{"openrouter", "chat", chat, `"max_tokens":7`},
		{"cohere", "", chat, `"max_tokens":7`},
		{"anthropic", "", chat, `"max_tokens":7`},
		{"anthropic.bedrock", "", chat, `"max_tokens":7`},
		{"anthropic", "", pt.Hello, `"max_tokens_to_sample":7`},
		{"google", "", chat, `"generation_config":{"max_output_tokens":7}`},
		{"amazon.bedrock", "", chat, `"inferenceConfig":{"maxTokens":7}`},
	} {
		for _, alias := range []string{"maxOutputTokens", "max_output_tokens", "max_tokens", "max_completion_tokens", "maxTokens"} {
			t.Run(c.provider+" "+c.api+" "+alias, func(t *testing.T) {
				t.Parallel()
				got := string(builtin.Providers.Arguments(provider.Input{
					Provider: c.provider, APIType: c.api, Template: pt.Parse(t, c.template),
					Parameters: pt.Parse(t, `{"max_tokens":1,"max_output_tokens":2}`),
					Overrides:  pt.Parse(t, `{"`+alias+`":7}`),
				}))
				if !strings.Contains(got, c.want) || strings.Count(got, "okens") != 1 {
					t.Errorf("got %s, want one limit: %s", got, c.want)
				}
			})
		}
	}
}

func TestManyParametersStayUnique(t *testing.T) {
	t.Parallel()
	var stored, changed []string
	for i := range 100 {
		key := `"k` + strings.Repeat("x", i) + `":`
		stored = append(stored, key+"1")
		changed = append(changed, key+"2")
	}
	got := string(builtin.Providers.Arguments(provider.Input{
		Template:   pt.Parse(t, pt.Hello),
		Parameters: pt.Parse(t, "{"+strings.Join(stored, ",")+"}"),
		Overrides:  pt.Parse(t, "{"+strings.Join(changed, ",")+"}"),
	}))
	want := `{"prompt":"Hello, you",` + strings.Join(changed, ",") + "}"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
