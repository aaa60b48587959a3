package jinja

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRender covers behaviour that differs from Python's engine or that Python
// does not define.
func TestRender(t *testing.T) {
	t.Parallel()
	variables := `{"n": 1.50, "whole": 10.0, "exp": 1E5, "huge": 123456789012345678901234567890, "zero": -0, "d": {"b": 1, "a": 2, "b": 3}, "range": 7, "f": 2.0}`
	tests := map[string]struct{ source, want string }{
		"numbers print as written":            {"{{ n }} {{ whole }} {{ exp }} {{ huge }} {{ zero }} {{ [n, exp] }}", "1.50 10.0 1E5 123456789012345678901234567890 -0 [1.50, 1E5]"},
		"numbers compute as numbers":          {"{{ n + 1 }} {{ exp * 2 }} {{ huge + 1 }} {{ n == 1.5 }} {{ zero + 0 }}", "2.5 200000.0 123456789012345678901234567891 True 0"},
		"the last of two members counts":      {"{{ d }} {{ d.b }}", "{'b': 3, 'a': 2} 3"},
		"a variable hides a built-in name":    {"{{ range }}", "7"},
		"an include may be missing":           {"a{% include 'x' ignore missing %}b", "ab"},
		"a function has no address":           {"{{ dict }} {{ [].append }}", "<function dict> <function append>"},
		"a macro has a name":                  {"{% macro m() %}{% endmacro %}{{ m }} {{ m.name }}", "<Macro 'm'> m"},
		"lipsum is always the same":           {"{{ lipsum(2, html=false) == lipsum(2, html=false) }} {{ lipsum(0) }}", "True "},
		"random picks an element":             {"{{ [4]|random }}{{ []|random }}", "4"},
		"a group by its parts":                {"{% for g in [{'k': 1}]|groupby('k') %}{{ g.grouper }}{{ g.list }}{% endfor %}", "1[{'k': 1}]"},
		"a list may contain a copy of itself": {"{% set l = [1] %}{% do l.append(l[:]) %}{{ l }}", "[1, [1]]"},
		"whole floats are keys of ints":       {"{{ {1: 'a'}[1.0] }}{{ {1: 'a'}[true] }}{{ {f: 'b'}[2] }}", "aab"},
		"carriage returns stay":               {"a\r\n{{ n }}\r\n", "a\r\n1.50\r\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := render(t, test.source, variables, plenty())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, out.Text); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		source string
		want   []string
	}{
		"in order of use, each once":      {"{{ b }}{{ a.x.y }}{{ b }}{{ given }}", []string{"b", "a"}},
		"a given null is there":           {"{{ nothing }}", nil},
		"only what is run":                {"{% if given %}{{ a }}{% else %}{{ b }}{% endif %}", []string{"a"}},
		"asked for with a default":        {"{{ a|default('x') }}{{ b.c|d('x') }}{% if e is defined %}{% endif %}", nil},
		"asked for and then used":         {"{% if a is not defined %}{{ a }}{% endif %}", []string{"a"}},
		"in a condition":                  {"{% if a %}{% endif %}{% for x in b %}{% endfor %}", []string{"a", "b"}},
		"missing attributes do not count": {"{{ given.x }}{{ given['y'] }}", nil},
		"scopes are not missing":          {"{% set a = 1 %}{% for b in [1] %}{{ a }}{{ b }}{% endfor %}{{ b }}", []string{"b"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := render(t, test.source, `{"given": {"k": 1}, "nothing": null}`, plenty())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, out.Missing); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRenderStopsAtLimits(t *testing.T) {
	t.Parallel()
	errStop := errors.New("stop")
	tests := map[string]struct {
		meter Meter
		want  string
	}{
		"steps":  {Meter{Steps: 100, Memory: 1 << 20, Output: 1 << 20}, "step"},
		"memory": {Meter{Steps: 1 << 20, Memory: 100, Output: 1 << 20}, "memory"},
		"output": {Meter{Steps: 1 << 20, Memory: 1 << 20, Output: 100}, "output"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.meter.Stopped = func() error { return nil }
			_, err := render(t, "{% for i in range(1000) %}{% set x = i ~ 'abc' %}abc{% endfor %}", `{}`, &test.meter)
			var limit *LimitError
			if !errors.As(err, &limit) || limit.Limit != test.want {
				t.Errorf("error = %v, want the %s limit", err, test.want)
			}
		})
	}
	t.Run("stopped on the way", func(t *testing.T) {
		t.Parallel()
		asked := 0
		meter := plenty()
		meter.Stopped = func() error {
			if asked++; asked > 2 {
				return errStop
			}
			return nil
		}
		if _, err := render(t, "{% for i in range(100000) %}{% endfor %}", `{}`, meter); !errors.Is(err, errStop) {
			t.Errorf("error = %v, want the error of the meter", err)
		}
	})
}
