package render

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template/render/jinja"
)

// fuzzOutput and fuzzWork limit the time of one fuzz input.
const (
	fuzzOutput = 1 << 16
	fuzzWork   = 100_000
)

func FuzzText(f *testing.F) {
	const values = `{"a": "x", "n": 1.5, "l": [1, {"k": null}], "d": {"b": true, "s": "é"}}`
	for _, text := range []string{
		"", "{", "}", "{{", "}}", "{a}", "{{a}}", "{{{a}}}", "{a!r:>{n}}", "{a[}]}", `{"k": {"j": 1}}`, "{a!", "{a:", "{x{y}}",
		"{{ a }}", "{{ l|join(', ') }}", "{% for x in l %}{{ loop.index }}{{ x }}{% else %}-{% endfor %}", "{% set x = n * 2 %}{{ x|round(1) }}",
		"{% macro m(a, b=1) %}{{ a }}{{ caller() }}{% endmacro %}{% call m(2) %}x{% endcall %}", "{{ '%5.2f|%s|%(k)d'|format(n, a) }}",
		"{{ '{:>{w}} {0!r:^9,.2f}'.format(n) }}", "{{ l[::-1] }}{{ a[1:] }}{{ d['b'] }}{{ l[-1].k }}", "{{ d|tojson(indent=2) }}{{ d.items()|list }}",
		"{% raw %}{{ a }}{% endraw %}{#- c -#}{%- if a -%} x {%- endif -%}", "{{ l|map('string')|select('in', a)|groupby('k')|batch(2, 'x')|list }}",
		"{{ 2 ** 1000 // 3 % 7 ~ -1.5e-7 }}", "{{ 'a' * 10 ** 9 }}{{ range(10 ** 9)|list }}", "{% block b %}{{ self.b() }}{% endblock %}",
		"{% filter indent(2)|upper %}{{ a }}\n{% endfilter %}{% with x = 1, y = x %}{% endwith %}", "{{ a is divisibleby 3 }}{{ n is not none and a in 'xy' }}",
		"{{ l.append(l) }}{{ l }}", "{% for x in l recursive %}{{ loop(l) }}{% endfor %}", "{{ d.update(x=d) }}{{ d == d }}{{ d|dictsort(by='value') }}",
		"{{ [l, l]|sum(start=[])|unique|sort(reverse=true)|first }}", "{{ a|truncate(0, true, '')|wordwrap(1)|center(9)|title|urlencode|striptags }}",
		"{% autoescape true %}{{ '<'|safe ~ '<' }}{{ '<' }}{% endautoescape %}", "{{ cycler(1, 2).next() }}{{ joiner('|')() }}{{ namespace(a=1).a }}{{ lipsum(1)|length }}",
		"{{ '\\x41\\u00e9\\U0001F600\\101\\q' \"b\" }}{{ 0x1f + 0b1 + 0o7 + 1_000 }}", "{% import 'x' as y %}{% extends 'z' %}{% include a ignore missing %}",
		"{{ dict(a=1, **d).get('q', 2) }}{{ a.split('x', 1) }}{{ a.rsplit('', 1) }}{{ a.zfill(9) }}{{ '-1'.zfill(5) }}{{ a.partition('x') }}",
	} {
		f.Add(text)
	}
	object, err := jsontree.Parse([]byte(values))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		for _, format := range []Format{FString, Jinja2} {
			checkText(t, format, text, object)
		}
	})
}

// checkText checks that a text does not panic, stays within its limits, and
// gives the same result twice.
func checkText(t *testing.T, format Format, text string, object jsontree.Value) {
	t.Helper()
	var results [2]Result
	for i := range results {
		p, err := parseNew(format, text)
		var bug *jinja.BugError
		if err != nil || p == nil {
			if _, err = jinja.Parse(text); format == Jinja2 && errors.As(err, &bug) {
				t.Fatalf("parsing %q: %v", text, err)
			}
			return
		}
		budget := &Budget{meter: jinja.Meter{Steps: fuzzWork, Output: fuzzOutput, Stopped: func() error { return nil }}}
		results[i], err = budget.render(p, NewValues(object))
		if errors.As(err, &bug) {
			t.Fatalf("rendering %q: %v", text, err)
		}
		if err == nil && len(results[i].Text) > fuzzOutput {
			t.Fatalf("rendering %q gave %d bytes", text, len(results[i].Text))
		}
		if slices.Contains(results[i].Undefined, "a") {
			t.Fatalf("rendering %q misses a variable that is given", text)
		}
	}
	if results[0].Text != results[1].Text && !usesChance(text) {
		t.Fatalf("rendering %q gave %q, then %q", text, results[0].Text, results[1].Text)
	}
}

// usesChance reports whether the result of a text may be random.
func usesChance(text string) bool { return strings.Contains(text, "random") }
