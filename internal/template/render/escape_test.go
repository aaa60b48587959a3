package render

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/jsontree"
)

func TestEscape(t *testing.T) {
	t.Parallel()
	cases := []struct {
		format     Format
		text, want string
	}{
		{FString, "plain", "plain"},
		{FString, "Use {name}", "Use {{name}}"},
		{FString, "{{name}}", "{{{{name}}}}"},
		{FString, `{"a": {"b": [1]}}`, `{"a": {"b": [1]}}`},
		{FString, "if (x) { return {y", "if (x) { return {y"},
		{FString, "{}", "{}"},
		{FString, "a}}", "a}}}}"},
		{Jinja2, "{name} }}", "{name} }}"},
		{Jinja2, "{{ name }}", "{{ '{' }}{ name }}"},
		{Jinja2, "{{{%#", "{{ '{' }}{{ '{' }}{{ '{' }}%#"},
		{Jinja2, "{# x #}\n", "{{ '{' }}# x #}\n"},
		{"other", "{x}", "{x}"},
	}
	for _, c := range cases {
		if got := Escape(c.format, c.text); got != c.want {
			t.Errorf("%s of %q = %q, want %q", c.format, c.text, got, c.want)
		}
	}
}

// fragments are what random texts are made of.
var fragments = []string{
	"{", "}", "{{", "}}", "{%", "%}", "{#", "#}", "{%-", "-%}", "{{-", "-}}", "x", "name", "!r", ":", "[", "]", "'", `"`, `\`, "\n", "\r\n", " ",
	"raw", "endraw", "{% raw %}", "{% endraw %}", "é", "\u2028", "@@@", "0", ".", "'{'", "{x}", "{{ x }}", "{% if x %}", "{% endif %}",
}

// TestEscapedTextsRenderToThemselves tries random texts in both formats.
func TestEscapedTextsRenderToThemselves(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	values := NewValues(jsontree.MustParse(`{"x":"VALUE","name":"NAME"}`))
	changed := 0
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(fragments[random.IntN(len(fragments))])
		}
		text := b.String()
		for _, format := range []Format{FString, Jinja2} {
			escaped := Escape(format, text)
			if escaped != text {
				changed++
			}
			got, err := Text(format, escaped, values, NewBudget(t.Context(), func() error { return nil }))
			if err != nil || got.Text != text || len(got.Undefined) > 0 {
				t.Fatalf("%s: %q escaped as %q renders to %q, %v, %v", format, text, escaped, got.Text, got.Undefined, err)
			}
		}
	}
	if changed < 5000 {
		t.Errorf("only %d texts needed escaping", changed)
	}
}
