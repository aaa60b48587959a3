package reqlog

import (
	"strings"
	"testing"
	"time"
)

func TestFindObject(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		text   string
		object string // "" when there is none
		before string
	}{
		"object":                  {`{"a":1}`, `{"a":1}`, ""},
		"empty object":            {`{}`, `{}`, ""},
		"white space around":      {"\n {\"a\":1}\t\n", `{"a":1}`, ""},
		"array":                   {`[1,2]`, "", ""},
		"array of objects":        {`[{"a":1}]`, "", ""},
		"number":                  {`42`, "", ""},
		"string":                  {`"{}"`, "", ""},
		"empty":                   {``, "", ""},
		"blank":                   {" \n", "", ""},
		"prose":                   {`Hello there.`, "", ""},
		"prose with braces":       {`Use {name} here}`, "", ""},
		"broken":                  {`{"a":1,}`, "", ""},
		"trailing prose":          {`{"a":1} is it`, "", ""},
		"fence":                   {"```json\n{\"a\":1}\n```", `{"a":1}`, ""},
		"fence without language":  {"```\n{\"a\":1}\n```\n", `{"a":1}`, ""},
		"fence on one line":       {"```{\"a\":1}```", `{"a":1}`, ""},
		"fence after prose":       {"Here you are:\n```json\n{\"a\":1}\n```", `{"a":1}`, "Here you are:\n"},
		"fence with array":        {"```json\n[1]\n```", "", ""},
		"fence with prose":        {"```text\nsee {\"a\":1}\n```", "", ""},
		"fence before prose":      {"```json\n{\"a\":1}\n```\nDone.", "", ""},
		"fences in a string":      {"```json\n{\"code\":\"```go\"}\n```", "{\"code\":\"```go\"}", ""},
		"second fence":            {"```sh\nls\n```\nand\n```json\n{\"a\":1}\n```", `{"a":1}`, "```sh\nls\n```\nand\n"},
		"only a fence":            {"```", "", ""},
		"two fences, no body":     {"``````", "", ""},
		"preamble":                {`Result: {"a":{"b":"}"}}`, `{"a":{"b":"}"}}`, "Result: "},
		"preamble with quotes":    {`He said "no" {x} isn't it: {"a":"{\"b\"}\\"}`, `{"a":"{\"b\"}\\"}`, `He said "no" {x} isn't it: `},
		"escaped quote and brace": {`so {"a":"}\""}`, `{"a":"}\""}`, "so "},
		"braces before":           {`{note} {"a":1}`, `{"a":1}`, "{note} "},
		"lines of JSON":           {"{\"a\":1}\n{\"b\":2}", `{"b":2}`, "{\"a\":1}\n"},
		"code":                    {`func f() { return }`, "", ""},
		"odd quote":               {`say "{ }`, `{ }`, `say "`},
		"string never opened":     {`x" }`, "", ""},
		"only closing":            {`}`, "", ""},
		"unmatched":               {`a } b }`, "", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			object, before, ok := findObject(c.text)
			if got := string(object.Raw()); ok != (c.object != "") || ok && got != c.object {
				t.Errorf("findObject(%q) = %q, %v, want %q", c.text, got, ok, c.object)
			}
			if ok && before != c.before {
				t.Errorf("before the object of %q is %q, want %q", c.text, before, c.before)
			}
		})
	}
}

// These texts would make a forward search try every brace.
func TestFindObjectIsLinear(t *testing.T) {
	t.Parallel()
	const size = 4 << 20
	start := time.Now()
	for _, unit := range []string{"{", "}", `"`, `\"`, `\\"`, "{}", `{"`, `"}`, "```", "```{", "{\"a\":"} {
		text := strings.Repeat(unit, size/len(unit))
		for _, tail := range []string{"", "}", "```"} {
			findObject(text + tail)
		}
	}
	// 33 texts of 4 MiB take well under a second each; quadratic time would be hours.
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
}
