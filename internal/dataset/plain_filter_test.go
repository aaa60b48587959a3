package dataset_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// parseSelection parses a body that selects logs.
func parseSelection(t *testing.T, body string) (dataset.Selection, error) {
	t.Helper()
	var problems fault.Problems
	sel, err := dataset.ParseSelection(check.Must(jsontree.Parse([]byte(body)))(t), &problems)
	if err == nil {
		err = problems.Err()
	}
	return sel, err
}

// TestPlainFilters compares plain filters with the same ones in the filter
// language.
func TestPlainFilters(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, plain, filters string }{
		{"none", `{"tags":null,"metadata":{},"start_time":null}`, ``},
		{"tags", `{"tags":["a","b"]}`, `{"field":"tags","operator":"contains","value":"a"},{"field":"tags","operator":"contains","value":"b"}`},
		{"metadata", `{"metadata":{"env":"prod","n":"1"}}`,
			`{"field":"metadata","operator":"key_equals","nested_key":"env","value":"prod"},{"field":"metadata","operator":"key_equals","nested_key":"n","value":"1"}`},
		{"list of metadata", `{"metadata":[{"key":"env","value":"prod"}]}`, `{"field":"metadata","operator":"key_equals","nested_key":"env","value":"prod"}`},
		{"times", `{"start_time":"2026-01-01T00:00:00Z","end_time":"2026-02-01T00:00:00Z"}`,
			`{"field":"request_start_time","operator":"between","value":["2026-01-01T00:00:00Z","9999-12-31T23:59:59Z"]},
			{"field":"request_start_time","operator":"between","value":["0001-01-01T00:00:00Z","2026-02-01T00:00:00Z"]}`},
		{"prompts", `{"prompt_templates_include":["a","b"],"prompt_templates_exclude":["c"]}`,
			`{"logic":"OR","filters":[{"field":"prompt","operator":"is","value":"a"},{"field":"prompt","operator":"is","value":"b"}]},{"field":"prompt","operator":"is_not","value":"c"}`},
		{"versions of prompts", `{"prompt_templates_include":["a",{"name":"b","version_numbers":[1,2]},{"name":"c","labels":[]}],"prompt_templates_exclude":[{"name":"d","version_numbers":[3]}]}`,
			`{"logic":"OR","filters":[{"field":"prompt","operator":"is","value":"a"},
				{"filters":[{"field":"prompt","operator":"is","value":"b"},{"logic":"OR","filters":[
					{"field":"prompt_version_number","operator":"eq","value":1},{"field":"prompt_version_number","operator":"eq","value":2}]}]},
				{"field":"prompt","operator":"is","value":"c"}]},
			{"logic":"OR","filters":[{"field":"prompt","operator":"is_not","value":"d"},{"field":"prompt_version_number","operator":"neq","value":3}]}`},
		{"any of the tags", `{"tags_or":["a","b"],"tags_and":["c"]}`, `{"field":"tags","operator":"contains","value":"c"},
			{"logic":"OR","filters":[{"field":"tags","operator":"contains","value":"a"},{"field":"tags","operator":"contains","value":"b"}]}`},
		{"any metadata", `{"metadata_or":[{"key":"a","value":"1"},{"key":"b","value":"2"}],"metadata_and":[{"key":"c","value":"3"}]}`,
			`{"field":"metadata","operator":"key_equals","nested_key":"c","value":"3"},{"logic":"OR","filters":[
				{"field":"metadata","operator":"key_equals","nested_key":"a","value":"1"},{"field":"metadata","operator":"key_equals","nested_key":"b","value":"2"}]}`},
		{"scores", `{"scores":[{"name":"a","operator":">=","value":98},{"name":"b","operator":"<","value":2},{"name":"c","operator":"=","value":7},{"name":"d","operator":">","value":100}]}`,
			`{"field":"scores","operator":"gte","nested_key":"a","value":98},{"field":"scores","operator":"lt","nested_key":"b","value":2},
			{"field":"scores","operator":"eq","nested_key":"c","value":7},{"field":"scores","operator":"gt","nested_key":"d","value":100}`},
		{"status", `{"status":["ERROR","WARNING"]}`, `{"field":"status","operator":"in","value":["ERROR","WARNING"]}`},
		{"ids", `{"id":7,"prompt_id":8}`, `{"field":"pl_id","operator":"is","value":7},{"field":"prompt_id","operator":"is","value":8}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := check.Must(parseSelection(t, tt.plain))(t)
			var problems fault.Problems
			want := check.Must(query.Parse(check.Must(jsontree.Parse([]byte(`{"filters":[`+tt.filters+`]}`)))(t), &problems))(t)
			if diff := cmp.Diff(want.Filter, got.Query.Filter, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("filter (-want +got):\n%s", diff)
			}
		})
	}
}

// TestPlainFiltersAreAnded creates a dataset with plain filters, a filter group
// and free text, and refreshes it.
func TestPlainFiltersAreAnded(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group := s.group("g")
	s.log(`,"tags":["a","b"],"metadata":{"env":"prod"}`, `,"tags":["a"],"metadata":{"env":"prod"}`, `,"tags":["a","b"]`, `,"tags":["a","b"],"metadata":{"env":"prod"}`)
	made := s.fromLogs(group, `{"tags":["a","b"],"metadata":{"env":"prod"},"filter_group":{"filters":[{"field":"pl_id","operator":"is_not_null"}]}}`)
	if rows := s.column(made, "promptlayer_url"); len(rows) != 2 {
		t.Errorf("%d logs were selected, want 2", len(rows))
	}
	again := check.Must(s.Refresh(s.ctx, s.workspace, made.ID))(t)
	if rows := s.column(again, "promptlayer_url"); len(rows) != 2 {
		t.Errorf("%d logs were selected by the refresh, want 2", len(rows))
	}
}

func TestInvalidPlainFilters(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"tags":"a"}`, `{"tags":[1]}`, `{"tags":[null]}`, `{"metadata":"a"}`, `{"metadata":[{"key":"a"}]}`, `{"metadata":["a"]}`, `{"metadata":{"":"x"}}`,
		`{"metadata":{"a":null}}`, `{"start_time":"yesterday"}`, `{"start_time":["2026-01-01T00:00:00Z"]}`, `{"end_time":{}}`, `{"id":"x"}`, `{"id":[1]}`,
		`{"prompt_templates_include":"a"}`, `{"prompt_templates_include":[]}`, `{"prompt_templates_exclude":[{}]}`, `{"filters":[]}`,
		`{"prompt_templates_include":[7]}`, `{"prompt_templates_include":[{"name":"a","version_numbers":1}]}`, `{"prompt_templates_include":[{"name":"a","version_numbers":["x"]}]}`,
		`{"prompt_templates_include":[{"name":"a","labels":["prod"]}]}`, `{"tags_or":"a"}`, `{"tags_or":[1]}`, `{"tags_and":{}}`, `{"metadata_or":[{"key":"a"}]}`, `{"metadata_and":7}`,
		`{"status":"ERROR"}`, `{"status":[]}`, `{"starred":true}`,
		`{"scores":{}}`, `{"scores":[7]}`, `{"scores":[{"operator":"=","value":1}]}`, `{"scores":[{"name":"","operator":"=","value":1}]}`, `{"scores":[{"name":7,"operator":"=","value":1}]}`,
		`{"scores":[{"name":"a","operator":"!=","value":1}]}`, `{"scores":[{"name":"a","value":1}]}`, `{"scores":[{"name":"a","operator":"=","value":"1"}]}`,
		`{"scores":[{"name":"a","operator":"=","value":1.5}]}`, `{"scores":[{"name":"a","operator":"=","value":1e308}]}`, `{"scores":[{"name":"a","operator":"="}]}`,
		`{"tags":[` + strings.Repeat(`"a",`, 500) + `"a"]}`,
	} {
		if _, err := parseSelection(t, body); !fault.Is(err, fault.BadRequest) {
			t.Errorf("%.80s: the error is %v", body, err)
		}
	}
}
