package jinja

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVariables(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		source string
		want   []string
	}{
		"root names only":                  {"{{ user.name }}{{ user['x'] }}{{ items[idx].y }}", []string{"user", "items", "idx"}},
		"each once in order":               {"{{ b }}{{ a }}{{ b }}", []string{"b", "a"}},
		"nothing":                          {"plain {# comment #}{{ 'x' }}{{ none }}{{ True }}", nil},
		"set":                              {"{% set x = y %}{{ x }}", []string{"y"}},
		"used before it is set":            {"{{ x }}{% set x = 1 %}", []string{"x"}},
		"set from itself":                  {"{% set x = x %}{{ x }}", []string{"x"}},
		"set on one way only":              {"{% if a %}{% set x = 1 %}{% endif %}{{ x }}", []string{"a", "x"}},
		"set on every way":                 {"{% if a %}{% set x = 1 %}{% elif b %}{% set x = 2 %}{% else %}{% set x = 3 %}{% endif %}{{ x }}", []string{"a", "b"}},
		"set block":                        {"{% set x | replace(p, q) %}{{ y }}{% endset %}{{ x }}", []string{"y", "p", "q"}},
		"several targets":                  {"{% set a, (b, c) = d %}{{ a }}{{ b }}{{ c }}", []string{"d"}},
		"namespace":                        {"{% set ns = namespace(n=z) %}{% set ns.n = 1 %}{{ ns.n }}", []string{"z"}},
		"attribute of what is not set":     {"{% set ns.n = 1 %}", []string{"ns"}},
		"loop variable":                    {"{% for a, b in c.items() if b > d %}{{ loop.index }}{{ a }}{{ e }}{% else %}{{ a }}{% endfor %}", []string{"c", "d", "e", "a"}},
		"loop variable of its own name":    {"{% for x in x %}{{ x }}{% endfor %}", []string{"x"}},
		"set within a loop stays there":    {"{% for a in b %}{% set q = 1 %}{{ q }}{% endfor %}{{ q }}", []string{"b", "q"}},
		"with":                             {"{% with a = b, c = a %}{{ a }}{{ c }}{% endwith %}{{ c }}", []string{"b", "a", "c"}},
		"macro":                            {"{% macro m(a, b=z) %}{{ a }}{{ b }}{{ g }}{{ varargs }}{{ kwargs }}{{ caller() }}{{ m(1) }}{% endmacro %}{{ m(y) }}", []string{"z", "g", "y"}},
		"macro sees what is set later":     {"{% macro m() %}{{ late }}{{ other() }}{% endmacro %}{% set late = 1 %}{% macro other() %}{% endmacro %}{{ m() }}", nil},
		"call":                             {"{% call(u) m(a) %}{{ u }}{{ v }}{% endcall %}", []string{"m", "a", "v"}},
		"filter block and its arguments":   {"{% filter replace(a, b) %}{{ c }}{% endfilter %}", []string{"c", "a", "b"}},
		"block":                            {"{% set s = 1 %}{% for i in x %}{% block b %}{{ s }}{{ i }}{% endblock %}{% endfor %}{{ self.b() }}", []string{"x", "i"}},
		"scoped block":                     {"{% for i in x %}{% block b scoped %}{{ i }}{% endblock %}{% endfor %}", []string{"x"}},
		"imports":                          {"{% import t as u %}{{ u.x }}{% from v import a as b, c %}{{ a }}{{ b }}{{ c }}{% include inc %}", []string{"t", "v", "a", "inc"}},
		"built-in names":                   {"{{ range(n) }}{{ dict() }}{{ lipsum() }}{{ cycler(1) }}{{ joiner() }}{{ namespace() }}{{ loop }}", []string{"n"}},
		"every kind of expression":         {"{{ (a if b else c) ~ [d, -e] + {f: g}[h:i:j] and not k(*l, **m) or n is divisibleby o in (p, q)|join(r) }}", []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r"}},
		"asked for only":                   {"{{ a|default(b) }}{% if c is defined %}{% endif %}", []string{"a", "b", "c"}},
		"within raw text and in a comment": {"{% raw %}{{ a }}{% endraw %}{# {{ b }} #}{{ c }}", []string{"c"}},
		"autoescape and do":                {"{% autoescape a %}{{ b }}{% endautoescape %}{% do c.append(d) %}", []string{"a", "b", "c", "d"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			template, err := Parse(test.source)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, template.Variables()); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
		})
	}
}
