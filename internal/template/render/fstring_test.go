package render

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFString(t *testing.T) {
	t.Parallel()
	values := `{"x": "one", "n": 1.50, "yes": true, "no": false, "nothing": null, "list": [1, "a'b", null, true, 2.0], "object": {"k": "v", "n": {"m": []}}, "über": "u", "0": "zero", "esc": "{x}", "nl": ["a\nb\\\u0007é\ud83d\ude00\u00a0\"'"]}`
	tests := map[string]struct {
		text      string
		want      string
		names     []string
		undefined []string
	}{
		"a variable":                       {"a {x} b", "a one b", []string{"x"}, nil},
		"several, some twice":              {"{x}{n}{x}", "one1.50one", []string{"x", "n"}, nil},
		"nothing to do":                    {"plain", "plain", nil, nil},
		"escaped braces":                   {"{{x}} {{{x}}} }}{{", "{x} {one} }{", []string{"x"}, nil},
		"escaped closing only":             {"a }} b", "a } b", nil, nil},
		"a conversion":                     {"{x!r}", "one", []string{"x"}, nil},
		"a specification":                  {"{x:>10}{n:{width}.2f}", "one1.50", []string{"x", "n"}, nil},
		"both":                             {"{x!s:^5}", "one", []string{"x"}, nil},
		"a conversion that is a brace":     {"{x!}}", "one", []string{"x"}, nil},
		"booleans":                         {"{yes} {no}", "True False", []string{"yes", "no"}, nil},
		"null counts as missing":           {"[{nothing}]", "[]", []string{"nothing"}, []string{"nothing"}},
		"missing":                          {"[{b}{a}{b}]", "[]", []string{"b", "a"}, []string{"b", "a"}},
		"a list":                           {"{list}", `[1, "a'b", None, True, 2.0]`, []string{"list"}, nil},
		"an object":                        {"{object}", `{'k': 'v', 'n': {'m': []}}`, []string{"object"}, nil},
		"a text within a list":             {"{nl}", `['a\nb\\\x07é😀\xa0"\'']`, []string{"nl"}, nil},
		"values are not rendered again":    {"{esc}", "{x}", []string{"esc"}, nil},
		"letters of any script":            {"{über}", "u", []string{"über"}, nil},
		"digits":                           {"{0}", "zero", []string{"0"}, nil},
		"no name":                          {"a {} {:x} {!r} b", "a {} {:x} {!r} b", nil, nil},
		"JSON stays":                       {`{"name": {"first": 1}} {x}`, `{"name": {"first": 1}} one`, []string{`"name"`, "x"}, nil},
		"spaces are part of the name":      {"{ x }", "{ x }", []string{" x "}, nil},
		"attributes and items stay":        {"{x.y} {x[0]} {x[a}b]}", "{x.y} {x[0]} {x[a}b]}", []string{"x.y", "x[0]", "x[a}b]"}, nil},
		"a lone closing brace":             {"{x} } y", "{x} } y", nil, nil},
		"a lone opening brace":             {"{x} { y", "{x} { y", nil, nil},
		"an opening brace at the end":      {"{x} {", "{x} {", nil, nil},
		"a brace within a name":            {"{x{y}}", "{x{y}}", nil, nil},
		"an open bracket":                  {"{x[0}", "{x[0}", nil, nil},
		"a conversion without an end":      {"{x!", "{x!", nil, nil},
		"a conversion of two letters":      {"{x!rs}", "{x!rs}", nil, nil},
		"a specification without an end":   {"{x:{y}", "{x:{y}", nil, nil},
		"JSON with braces in a brace name": {`{{"a": {x}}}`, `{"a": one}`, []string{"x"}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Text(FString, test.text, valuesOf(t, values), NewBudget(context.Background(), nil))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(Result{test.want, test.undefined}, got); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.names, Variables(FString, test.text)); diff != "" {
				t.Errorf("variables (-want +got):\n%s", diff)
			}
		})
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	var none *Values
	if _, ok := none.Get("x"); ok {
		t.Error("nil values contain x")
	}
	if _, ok := valuesOf(t, `[1]`).Get("x"); ok {
		t.Error("values of a list contain x")
	}
	values := valuesOf(t, `{"x": 1, "nothing": null, "x": 2}`)
	if v, ok := values.Get("x"); !ok || string(v.Raw()) != "2" {
		t.Errorf("x = %s, %v, want the last of two", v.Raw(), ok)
	}
	if _, ok := values.Get("nothing"); !ok {
		t.Error("a given null is missing")
	}
	got, err := Text(FString, "{x}", none, NewBudget(context.Background(), nil))
	if err != nil || got.Text != "" {
		t.Errorf("without values: %+v, %v", got, err)
	}
}
