package reqlog_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
)

func TestServiceSuggestQueriesStore(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in      reqlog.SuggestInput
		field   reqlog.Field
		wantKey string
	}{
		{reqlog.SuggestInput{Field: "engine", Key: "ignored"}, reqlog.FieldEngine, ""},
		{reqlog.SuggestInput{Field: "provider_type"}, reqlog.FieldProvider, ""},
		{reqlog.SuggestInput{Field: "prompt_id", PromptID: 11}, reqlog.FieldPromptID, ""},
		{reqlog.SuggestInput{Field: "tags"}, reqlog.FieldTags, ""},
		{reqlog.SuggestInput{Field: "metadata_keys"}, reqlog.FieldMetadataKeys, ""},
		{reqlog.SuggestInput{Field: "status"}, reqlog.FieldStatus, ""},
		{reqlog.SuggestInput{Field: "tool_names"}, reqlog.FieldToolNames, ""},
		{reqlog.SuggestInput{Field: "output_keys"}, reqlog.FieldOutputKeys, ""},
		{reqlog.SuggestInput{Field: "input_variable_keys"}, reqlog.FieldVariableKeys, ""},
		{reqlog.SuggestInput{Field: "metadata_values", Key: "user.id"}, reqlog.FieldMetadata, "user.id"},
		{reqlog.SuggestInput{Field: "output_values", Key: "a"}, reqlog.FieldOutput, "a"},
		{reqlog.SuggestInput{Field: "input_variable_values", Key: "city"}, reqlog.FieldVariables, "city"},
	}
	for _, test := range tests {
		t.Run(test.in.Field, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			test.in.Prefix, test.in.Filter = "Pre", promptIs("Wave")
			got, err := f.Suggest(access.AsSystem(t.Context()), home, test.in)
			if diff := cmp.Diff([]string{"suggested"}, got); err != nil || diff != "" {
				t.Errorf("values: %v (-want +got):\n%s", err, diff)
			}
			want := reqlog.SuggestQuery{
				Query: reqlog.Query{Workspace: home, Filter: promptIDIs(12)},
				Field: test.field, Key: test.wantKey, Prefix: "Pre", Limit: 100,
			}
			if diff := cmp.Diff(want, f.store.suggest); diff != "" {
				t.Errorf("query (-want +got):\n%s", diff)
			}
		})
	}
}

func TestServiceSuggestRejects(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		in       reqlog.SuggestInput
		loc, typ string
	}{
		{"no field", reqlog.SuggestInput{}, "field", "missing"},
		{"unknown field", reqlog.SuggestInput{Field: "latency_ms"}, "field", "enum"},
		{"metadata values without a key", reqlog.SuggestInput{Field: "metadata_values"}, "metadata_key", "missing"},
		{"output values without a key", reqlog.SuggestInput{Field: "output_values"}, "metadata_key", "missing"},
		{"variables without a key", reqlog.SuggestInput{Field: "input_variable_values"}, "metadata_key", "missing"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := newFixture(t).Suggest(access.AsSystem(t.Context()), home, test.in)
			var f *fault.Error
			if !errors.As(err, &f) || f.Kind != fault.Invalid || len(f.Fields) != 1 {
				t.Fatalf("error = %v, want one broken rule", err)
			}
			if diff := cmp.Diff([]any{"query", test.loc}, f.Fields[0].Loc); diff != "" || f.Fields[0].Type != test.typ {
				t.Errorf("broken rule = %+v", f.Fields[0])
			}
		})
	}
}

func TestServiceSuggestsPromptsByName(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.prompts.names[14], f.prompts.versions[14] = "wave", [][]string{nil}
	for _, name := range []string{"farewell", "farewell", "welcome", "Wave", "wave", ""} {
		f.logged(t, named(reqlog.PromptRef{Name: name}))
	}
	// A deleted prompt has the same name as welcome, and one prompt has no name.
	for id, name := range map[int64]string{21: "welcome", 22: ""} {
		f.prompts.names[id], f.prompts.versions[id] = name, [][]string{nil}
		for range 3 {
			f.logged(t, named(reqlog.PromptRef{ID: id}))
		}
	}
	delete(f.prompts.names, 22)
	tests := []struct {
		name string
		in   reqlog.SuggestInput
		want []string
	}{
		{"most frequent, then by name", reqlog.SuggestInput{}, []string{"welcome", "farewell", "Wave", "wave"}},
		{"prefix of the name without case", reqlog.SuggestInput{Prefix: "WA"}, []string{"Wave", "wave"}},
		{"nothing", reqlog.SuggestInput{Prefix: "11"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.in.Field = "prompt"
			got, err := f.Suggest(access.AsSystem(t.Context()), home, test.in)
			if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
				t.Errorf("values: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestServiceSuggestsPromptsWithinTheFilter(t *testing.T) {
	t.Parallel()
	engine := reqlog.Cond{Field: reqlog.FieldEngine, Op: reqlog.OpIs, Texts: []string{"gpt"}}
	only := reqlog.Cond{Field: reqlog.FieldPromptID, Op: reqlog.OpIs, IDs: []int64{12}}
	tests := []struct {
		name   string
		filter reqlog.Node
		prompt int64
		want   reqlog.Node
	}{
		{"neither", nil, 0, nil},
		{"filter", engine, 0, engine},
		{"prompt", nil, 12, only},
		{"both", engine, 12, reqlog.Group{Nodes: []reqlog.Node{only, engine}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			in := reqlog.SuggestInput{Field: "prompt", Filter: test.filter, PromptID: test.prompt}
			if _, err := f.Suggest(access.AsSystem(t.Context()), home, in); err != nil {
				t.Fatal(err)
			}
			want := reqlog.AggregateQuery{
				Query:    reqlog.Query{Workspace: home, Filter: test.want},
				By:       []reqlog.Dimension{{Field: reqlog.FieldPromptID}},
				Measures: []reqlog.Measure{{Metric: reqlog.MetricCount}},
			}
			if diff := cmp.Diff(want, f.store.counted); diff != "" {
				t.Errorf("query (-want +got):\n%s", diff)
			}
		})
	}
}

func TestServiceSuggestsAtMostAHundredPrompts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for id := int64(1000); id < 1130; id++ {
		name := fmt.Sprintf("prompt %d", id)
		f.prompts.names[id], f.prompts.versions[id] = name, [][]string{nil}
		f.logged(t, named(reqlog.PromptRef{Name: name}))
	}
	got, err := f.Suggest(access.AsSystem(t.Context()), home, reqlog.SuggestInput{Field: "prompt"})
	if err != nil || len(got) != 100 || got[99] != "prompt 1099" {
		t.Errorf("%d values, %v", len(got), err)
	}
}
