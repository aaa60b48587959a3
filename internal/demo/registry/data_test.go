package registry

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/demo"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template"
)

// The names and variables of prompts must match those of the generated logs.
func TestPromptsMatchLogs(t *testing.T) {
	t.Parallel()
	var names []string
	for _, known := range demo.Templates() {
		names = append(names, known.Name)
	}
	for i := range demoPrompts {
		p := &demoPrompts[i]
		if !slices.Contains(names, p.name) {
			t.Errorf("no log refers to %s", p.name)
		}
		newest := p.versions[len(p.versions)-1]
		tree, err := jsontree.Parse(newest.template(p.jinja2, nil))
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		normal, err := jsontree.Parse(template.Normalize(tree))
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		var used []string
		for _, variable := range normal.Get("input_variables").Elems() {
			used = append(used, variable.Str())
		}
		slices.Sort(used)
		if diff := cmp.Diff(slices.Sorted(slices.Values(p.variables)), used); diff != "" {
			t.Errorf("variables of %s (-declared +used):\n%s", p.name, diff)
		}
		for _, variable := range p.variables {
			if !demo.KnowsVariable(variable) {
				t.Errorf("logs have no values for the variable %s of %s", variable, p.name)
			}
		}
	}
}

func TestRowsDependOnlyOnSeed(t *testing.T) {
	t.Parallel()
	rows := map[string]func(f *Filler) []byte{
		"questions":   func(f *Filler) []byte { return f.questionRows(0.5, 0.9) },
		"regressions": func(f *Filler) []byte { return f.regressionRows(0.5) },
	}
	for name, of := range rows {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := of(New(Services{}, Config{Seed: 1}))
			if diff := cmp.Diff(string(first), string(of(New(Services{}, Config{Seed: 1})))); diff != "" {
				t.Errorf("same seed, different rows:\n%s", diff)
			}
			if string(first) == string(of(New(Services{}, Config{Seed: 2}))) {
				t.Error("different seeds, same rows")
			}
		})
	}
}

func TestRegressionRowsShareTickets(t *testing.T) {
	t.Parallel()
	f := New(Services{}, Config{Seed: 1})
	worse, better := columnsOf(t, f.regressionRows(0.7)), columnsOf(t, f.regressionRows(0.9))
	for _, column := range []string{"id", "ticket", "expected_category", "expected_priority"} {
		if diff := cmp.Diff(worse[column], better[column]); diff != "" {
			t.Errorf("column %s differs:\n%s", column, diff)
		}
	}
	if cmp.Equal(worse["category"], better["category"]) {
		t.Error("the classifier gives the same results in both files")
	}
}

func TestReplyColumnsShareQuestions(t *testing.T) {
	t.Parallel()
	f := New(Services{}, Config{Seed: 1})
	first, second := columnsOf(t, f.questionRows(0.5)), columnsOf(t, f.questionRows(0.5, 0.9))
	if got := len(first["question"]); got != 40 {
		t.Errorf("%d questions, want 40", got)
	}
	if cmp.Equal(second["reply_v4"], second["reply_v5"]) {
		t.Error("both versions give the same replies")
	}
	delete(second, "reply_v5")
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("shared columns differ:\n%s", diff)
	}
}

func columnsOf(t *testing.T, file []byte) map[string][]string {
	t.Helper()
	tree, err := jsontree.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	columns := map[string][]string{}
	for _, row := range tree.Elems() {
		for name, cell := range row.Members() {
			columns[name] = append(columns[name], cell.Str())
		}
	}
	return columns
}
