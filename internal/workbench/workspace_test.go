package workbench_test

import (
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

// TestWorkspacesAreApart shows that a scope finds neither the prompts nor the
// keys of another workspace, and leaves no log there.
func TestWorkspacesAreApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	id := w.greet()
	w.publish("secret", `{"type":"completion","content":[{"type":"text","text":"treasure"}]}`, "")
	const metadata = `"metadata":{"model":{"provider":"openai","name":"gpt-4o-mini"}}`
	for name, config := range map[string]string{
		"by name": `{"template":{"name":"greet"},"return_template_only":true}`,
		"by id":   `{"template":{"id":` + quoted(itoa(id)) + `},"return_template_only":true}`,
	} {
		if got, err := w.run(w.away, "PROMPT_TEMPLATE", config, `{"name":"Ann"}`); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: got %s, %v", name, got, err)
		}
	}
	snippet := `{"inline_template":{"prompt_template":{"type":"chat","messages":[` + user("@@@secret@@@") + `]}},"return_template_only":true}`
	if got := w.value(w.away, "PROMPT_TEMPLATE", snippet, `{}`); strings.Contains(got, "treasure") {
		t.Errorf("a snippet of another workspace was used: %s", got)
	}

	inline := `{"inline_template":{"prompt_template":{"type":"chat","messages":[` + user("hi") + `]},` + metadata + `}}`
	_, err := w.run(w.away, "PROMPT_TEMPLATE", inline, `{}`)
	if err == nil || err.Error() != "No API key configured for provider 'openai'" || !fault.Is(err, fault.BadRequest) {
		t.Errorf("failed with %v", err)
	}
	_, err = w.run(w.away, "LLM_ASSERTION", `{"source":"s","prompt":"is it?"}`, `{"s":"x"}`)
	if err == nil || err.Error() != "No API key configured for provider 'openai'" {
		t.Errorf("failed with %v", err)
	}
	check.Equal(t, "requests", len(w.provider.got()), 0)
	check.Equal(t, "logs", len(w.logged(w.away))+len(w.logged(w.home)), 0)

	w.set(w.away, "OPENAI_API_KEY", "key-of-away-5678")
	check.Equal(t, "value", w.value(w.away, "PROMPT_TEMPLATE", inline, `{}`), `"hi"`)
	check.Equal(t, "key", w.provider.only(t).key, "key-of-away-5678")
	w.onlyLog(w.away)
	check.Equal(t, "logs at home", len(w.logged(w.home)), 0)
}
