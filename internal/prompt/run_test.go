package prompt_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/template"
)

// model publishes a template with the metadata.
func (r *suite) model(tmpl, metadata string) {
	r.t.Helper()
	content := prompt.Content{Template: template.Normalize(check.JSON(tmpl))}
	if metadata != "" {
		content.Metadata = []byte(metadata)
	}
	r.publish("talk", content)
}

const greeting = `{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"Hi {name}"}]},{"role":"placeholder","name":"more"}]}`

func TestRunWithAndWithoutVariables(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.model(greeting, `{"model":{"provider":"openai","name":"gpt","parameters":{"temperature":0.10}}}`)
	message := func(text string) string {
		return `{"role":"user","content":[{"type":"text","text":"` + text + `"}]}`
	}
	for _, test := range []struct {
		name            string
		in              prompt.Request
		text, arguments string
		warned          bool
	}{
		{"without", prompt.Request{}, "Hi {name}", "[" + message("Hi ") + "]", true},
		{"none", prompt.Request{Variables: check.JSON(`{}`)}, "Hi ", "[" + message("Hi ") + "]", true},
		{"with", prompt.Request{Variables: check.JSON(`{"name":"Ann","other":1}`)}, "Hi Ann", "[" + message("Hi Ann") + "]", false},
		{
			"with a placeholder", prompt.Request{Variables: check.JSON(`{"name":"Ann","more":[` + message("x") + `]}`)},
			"Hi Ann", "[" + message("Hi Ann") + "," + message("x") + "]", false,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			run := r.prepare("talk", test.in)
			check.Equal(t, "text", texts(run.Prompt)[0], test.text)
			check.Equal(t, "messages", string(check.JSON(string(run.Arguments)).Get("messages").Raw()), test.arguments)
			check.Equal(t, "warned", run.Warning != "", test.warned)
			check.Equal(t, "parameters", string(check.JSON(string(run.Arguments)).Get("temperature").Raw()), "0.10")
			check.Equal(t, "placeholder in the template", check.JSON(string(run.Prompt)).Get("messages").Len(), 2)
		})
	}
	raw := r.get("talk", registry.Selector{})
	check.Equal(t, "shared template", texts(raw.Expanded), []string{"Hi {name}"})
	skipped := r.prepare("talk", prompt.Request{SkipRendering: true, Variables: check.JSON(`{"name":"Ann"}`)})
	check.Equal(t, "skipped", texts(skipped.Prompt), []string{"Hi {name}"})
	check.Equal(t, "warning when skipped", skipped.Warning, "")
	check.Equal(t, "arguments when skipped", string(skipped.Arguments), string(raw.RawArguments()))
}

func TestRunMetadata(t *testing.T) {
	t.Parallel()
	const plain = `{"type":"chat","messages":[]}`
	for name, test := range map[string]struct {
		metadata string
		in       prompt.Request
		want     string
		model    string
	}{
		"no metadata":                   {},
		"no provider":                   {metadata: `{"own":1}`, want: `{"own":1}`},
		"API of OpenAI":                 {metadata: `{"model":{"provider":"openai","name":"g"}}`, want: `{"model":{"provider":"openai","name":"g","api_type":"chat-completions"}}`, model: `"g"`},
		"given API":                     {metadata: `{"model":{"provider":"openai","name":"g","api_type":"responses"}}`, want: `{"model":{"provider":"openai","name":"g","api_type":"responses"}}`, model: `"g"`},
		"another provider":              {metadata: `{"model":{"provider":"anthropic","name":"c"}}`, want: `{"model":{"provider":"anthropic","name":"c"}}`, model: `"c"`},
		"another model of the provider": {metadata: `{"model":{"provider":"anthropic","name":"c"}}`, in: prompt.Request{Model: "d"}, want: `{"model":{"provider":"anthropic","name":"c"}}`, model: `"d"`},
		"other provider": {
			metadata: `{"model":{"provider":"anthropic","name":"c"},"own":1}`, in: prompt.Request{Provider: "openai", Model: "g"},
			want: `{"model":{"provider":"openai","name":"g","api_type":"chat-completions"},"own":1}`, model: `"g"`,
		},
		"provider without metadata": {
			in: prompt.Request{Provider: "mistral", Model: "m"}, want: `{"model":{"provider":"mistral","name":"m"}}`, model: `"m"`,
		},
		"overrides": {
			metadata: `{"model":{"provider":"mistral","name":"c","parameters":{"a":1}}}`, in: prompt.Request{Overrides: check.JSON(`{"model":"x"}`)},
			want: `{"model":{"provider":"mistral","name":"c","parameters":{"a":1}}}`, model: `"x"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := onSQLite(t)
			r.model(plain, test.metadata)
			run := r.prepare("talk", test.in)
			check.Equal(t, "metadata", string(run.Metadata), test.want)
			var arguments jsontree.Value
			if run.Arguments != nil {
				arguments = check.JSON(string(run.Arguments))
			}
			check.Equal(t, "model", string(arguments.Get("model").Raw()), test.model)
			check.Equal(t, "stored metadata", string(run.Content.Metadata), test.metadata)
		})
	}
}
