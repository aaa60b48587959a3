package requests_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

func TestServiceSuggestQueriesStore(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in      requests.SuggestInput
		field   query.Field
		wantKey string
	}{
		{requests.SuggestInput{Field: "engine", Key: "ignored"}, query.FieldEngine, ""},
		{requests.SuggestInput{Field: "provider_type"}, query.FieldProvider, ""},
		{requests.SuggestInput{Field: "prompt_id", PromptID: 11}, query.FieldPromptID, ""},
		{requests.SuggestInput{Field: "tags"}, query.FieldTags, ""},
		{requests.SuggestInput{Field: "metadata_keys"}, query.FieldMetadataKeys, ""},
		{requests.SuggestInput{Field: "status"}, query.FieldStatus, ""},
		{requests.SuggestInput{Field: "tool_names"}, query.FieldToolNames, ""},
		{requests.SuggestInput{Field: "output_keys"}, query.FieldOutputKeys, ""},
		{requests.SuggestInput{Field: "input_variable_keys"}, query.FieldVariableKeys, ""},
		{requests.SuggestInput{Field: "metadata_values", Key: "user.id"}, query.FieldMetadata, "user.id"},
		{requests.SuggestInput{Field: "output_values", Key: "a"}, query.FieldOutput, "a"},
		{requests.SuggestInput{Field: "input_variable_values", Key: "city"}, query.FieldVariables, "city"},
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
			want := query.SuggestQuery{
				Query: query.Query{Workspace: home, Filter: promptIDIs(12)},
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
		in       requests.SuggestInput
		loc, typ string
	}{
		{"no field", requests.SuggestInput{}, "field", "missing"},
		{"unknown field", requests.SuggestInput{Field: "latency_ms"}, "field", "enum"},
		{"metadata values without a key", requests.SuggestInput{Field: "metadata_values"}, "metadata_key", "missing"},
		{"output values without a key", requests.SuggestInput{Field: "output_values"}, "metadata_key", "missing"},
		{"variables without a key", requests.SuggestInput{Field: "input_variable_values"}, "metadata_key", "missing"},
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
		in   requests.SuggestInput
		want []string
	}{
		{"most frequent, then by name", requests.SuggestInput{}, []string{"welcome", "farewell", "Wave", "wave"}},
		{"prefix of the name without case", requests.SuggestInput{Prefix: "WA"}, []string{"Wave", "wave"}},
		{"nothing", requests.SuggestInput{Prefix: "11"}, nil},
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
	engine := query.Cond{Field: query.FieldEngine, Op: query.OpIs, Texts: []string{"gpt"}}
	only := query.Cond{Field: query.FieldPromptID, Op: query.OpIs, IDs: []int64{12}}
	tests := []struct {
		name   string
		filter query.Node
		prompt int64
		want   query.Node
	}{
		{"neither", nil, 0, nil},
		{"filter", engine, 0, engine},
		{"prompt", nil, 12, only},
		{"both", engine, 12, query.Group{Nodes: []query.Node{only, engine}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			in := requests.SuggestInput{Field: "prompt", Filter: test.filter, PromptID: test.prompt}
			if _, err := f.Suggest(access.AsSystem(t.Context()), home, in); err != nil {
				t.Fatal(err)
			}
			want := chart.AggregateQuery{
				Query:    query.Query{Workspace: home, Filter: test.want},
				By:       []chart.Dimension{{Field: query.FieldPromptID}},
				Measures: []chart.Measure{{Metric: chart.MetricCount}},
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
	got, err := f.Suggest(access.AsSystem(t.Context()), home, requests.SuggestInput{Field: "prompt"})
	if err != nil || len(got) != 100 || got[99] != "prompt 1099" {
		t.Errorf("%d values, %v", len(got), err)
	}
}
