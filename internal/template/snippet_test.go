package template

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/jsontree"
)

func TestTags(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		text string
		want []Ref
	}{
		"none":                    {"a @@ b @ c", nil},
		"latest":                  {"a @@@name@@@ b", []Ref{{Name: "name"}}},
		"version":                 {"@@@name@version_number:12@@@", []Ref{{Name: "name", Version: 12}}},
		"label":                   {"@@@name@label:prod@@@", []Ref{{Name: "name", Label: "prod"}}},
		"version in braces":       {"@@@name@version_number:{3}@@@", []Ref{{Name: "name", Version: 3}}},
		"label in braces":         {"@@@name@label:{my prod}@@@", []Ref{{Name: "name", Label: "my prod"}}},
		"half a brace":            {"@@@name@label:{prod@@@", []Ref{{Name: "name", Label: "{prod"}}},
		"spaces and Unicode":      {"@@@ héllo wörld/日本 @@@", []Ref{{Name: " héllo wörld/日本 "}}},
		"lines":                   {"@@@a\nb@@@", []Ref{{Name: "a\nb"}}},
		"an at sign in a name":    {"@@@me@home@@@", []Ref{{Name: "me@home"}}},
		"an at sign in front":     {"@@@@name@@@", []Ref{{Name: "@name"}}},
		"shortest match":          {"@@@a@@@ text @@@b@@@", []Ref{{Name: "a"}, {Name: "b"}}},
		"side by side":            {"@@@a@@@@@@b@@@", []Ref{{Name: "a"}, {Name: "b"}}},
		"an at sign behind":       {"@@@a@@@@", []Ref{{Name: "a"}}},
		"once each":               {"@@@b@@@@@@a@@@@@@b@@@@@@b@label:x@@@", []Ref{{Name: "b"}, {Name: "a"}, {Name: "b", Label: "x"}}},
		"empty":                   {"@@@@@@", nil},
		"empty, then a name":      {"@@@@@@a@@@", []Ref{{Name: "a"}}},
		"only at signs":           {"@@@@@@@@@", nil},
		"unterminated":            {"@@@name", nil},
		"unterminated by one":     {"@@@name@@", nil},
		"second one unterminated": {"@@@a@@@ @@@b", []Ref{{Name: "a"}}},
		"the last suffix counts":  {"@@@a@label:x@version_number:2@@@", []Ref{{Name: "a@label:x", Version: 2}}},
		"the last label counts":   {"@@@a@version_number:2@label:x@label:y@@@", []Ref{{Name: "a@version_number:2@label:x", Label: "y"}}},
		"no number":               {"@@@a@version_number:two@@@", []Ref{{Name: "a@version_number:two"}}},
		"version zero":            {"@@@a@version_number:0@@@", []Ref{{Name: "a@version_number:0"}}},
		"negative version":        {"@@@a@version_number:-1@@@", []Ref{{Name: "a@version_number:-1"}}},
		"signed version":          {"@@@a@version_number:+1@@@", []Ref{{Name: "a@version_number:+1"}}},
		"huge version":            {"@@@a@version_number:9223372036854775808@@@", []Ref{{Name: "a@version_number:9223372036854775808"}}},
		"no label":                {"@@@a@label:@@@", []Ref{{Name: "a@label:"}}},
		"empty label in braces":   {"@@@a@label:{}@@@", []Ref{{Name: "a@label:{}"}}},
		"no name":                 {"@@@@label:x@@@", []Ref{{Name: "@label:x"}}},
		"case":                    {"@@@A@@@@@@a@@@", []Ref{{Name: "A"}, {Name: "a"}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var refs refList
			refs.add(c.text)
			if diff := cmp.Diff(c.want, refs.list); diff != "" {
				t.Errorf("references (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRefs(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		template string
		want     []Ref
	}{
		"none":        {itemsOf(`{"type":"text","text":"x"}`), nil},
		"completion":  {itemsOf(`{"type":"text","text":"@@@a@@@"},{"type":"code","code":"@@@no@@@"},{"type":"text","text":"@@@b@@@@@@a@@@"}`), []Ref{{Name: "a"}, {Name: "b"}}},
		"chat":        {chatOf(`{"role":"user","name":"@@@no@@@","content":[{"type":"text","text":"@@@b@@@"}]},{"role":"assistant","content":null},{"role":"user","content":[{"type":"text","text":"@@@a@@@"}]}`), []Ref{{Name: "b"}, {Name: "a"}}},
		"escaped":     {itemsOf(`{"type":"text","text":"\u0040@@a\u0040@@"}`), []Ref{{Name: "a"}}},
		"no template": {`{"content":[{"type":"text","text":"@@@a@@@"}],"type":"x"}`, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, Refs(tree(t, c.template))); diff != "" {
				t.Errorf("references (-want +got):\n%s", diff)
			}
		})
	}
}

// resolveSome resolves the snippets of the tests.
func resolveSome(ref Ref) (string, bool) {
	texts := map[Ref]string{
		{Name: "hi"}: "hello {who}", {Name: "hi", Version: 2}: "hello \"2\"\n", {Name: "tag"}: "@@@hi@@@",
		{Name: "empty"}: "", {Name: "plain"}: "plain",
	}
	text, ok := texts[ref]
	return text, ok
}

func TestExpandText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"none":                       {"x", "x"},
		"whole":                      {"@@@hi@@@", "hello {who}"},
		"among text":                 {"a @@@hi@@@ b @@@hi@version_number:2@@@ c", "a hello {who} b hello \"2\"\n c"},
		"unresolved":                 {"a @@@no@@@ b @@@hi@@@", "a @@@no@@@ b hello {who}"},
		"nothing":                    {"a@@@empty@@@b", "ab"},
		"tags of snippets stay":      {"@@@tag@@@", "@@@hi@@@"},
		"unterminated":               {"@@@hi@@@ @@@hi", "hello {who} @@@hi"},
		"unresolved next to another": {"@@@no@@@@@@plain@@@", "@@@no@@@plain"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, ExpandText(c.text, resolveSome)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

func TestExpandedSizeIsLimited(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", MaxExpanded/2)
	got := ExpandText("@@@a@@@@@@a@@@@@@a@@@@@@a@@@", func(Ref) (string, bool) { return large, true })
	if want := large + large + "@@@a@@@@@@a@@@"; got != want {
		t.Errorf("%d bytes ending in %q, want %d", len(got), got[max(0, len(got)-20):], len(want))
	}
	tags := strings.Repeat("@@@a@@@", 3)
	template := tree(t, itemsOf(`{"type":"text","text":"`+tags+`"},{"type":"text","text":"`+tags+`"}`))
	expanded := Expand(template, func(Ref) (string, bool) { return large, true })
	if most := MaxExpanded + len(template.Raw()); len(expanded) > most {
		t.Errorf("the template has %d bytes, more than %d", len(expanded), most)
	}
}

func TestExpand(t *testing.T) {
	t.Parallel()
	text := func(s string) string { return `{"type":"text","text":"` + s + `"}` }
	cases := map[string]struct{ template, want string }{
		"no tags":    {chatOf(`{"role":"user","content":[` + text("{a}") + `],"input_variables":["a"]}`), ""},
		"unresolved": {itemsOf(text("@@@no@@@")), ""},
		"elsewhere":  {itemsOf(`{"type":"code","code":"@@@hi@@@"}`), ""},
		"completion": {
			`{ "type":"completion", "content":[ {"type":"text", "x":1.0, "text":"a @@@hi@@@"} ], "input_variables":["z"] }`,
			`{ "type":"completion", "content":[ {"type":"text", "x":1.0, "text":"a hello {who}"} ], "input_variables":["z","who"] }`,
		},
		"quotes": {itemsOf(text(`@@@hi@version_number:2@@@\t`)), itemsOf(text(`hello \"2\"\u000a\u0009`))},
		"chat": {
			`{"input_variables":["a"],"type":"chat","messages":[{"role":"user","input_variables":["a"],"content":[` + text("{a}") + `,` + text("@@@hi@@@") + `]},{"role":"user","content":[` + text("@@@plain@@@") + `],"input_variables":[]}]}`,
			`{"input_variables":["a","who"],"type":"chat","messages":[{"role":"user","input_variables":["a","who"],"content":[` + text("{a}") + `,` + text("hello {who}") + `]},{"role":"user","content":[` + text("plain") + `],"input_variables":[]}]}`,
		},
		"unresolved tags name nothing": {
			`{"type":"completion","content":[` + text("@@@no@label:{x}@@@@@@hi@@@") + `],"input_variables":[]}`,
			`{"type":"completion","content":[` + text("@@@no@label:{x}@@@hello {who}") + `],"input_variables":["who"]}`,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			template := tree(t, c.template)
			got := Expand(template, resolveSome)
			if c.want == "" {
				if &got[0] != &template.Raw()[0] || len(got) != len(c.template) {
					t.Errorf("template is a copy: %s", got)
				}
				return
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Errorf("template (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSnippetText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ template, want string }{
		"texts":     {itemsOf(`{"type":"text","text":"a\n"},{"type":"code","code":"c"},{"type":"text","text":"@@@b@@@"}`), "a\n@@@b@@@"},
		"no items":  {itemsOf(``), ""},
		"chat":      {chatOf(`{"role":"user","content":[{"type":"text","text":"x"}]}`), ""},
		"no object": {`[]`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := SnippetText(tree(t, c.template)); got != c.want {
				t.Errorf("text = %q, want %q", got, c.want)
			}
		})
	}
	if got := SnippetText(jsontree.Value{}); got != "" {
		t.Errorf("text of nothing = %q", got)
	}
}
