package kwargs

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// builds is one row of a table: a template and the exact payload it gives.
type builds struct {
	name                  string
	provider, model, api  string
	template              string
	parameters, overrides string
	keep                  bool
	want                  string
}

func (c builds) input(t *testing.T) Input {
	t.Helper()
	return Input{
		Provider: c.provider, Model: c.model, APIType: c.api, KeepPlaceholders: c.keep,
		Template: parse(t, c.template), Parameters: parse(t, c.parameters), Overrides: parse(t, c.overrides),
	}
}

// parse reads JSON, absent for an empty text.
func parse(t *testing.T, text string) jsontree.Value {
	t.Helper()
	if text == "" {
		return jsontree.Value{}
	}
	v, err := jsontree.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

func runBuilds(t *testing.T, cases []builds) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := string(Build(c.input(t)))
			if !json.Valid([]byte(got)) {
				t.Fatalf("no JSON: %s", got)
			}
			if diff := cmp.Diff(lines(c.want), lines(got)); diff != "" {
				t.Errorf("(-want +got):\n%s\ngot %s", diff, got)
			}
		})
	}
}

// lines breaks a payload where an expectation may be broken for reading.
func lines(text string) []string {
	text = strings.ReplaceAll(text, "\n", "")
	text = strings.ReplaceAll(text, "\t", "")
	return strings.SplitAfter(text, "},")
}

// chatOf returns a chat template of these messages, and more of its members.
func chatOf(messages string, more ...string) string {
	return `{"type":"chat","messages":[` + messages + `]` + strings.Join(more, "") + `}`
}

// say returns a message with these content items.
func say(role, content string) string {
	return `{"role":"` + role + `","content":[` + content + `],"template_format":"f-string","input_variables":[]}`
}

// text returns a text item.
func text(s string) string { return `{"type":"text","text":"` + s + `"}` }

const (
	hello      = `{"type":"completion","content":[{"type":"text","text":"Hello, "},{"type":"text","text":"you"}]}`
	smallImage = "iVBORw0KGgoAAAANSUhEUg=="
	weather    = `{"type":"function","function":{"name":"weather","description":"Tells it","strict":false,` +
		`"parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}`
	weatherSchema = `{"type":"object","properties":{"city":{"type":"string"}}}`
	weatherCall   = `{"role":"assistant","content":[` + `{"type":"text","text":"Let me look."}` + `],"tool_calls":[` +
		`{"id":"call_1","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Oslo\"}"}}]}`
	weatherResult = `{"role":"tool","tool_call_id":"call_1","content":[{"type":"text","text":"cold"}]}`
)

const (
	pngItem = `{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}`
	pdfItem = `{"type":"media","media":{"title":"paper.pdf","type":"application/pdf","url":"JVBERi0=","format":"base64"}}`

	richTools = `,"tools":[` + weather + `],"tool_choice":{"type":"function","function":{"name":"weather"}}`
)

// rich returns a conversation with files and a called tool; thoughts are
// content items of the assistant's.
func rich(thoughts, more string) string {
	reply := strings.Replace(weatherCall, `"content":[`, `"content":[`+thoughts, 1)
	return chatOf(say("system", text("Be kind."))+","+
		say("user", text("Look:")+","+pngItem+","+pdfItem)+","+
		reply+","+weatherResult+","+say("assistant", text("It is cold."))+","+say("user", text("Thanks")), richTools, more)
}

func decode(t *testing.T, text []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

func TestParametersInOrderOfPrecedence(t *testing.T) {
	t.Parallel()
	hi := chatOf(say("user", text("hi")))
	const messages = `"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]`
	runBuilds(t, []builds{
		{
			name: "nothing but a template", provider: "openai", template: hi,
			want: `{` + messages + `}`,
		},
		{
			name: "overrides win over parameters, which keep their written form", provider: "openai", model: "gpt-4o",
			template: hi, parameters: `{"temperature":1.0,"seed":7,"stop":null}`, overrides: `{"seed":8,"top_p":1e0}`,
			want: `{` + messages + `,"model":"gpt-4o","temperature":1.0,"seed":8,"stop":null,"top_p":1e0}`,
		},
		{
			name: "stored model and messages win over the derived ones", provider: "openai", model: "gpt-4o-mini",
			template:   chatOf(say("system", "")),
			parameters: `{"messages":[{"role":"system","content":"Hello"}],"model":"gpt-4o"}`,
			want:       `{"messages":[{"role":"system","content":"Hello"}],"model":"gpt-4o"}`,
		},
		{
			name: "an overriding null is a value", provider: "openai", model: "a", template: hi,
			parameters: `{"seed":1}`, overrides: `{"seed":null,"model":null}`,
			want: `{` + messages + `,"seed":null,"model":null}`,
		},
		{
			name: "of a key given twice the last counts", provider: "openai", template: hi,
			parameters: `{"n":1,"\u006e":2,"a\"b":3}`,
			want:       `{` + messages + `,"n":2,"a\"b":3}`,
		},
		{
			name: "a stored token limit stays as it is", provider: "openai", template: hi,
			parameters: `{"max_tokens":5}`,
			want:       `{` + messages + `,"max_tokens":5}`,
		},
		{
			name: "an override of the token limit replaces it under every name", provider: "openai", template: hi,
			parameters: `{"max_tokens":5,"seed":1}`, overrides: `{"maxOutputTokens":9}`,
			want: `{` + messages + `,"seed":1,"max_completion_tokens":9}`,
		},
		{
			name: "no template at all", provider: "openai", template: `null`, parameters: `[]`, overrides: `3`,
			want: `{"messages":[]}`,
		},
	})
}

func TestTokenLimitOfOverrides(t *testing.T) {
	t.Parallel()
	chat := chatOf(say("user", text("hi")))
	for _, c := range []struct{ provider, api, template, want string }{
		{"openai", "", chat, `"max_completion_tokens":7`},
		{"openai.azure", "chat-completions", chat, `"max_completion_tokens":7`},
		{"openai", "responses", chat, `"max_output_tokens":7`},
		{"openai", "", hello, `"max_tokens":7`},
		{"mistral", "", chat, `"max_tokens":7`},
		{"openrouter", "chat", chat, `"max_tokens":7`},
		{"cohere", "", chat, `"max_tokens":7`},
		{"anthropic", "", chat, `"max_tokens":7`},
		{"anthropic.bedrock", "", chat, `"max_tokens":7`},
		{"anthropic", "", hello, `"max_tokens_to_sample":7`},
		{"google", "", chat, `"generation_config":{"max_output_tokens":7}`},
		{"amazon.bedrock", "", chat, `"inferenceConfig":{"maxTokens":7}`},
	} {
		for _, alias := range limitNames {
			t.Run(c.provider+" "+c.api+" "+alias, func(t *testing.T) {
				t.Parallel()
				got := string(Build(Input{
					Provider: c.provider, APIType: c.api, Template: parse(t, c.template),
					Parameters: parse(t, `{"max_tokens":1,"max_output_tokens":2}`),
					Overrides:  parse(t, `{"`+alias+`":7}`),
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
	for i := range 3 * indexFrom {
		key := `"k` + strings.Repeat("x", i) + `":`
		stored = append(stored, key+"1")
		changed = append(changed, key+"2")
	}
	got := string(Build(Input{
		Template:   parse(t, hello),
		Parameters: parse(t, "{"+strings.Join(stored, ",")+"}"),
		Overrides:  parse(t, "{"+strings.Join(changed, ",")+"}"),
	}))
	want := `{"prompt":"Hello, you",` + strings.Join(changed, ",") + "}"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
