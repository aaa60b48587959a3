package query

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
)

func TestParseQuery(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("ä", maxQueryText)
	a := Cond{Field: FieldEngine, Op: OpIs, Texts: []string{"a"}}
	cases := []struct {
		name, body string
		want       Input
	}{
		{"no body", "", Input{}},
		{"empty", "{}", Input{}},
		{"nulls", `{"q":null,"sort_by":null,"sort_order":null,"filter_group":null,"filters":null}`, Input{}},
		{"text", `{"q":" [system] "}`, Input{Text: " [system] "}},
		{"blank text", `{"q":" \n\t"}`, Input{}},
		{"longest text", `{"q":"` + longest + `"}`, Input{Text: longest}},
		{"sort descends by itself", `{"sort_by":"cost"}`, Input{SortBy: FieldCost}},
		{"sort descending", `{"sort_by":"turn_count","sort_order":"desc"}`, Input{SortBy: FieldTurns}},
		{"sort ascending", `{"sort_by":"latency_ms","sort_order":"asc"}`, Input{SortBy: FieldLatency, Ascending: true}},
		{"sort by a score", `{"sort_by":"scores","sort_nested_key":"helpful"}`, Input{SortBy: FieldScores, SortKey: "helpful"}},
		{"filter group", `{"filter_group":{"filters":[` + engineA + `]}}`, Input{Filter: a}},
		{"flat filters", `{"filters":[` + engineA + `]}`, Input{Filter: a}},
		{"unknown members", `{"page":"x","customCharts":1}`, Input{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var problems fault.Problems
			got, err := Parse(jsonValue(t, c.body), &problems)
			if err := errors.Join(err, problems.Err()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestParseQuerySortFields(t *testing.T) {
	t.Parallel()
	for _, field := range strings.Fields("request_start_time input_tokens output_tokens cost latency_ms status turn_count tool_call_count") {
		var problems fault.Problems
		got, err := Parse(jsonValue(t, `{"sort_by":"`+field+`"}`), &problems)
		if err != nil || problems.Any() || string(got.SortBy) != field {
			t.Errorf("%s: got %+v, %v, %v", field, got, err, problems.Err())
		}
	}
}

// problemsOf returns "path type" for each problem.
func problemsOf(t *testing.T, problems *fault.Problems) []string {
	t.Helper()
	var f *fault.Error
	if !errors.As(problems.Err(), &f) {
		return nil
	}
	if f.Kind != fault.Invalid {
		t.Errorf("got kind %v, want Invalid", f.Kind)
	}
	var found []string
	for _, field := range f.Fields {
		found = append(found, fault.Path(field.Loc)+" "+field.Type)
	}
	return found
}

func TestParseQueryProblems(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, body string
		want       []string
	}{
		{"text as number", `{"q":1}`, []string{"q string_type"}},
		{"text too long", `{"q":"` + strings.Repeat("x", maxQueryText+1) + `"}`, []string{"q string_too_long"}},
		{"unknown sort field", `{"sort_by":"engine","sort_order":"asc"}`, []string{"sort_by enum"}},
		{"sort field as number", `{"sort_by":1}`, []string{"sort_by string_type"}},
		{"unknown order", `{"sort_by":"cost","sort_order":"ASC"}`, []string{"sort_order enum"}},
		{"order alone", `{"sort_order":"asc"}`, []string{"sort_order value_error"}},
		{"order with null", `{"sort_by":null,"sort_order":"desc"}`, []string{"sort_order value_error"}},
		{"score without a name", `{"sort_by":"scores"}`, []string{"sort_nested_key missing"}},
		{"score with an empty name", `{"sort_by":"scores","sort_nested_key":""}`, []string{"sort_nested_key string_too_short"}},
		{"name without a score", `{"sort_by":"cost","sort_nested_key":"helpful"}`, []string{"sort_nested_key value_error"}},
		{"filter group as string", `{"filter_group":"x"}`, []string{"filter_group dict_type"}},
		{"filters as object", `{"filters":{}}`, []string{"filters list_type"}},
		{"all together", `{"q":[],"sort_by":"x"}`, []string{"q string_type", "sort_by enum"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var problems fault.Problems
			if _, err := Parse(jsonValue(t, c.body), &problems); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, problemsOf(t, &problems)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestParseQueryRejectsFilter(t *testing.T) {
	t.Parallel()
	var problems fault.Problems
	_, err := Parse(jsonValue(t, `{"filter_group":{"filters":[{"field":"engine","operator":"gte","value":1}]}}`), &problems)
	wantRefused(t, err, "Operator 'gte' is not supported for field 'engine'")
	if problems.Any() {
		t.Errorf("got problems besides: %v", problems.Err())
	}
}
