package template

import (
	"bytes"
	"testing"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template/render"
)

// FuzzTemplate passes any JSON value to everything that reads templates.
func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{
		chatBase, completionBase, `{}`, `[]`, `"x"`, `null`,
		chatOf(`{"role":"placeholder","name":"h"},{"role":"user","content":[{"type":"text","text":"@@@hi@@@ {a} @@@x@label:{y}@@@"}]}`),
		itemsOf(`{"type":"image_url","image_url":{"url":""},"image_variable":"a"},{"type":"media_variable","name":"a"},{"type":"text","text":"{a}}"}`),
		jinjaTools(`{"type":"variable","name":"a"},{"type":"mcp","x":{"type":"enum_variable","name":"a"},"y":"{{ a }}"}`),
		`{"type":"chat","messages":[{"role":"user","role":"tool","content":1,"content":[]}],"tools":[{"type":"function","function":{"name":"f","name":"g","strict":null}}]}`,
	} {
		f.Add([]byte(seed))
	}
	values := valuesOf(f, `{"a":["x",{"name":"f"}],"b":"y","h":[{"role":"user","content":"{a}"}]}`)
	f.Fuzz(func(t *testing.T, text []byte) {
		template, err := jsontree.Parse(text)
		if err != nil {
			return
		}
		valid(t, "expanded", Expand(template, resolveSome))
		valid(t, "injected", InjectPlaceholders(template, values))
		valid(t, "normalized", Normalize(template))
		if r, err := Render(template, values, render.NewBudget(t.Context(), nil)); err == nil {
			valid(t, "rendered", r.Template)
		}
		Refs(template)
		SnippetText(template)
		checkAll(template, Lenient)
		patchItself(t, template)
		if !checkAll(template, Strict).Any() {
			normalizeTwice(t, template)
		}
	})
}

// valid fails unless text is valid JSON. A deeply nested text may exceed the
// depth limit.
func valid(t *testing.T, what string, text []byte) jsontree.Value {
	t.Helper()
	v, err := jsontree.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v in %s", what, err, text)
	}
	return v
}

// patchItself uses one value as the base, the changes and the metadata.
func patchItself(t *testing.T, v jsontree.Value) {
	t.Helper()
	changes := Changes{
		Messages: v.Get("messages"), Tools: v.Get("tools"), Functions: v.Get("functions"),
		FunctionCall: v.Get("function_call"), ToolChoice: v.Get("tool_choice"), Content: v.Get("content"),
	}
	if text, err := Patch(v, changes); err == nil {
		valid(t, "patched", text)
	} else if fault.KindOf(err) == fault.Internal {
		t.Errorf("patch: %v", err)
	}
	if text, err := PatchMetadata(v, v, v.Get("response_format")); err == nil {
		valid(t, "patched metadata", text)
	}
	var problems fault.Problems
	CheckMetadata(v, nil, "metadata", &problems)
}

func normalizeTwice(t *testing.T, template jsontree.Value) {
	t.Helper()
	once := Normalize(template)
	normal := valid(t, "normalized", once)
	if got := broken(checkAll(normal, Strict)); got != nil {
		t.Errorf("the normal form breaks rules: %v in %s", got, once)
	}
	if again := Normalize(normal); !bytes.Equal(once, again) {
		t.Errorf("normal form\n%s becomes\n%s", once, again)
	}
	if got, want := len(Refs(normal)), len(Refs(template)); got != want {
		t.Errorf("%d references, want %d", got, want)
	}
}
