package prompt_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
)

// expanded publishes a template and prepares it with its snippets.
func (r *suite) expanded(texts ...string) *prompt.Run {
	r.t.Helper()
	r.publish("reader", chat(texts...))
	return r.prepare("reader", prompt.Request{SkipRendering: true})
}

func TestSnippetsInPlace(t *testing.T) {
	snippet := func(name string, version int64, label string) prompt.Snippet {
		return prompt.Snippet{Name: name, Version: version, Label: label}
	}
	tests := []struct {
		name     string
		texts    []string
		want     []string
		snippets []prompt.Snippet
	}{
		{"none", []string{"plain"}, []string{"plain"}, nil},
		{"latest", []string{"<@@@a@@@>"}, []string{"<a2>"}, []prompt.Snippet{snippet("a", 2, "")}},
		{"version", []string{"@@@a@version_number:1@@@"}, []string{"a1"}, []prompt.Snippet{snippet("a", 1, "")}},
		{"version in braces", []string{"@@@a@version_number:{1}@@@"}, []string{"a1"}, []prompt.Snippet{snippet("a", 1, "")}},
		{"label", []string{"@@@a@label:prod@@@"}, []string{"a1"}, []prompt.Snippet{snippet("a", 1, "prod")}},
		{
			"without duplicates, in the order of the text",
			[]string{"@@@a@label:prod@@@@@@a@@@", "@@@a@@@@@@a@version_number:1@@@"},
			[]string{"a1a2", "a2a1"},
			[]prompt.Snippet{snippet("a", 1, "prod"), snippet("a", 2, ""), snippet("a", 1, "")},
		},
		{
			"nested, outer before inner",
			[]string{"@@@outer@@@ @@@a@@@"}, []string{"[[a1|a2]] a2"},
			[]prompt.Snippet{snippet("outer", 1, ""), snippet("inner", 1, ""), snippet("a", 1, "prod"), snippet("a", 2, "")},
		},
		{
			"diamond", []string{"@@@left@@@ @@@right@@@"}, []string{"L[a1|a2] R[a1|a2]"},
			[]prompt.Snippet{
				snippet("left", 1, ""), snippet("inner", 1, ""), snippet("a", 1, "prod"), snippet("a", 2, ""), snippet("right", 1, ""),
			},
		},
		{"several text items without a gap", []string{"@@@two@@@"}, []string{"onetwo"}, []prompt.Snippet{snippet("two", 1, "")}},
		{"names with signs", []string{"@@@a/b: c@x@@@"}, []string{"signs"}, []prompt.Snippet{snippet("a/b: c@x", 1, "")}},
		{"not created as a snippet", []string{"@@@plain@@@"}, []string{"plain text"}, []prompt.Snippet{snippet("plain", 1, "")}},
	}
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.publish("a", completion("a1"), "prod")
		r.publish("a", completion("a2"))
		r.publish("inner", completion("[@@@a@label:prod@@@|@@@a@@@]"))
		r.publish("outer", completion("[@@@inner@@@]"))
		r.publish("left", completion("L@@@inner@@@"))
		r.publish("right", completion("R@@@inner@@@"))
		r.publish("two", completion("one", "two"))
		r.publish("a/b: c@x", completion("signs"))
		check.Must(r.Publish(r.ctx, r.workspace, prompt.Publication{Name: "plain", Content: completion("plain text"), IsSnippet: new(false)}))(t)
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				run := r.expanded(test.texts...)
				check.Equal(t, "texts", texts(run.Prompt), test.want)
				check.Equal(t, "snippets", run.Snippets, test.snippets)
				check.Equal(t, "stored texts", texts(run.Content.Template), test.texts)
				check.Equal(t, "warning", run.Warning, "")
			})
		}
	})
}

func TestSnippetsBringTheirVariables(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.publish("greeting", completion("Dear {name},"))
	run := r.expanded("@@@greeting@@@ {question}")
	check.Equal(t, "variables", string(check.JSON(string(run.Expanded)).Get("input_variables").Raw()), `["question","name"]`)
	run = r.prepare("reader", prompt.Request{Variables: check.JSON(`{"name":"Ann","question":"why?"}`)})
	check.Equal(t, "rendered", texts(run.Prompt), []string{"Dear Ann, why?"})
}

// TestRejectedSnippets publishes to "a" in a registry where c uses b, b uses a,
// and l uses the version of a with the label prod.
func TestRejectedSnippets(t *testing.T) {
	tests := []struct {
		name    string
		content prompt.Content
		labels  []string
	}{
		{"unknown name", completion("@@@nothing@@@"), nil},
		{"name in another case", completion("@@@D@@@"), nil},
		{"unknown version", completion("@@@d@version_number:2@@@"), nil},
		{"huge version", completion("@@@d@version_number:9223372036854775807@@@"), nil},
		{"unknown label", completion("@@@d@label:nothing@@@"), nil},
		{"chat", completion("@@@talk@@@"), nil},
		{"chat in a chat", chat("ok", "@@@talk@@@"), nil},
		{"other workspace", completion("@@@elsewhere@@@"), nil},
		{"deleted", completion("@@@gone@@@"), nil},
		{"very long name", completion("@@@" + strings.Repeat("x", 100_000) + "@@@"), nil},
		{"itself", completion("@@@a@@@"), nil},
		{"itself by the new number", completion("@@@a@version_number:2@@@"), nil},
		{"itself by a label of the new version", completion("@@@a@label:new@@@"), []string{"new"}},
		{"through one other", completion("@@@b@@@"), nil},
		{"through one other, as a chat", chat("@@@b@@@"), nil},
		{"through two others", completion("@@@c@@@"), nil},
		{"through a label of the new version", completion("@@@l@@@"), []string{"prod"}},
	}
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.publish("a", completion("a1"), "prod")
		r.publish("b", completion("@@@a@@@"))
		r.publish("c", completion("@@@b@@@"))
		r.publish("l", completion("@@@a@label:prod@@@"))
		r.publish("d", completion("d"))
		r.publish("talk", chat("hello"))
		r.remove(r.publish("gone", completion("x")).Entity.ID)
		check.Must(r.Publish(r.ctx, r.other, prompt.Publication{Name: "elsewhere", Content: completion("x")}))(t)
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				r.unchanged(func() {
					_, err := r.Publish(r.ctx, r.workspace, prompt.Publication{
						Name: "a", Content: test.content, Release: registry.Release{Labels: test.labels},
					})
					check.Fault(t, err, fault.Invalid)
				})
			})
		}
		t.Run("an older version of itself is allowed", func(t *testing.T) {
			r.publish("a", completion("<@@@a@version_number:1@@@>"))
			check.Equal(t, "text", texts(r.get("a", registry.Selector{}).Expanded), []string{"<a1>"})
		})
		t.Run("a label that is not moved is allowed", func(t *testing.T) {
			r.publish("a", completion("<@@@l@@@>"))
			check.Equal(t, "text", texts(r.get("a", registry.Selector{}).Expanded), []string{"<a1>"})
		})
	})
}

func TestRefusalNamesEverySnippet(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	_, err := r.Publish(r.ctx, r.workspace, prompt.Publication{Name: "a", Content: completion("@@@x@@@ @@@y@label:z@@@")})
	var f *fault.Error
	if !errors.As(err, &f) || len(f.Fields) != 2 {
		t.Fatalf("got %v, want a fault with two fields", err)
	}
	for i, name := range []string{"x", "y"} {
		if !strings.Contains(f.Fields[i].Msg, name) {
			t.Errorf("field %d says %q, want the name %q in it", i, f.Fields[i].Msg, name)
		}
	}
}

func TestCyclesThroughMovedLabel(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		a := r.publish("a", completion("plain"), "prod")
		r.publish("b", completion("b:@@@a@label:prod@@@"))
		r.publish("a", completion("a:@@@b@@@"))
		label := check.Must(r.catalog.Entities.FindLabel(r.ctx, r.workspace, a.Entity.ID, "prod"))(t)
		check.Must(r.labels.MoveByID(r.ctx, r.workspace, entity.KindPrompt, label.ID, registry.Pointer{Number: 2}))(t)
		for name, want := range map[string]string{"a": "a:b:a:@@@b@@@", "b": "b:a:b:@@@a@label:prod@@@"} {
			run := r.prepare(name, prompt.Request{SkipRendering: true})
			check.Equal(t, "text of "+name, texts(run.Prompt), []string{want})
			if !strings.Contains(run.Warning, "could not be resolved") {
				t.Errorf("the warning of %s is %q", name, run.Warning)
			}
		}
		_, err := r.Publish(r.ctx, r.workspace, prompt.Publication{Name: "user", Content: completion("@@@b@@@")})
		check.Fault(t, err, fault.Invalid)
	})
}

func TestDeletedSnippets(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		part := r.publish("part", completion("x"), "prod")
		chained := r.publish("chained", completion("<@@@part@@@>"))
		r.publish("user", chat("@@@part@@@ {@@@part@label:prod@@@} @@@chained@@@"))
		r.remove(part.Entity.ID)
		run := r.prepare("user", prompt.Request{SkipRendering: true})
		check.Equal(t, "text", texts(run.Prompt), []string{"@@@part@@@ {@@@part@label:prod@@@} <@@@part@@@>"})
		check.Equal(t, "snippets", run.Snippets, []prompt.Snippet{{Name: "chained", Version: 1}})
		check.Equal(t, "warning", run.Warning, "Snippet part could not be resolved")
		// A template with the name, even of another type, is found again.
		r.publish("part", chat("hello"))
		run = r.prepare("user", prompt.Request{SkipRendering: true})
		check.Equal(t, "snippets of a chat", run.Snippets, []prompt.Snippet{{Name: "chained", Version: 1}})
		r.remove(chained.Entity.ID)
		_, err := r.Patch(r.ctx, r.workspace, "user", prompt.Patch{})
		check.Fault(t, err, fault.Invalid)
	})
}

func TestDeepNesting(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.publish("s1", completion("deep"))
	const most = 30
	for level := 2; level <= most; level++ {
		r.publish(fmt.Sprintf("s%d", level), completion(fmt.Sprintf("@@@s%d@@@", level-1)))
	}
	check.Equal(t, "text", texts(r.expanded(fmt.Sprintf("@@@s%d@@@", most)).Prompt), []string{"deep"})
	r.publish("s31", completion("@@@s30@@@"))
	_, err := r.Publish(r.ctx, r.workspace, prompt.Publication{Name: "reader", Content: completion("@@@s31@@@")})
	check.Fault(t, err, fault.Invalid)
	// What becomes too deep afterwards is expanded as far as possible.
	r.publish("bottom", completion("end"))
	r.publish("s1", completion("@@@bottom@@@"))
	run := r.prepare("s31", prompt.Request{SkipRendering: true})
	check.Equal(t, "text that is too deep", texts(run.Prompt), []string{"@@@bottom@@@"})
	check.Equal(t, "warning", run.Warning, "Snippet bottom could not be resolved")
}
