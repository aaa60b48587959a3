package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// TestInvalidFilterOperators uses every field with every operator that its
// type does not support.
func TestInvalidFilterOperators(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	var operators []string
	for _, group := range fieldGroups {
		operators = append(operators, group.operators...)
	}
	slices.Sort(operators)
	for _, group := range fieldGroups {
		for _, field := range group.fields {
			for _, op := range slices.Compact(slices.Clone(operators)) {
				if slices.Contains(group.operators, op) {
					continue
				}
				refused := w.post(t, http.StatusBadRequest, searchPath, filtered(leaf(field, op, `"1"`, "k")))
				if want := fmt.Sprintf("Operator '%s' is not supported for field '%s'", op, field); refused["message"] != want {
					t.Errorf("message = %q, want %q", refused["message"], want)
				}
			}
		}
	}
}

// operandsRefused has invalid operands for each field type.
var operandsRefused = map[string][]string{
	"identifier": {
		leaf("pl_id", "is", "", ""), leaf("pl_id", "is", "null", ""), leaf("pl_id", "is", `"x"`, ""), leaf("pl_id", "is", "1.5", ""),
		leaf("pl_id", "is", "true", ""), leaf("pl_id", "is", "[1]", ""), leaf("pl_id", "is", `""`, ""), leaf("pl_id", "in", "1", ""),
		leaf("pl_id", "in", "[]", ""), leaf("pl_id", "in", `[1,"x"]`, ""), leaf("pl_id", "not_in", `[[1]]`, ""), leaf("pl_id", "in", "[null]", ""),
		leaf("pl_id", "is", "99999999999999999999", ""), leaf("pl_id", "is", `"99999999999999999999"`, ""),
		leaf("prompt_id", "is", `""`, ""), leaf("prompt_id", "in", `["welcome",true]`, ""), leaf("prompt_id", "is", "1e400", ""),
	},
	"string": {
		leaf("engine", "is", "", ""), leaf("engine", "is", "5", ""), leaf("engine", "is", "true", ""), leaf("engine", "is", `["a"]`, ""),
		leaf("engine", "in", `"a"`, ""), leaf("engine", "in", "[]", ""), leaf("engine", "in", `["a",1]`, ""), leaf("engine", "is", "{}", ""),
		leaf("status", "is", "5", ""), leaf("prompt", "is", "910001", ""), leaf("user_id", "is", "7", ""),
	},
	"intent": {
		leaf("user_intent", "is", `"happy"`, ""), leaf("user_intent", "is", `"refusal"`, ""), leaf("agent_intent", "in", `["refusal","curious"]`, ""),
		leaf("agent_intent", "is", "5", ""), leaf("agent_intent", "is", "", ""),
	},
	"text": {
		leaf("input_text", "contains", `""`, ""), leaf("input_text", "contains", "5", ""), leaf("output_text", "starts_with", "", ""),
		leaf("thinking_text", "ends_with", `["a"]`, ""), leaf("input_text", "not_contains", "null", ""),
	},
	"numeric": {
		leaf("cost", "eq", "", ""), leaf("cost", "eq", `"x"`, ""), leaf("cost", "gt", "true", ""), leaf("cost", "between", "5", ""),
		leaf("cost", "between", "[1]", ""), leaf("cost", "between", "[1,2,3]", ""), leaf("cost", "between", "[2,1]", ""),
		leaf("cost", "between", "[1,null]", ""), leaf("cost", "between", `["a","b"]`, ""), leaf("cost", "eq", "1e400", ""),
		leaf("cost", "eq", `"1e400"`, ""), leaf("cost", "eq", `""`, ""), leaf("cost", "eq", `"NaN"`, ""), leaf("cost", "lt", `"0x10"`, ""),
	},
	"datetime": {
		leaf("request_start_time", "is", "", ""), leaf("request_start_time", "after", `"soon"`, ""), leaf("request_start_time", "before", "true", ""),
		leaf("request_end_time", "between", `["2026-03-10"]`, ""), leaf("request_end_time", "between", `["2026-03-11","2026-03-10"]`, ""),
		leaf("request_end_time", "between", `["2026-03-10T01:00:00+02:00","2026-03-09T22:00:00Z"]`, ""), leaf("request_end_time", "is", `["2026-03-10"]`, ""),
	},
	"array": {
		leaf("tags", "contains", "5", ""), leaf("tags", "contains", "", ""), leaf("tags", "contains", `["a"]`, ""), leaf("tags", "in", "[]", ""),
		leaf("tags", "in", `"a"`, ""), leaf("tags", "not_in", `[1]`, ""),
	},
	"nested": {
		leaf("metadata", "key_equals", `"a"`, ""), leaf("metadata", "is_empty", "", ""), leaf("metadata", "is_not_empty", "", ""),
		leaf("metadata", "in", `["a"]`, ""), leaf("output", "key_contains", `"a"`, ""), leaf("metadata", "key_equals", "", "k"),
		leaf("metadata", "key_equals", "null", "k"), leaf("metadata", "key_equals", "[1]", "k"), leaf("metadata", "key_equals", "{}", "k"),
		leaf("metadata", "in", "[]", "k"), leaf("metadata", "in", "[null]", "k"), leaf("metadata", "in", `"a"`, "k"),
		`{"field":"metadata","operator":"is_empty","nested_key":5}`, `{"field":"metadata","operator":"is_empty","nested_key":null}`,
		`{"field":"metadata","operator":"is_empty","nested_key":["a"]}`,
	},
	"score": {
		leaf("scores", "gt", "50", ""), leaf("scores", "gt", `"x"`, "a"), leaf("scores", "gt", "", "a"), leaf("scores", "eq", "true", "a"),
		leaf("scores", "between", "[1]", "a"), leaf("scores", "between", "[2,1]", "a"), leaf("scores", "key_equals", "[1]", "a"), leaf("scores", "in", "[]", "a"),
		leaf("scores", "is_null", "", "a"),
	},
	"any": {
		`{}`, `[]`, `"x"`, `null`, `5`, `{"operator":"is","value":1}`, `{"field":null,"operator":"is"}`, `{"field":5,"operator":"is","value":1}`,
		`{"field":"engine"}`, `{"field":"engine","operator":null,"value":"x"}`, `{"field":"engine","operator":5,"value":"x"}`,
		leaf("engines", "is", `"x"`, ""), leaf("", "is", `"x"`, ""), leaf("ENGINE", "is", `"x"`, ""), leaf("engine", "equals", `"x"`, ""),
		leaf("engine", "IS", `"x"`, ""), leaf("id", "is", "1", ""), leaf("workspace", "is", "2", ""), leaf("workspace_id", "is", "2", ""),
		`{"field":"engine","operator":"is","value":"x","filters":[]}`, `{"filters":null}`, `{"filters":{}}`, `{"filters":"x"}`,
		`{"logic":"AND"}`, `{"logic":"and","filters":[]}`, `{"logic":"XOR","filters":[]}`, `{"logic":5,"filters":[]}`, `{"logic":"","filters":[]}`,
	},
}

func TestInvalidFilterOperands(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	for kind, list := range operandsRefused {
		for _, bad := range list {
			// An invalid condition is rejected even if another one decides
			// its OR group.
			body := `{"filter_group":{"logic":"OR","filters":[{"filters":[]},` + bad + `]}}`
			w.post(t, http.StatusBadRequest, searchPath, body)
			w.post(t, http.StatusBadRequest, analyticsPath, `{"filters":[`+bad+`]}`)
			query := "?field=tags&filter_group=" + url.QueryEscape(`{"filters":[`+bad+`]}`)
			got, err := w.send("home", http.MethodGet, suggestPath+query, nil)
			check.OK(t, err)
			checkErrorShape(t, http.StatusBadRequest, got.body)
			if got.status != http.StatusBadRequest {
				t.Errorf("%s: %s is accepted", kind, bad)
			}
		}
	}
}

func TestFilterLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.log(t, "home", nil)
	nest := func(depth int) string {
		return strings.Repeat(`{"filters":[`, depth) + leaf("engine", "is", `"gpt-4o"`, "") + strings.Repeat("]}", depth)
	}
	many := func(count int, one string) string { return strings.Repeat(one+",", count-1) + one }
	list := func(count int) string { return "[" + many(count, `"gpt-4o"`) + "]" }
	match, all := leaf("engine", "is", `"gpt-4o"`, ""), 1
	tests := []struct {
		name, group string
		status      int
	}{
		{"20 levels", nest(20), http.StatusOK},
		{"21 levels", nest(21), http.StatusBadRequest},
		{"21 empty levels", strings.Repeat(`{"filters":[`, 21) + strings.Repeat("]}", 21), http.StatusBadRequest},
		{"100 levels", nest(90), http.StatusBadRequest},
		{"500 conditions", `{"filters":[` + many(500, match) + `]}`, http.StatusOK},
		{"501 conditions", `{"filters":[` + many(501, match) + `]}`, http.StatusBadRequest},
		{"500 alternatives", `{"logic":"OR","filters":[` + many(500, match) + `]}`, http.StatusOK},
		{"501 alternatives in two groups", `{"logic":"OR","filters":[{"filters":[` + many(250, match) + `]},{"filters":[` + many(251, match) + `]}]}`, http.StatusBadRequest},
		{"500 texts", `{"logic":"OR","filters":[` + many(500, leaf("input_text", "contains", `"hello"`, "")) + `]}`, http.StatusOK},
		{"a list of 1000", `{"filters":[` + leaf("engine", "in", list(1000), "") + `]}`, http.StatusOK},
		{"a list of 1001", `{"filters":[` + leaf("engine", "in", list(1001), "") + `]}`, http.StatusBadRequest},
		{"10 lists of 1000", `{"filters":[` + many(10, leaf("engine", "in", list(1000), "")) + `]}`, http.StatusOK},
		{"11 lists of 1000", `{"filters":[` + many(11, leaf("engine", "in", list(1000), "")) + `]}`, http.StatusBadRequest},
		{"a text of a megabyte", `{"logic":"OR","filters":[` + match + "," + leaf("input_text", "contains", `"`+strings.Repeat("a", 1<<20-10)+`"`, "") + `]}`, http.StatusOK},
		{"more than a megabyte", `{"filters":[` + leaf("input_text", "contains", `"`+strings.Repeat("a", 1<<20)+`"`, "") + `]}`, http.StatusBadRequest},
		{"100,000 empty groups cost nothing", `{"filters":[` + many(100_000, `{"filters":[]}`) + `]}`, http.StatusOK},
		{"an empty OR group constrains nothing", `{"logic":"OR","filters":[]}`, http.StatusOK},
		{"an empty group in an OR group", `{"logic":"OR","filters":[{"filters":[]},` + leaf("engine", "is", `"x"`, "") + `]}`, http.StatusOK},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			answer := w.post(t, tt.status, searchPath, `{"filter_group":`+tt.group+`}`)
			if tt.status == http.StatusOK && answer["total"] != float64(all) {
				t.Errorf("total = %v, want %d", answer["total"], all)
			}
		})
	}
}

// TestNestedValuesCompareByText covers operands whose JSON type differs from
// that of the values.
func TestNestedValuesCompareByText(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.log(t, "home", map[string]any{"metadata": map[string]any{"n": 42, "s": "42", "f": 0.95, "t": true, "u": "true", "e": 1e3}})
	tests := []struct {
		key, value string
		want       float64
	}{
		{"n", "42", 1}, {"n", `"42"`, 1}, {"n", "42.0", 1}, {"n", "4.2e1", 1}, {"n", "43", 0}, {"n", "true", 0}, {"n", `"42.0"`, 0},
		{"s", "42", 1}, {"s", `"42"`, 1}, {"s", "42.00", 1},
		{"f", "0.95", 1}, {"f", `"0.95"`, 1}, {"f", "0.950", 1}, {"f", "9.5e-1", 1},
		{"t", "true", 1}, {"t", `"true"`, 1}, {"t", "false", 0}, {"t", "1", 0}, {"t", `"TRUE"`, 0},
		{"u", "true", 1}, {"u", `"true"`, 1}, {"e", "1000", 1}, {"e", "1e3", 1}, {"e", `"1000"`, 1},
	}
	for _, tt := range tests {
		got := w.post(t, http.StatusOK, searchPath, filtered(leaf("metadata", "key_equals", tt.value, tt.key)))
		if got["total"] != tt.want {
			t.Errorf("%s key_equals %s finds %v, want %v", tt.key, tt.value, got["total"], tt.want)
		}
		got = w.post(t, http.StatusOK, searchPath, filtered(leaf("metadata", "not_in", "["+tt.value+"]", tt.key)))
		if got["total"] != 1-tt.want {
			t.Errorf("%s not_in [%s] finds %v, want %v", tt.key, tt.value, got["total"], 1-tt.want)
		}
	}
}

// TestIgnoredMembers covers members of a condition that its field does not
// use.
func TestIgnoredMembers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.log(t, "home", nil)
	for _, condition := range []string{
		leaf("engine", "is", `"gpt-4o"`, "k"), leaf("is_plain_text", "is_true", "false", ""), leaf("is_json", "is_false", `{"a":1}`, ""),
		leaf("tags", "is_empty", "5", ""), leaf("prompt_id", "is_null", `"x"`, ""), leaf("metadata", "is_empty", "[]", "k"),
		`{"field":"engine","operator":"is","value":"gpt-4o","nested_key":5,"logic":"XOR","id":7}`,
	} {
		if got := w.post(t, http.StatusOK, searchPath, filtered(condition)); got["total"] != 1.0 {
			t.Errorf("%s finds %v logs", condition, got["total"])
		}
	}
}

// TestPromptNamesInFilters covers prompt_id with names instead of ids.
func TestPromptNamesInFilters(t *testing.T) {
	t.Parallel()
	w, all := factWorld(t)
	linked := []string{"prompt", "refund", "tools"}
	tests := []struct {
		op, value string
		want      []string
	}{
		{"is", `"welcome"`, []string{"prompt", "refund"}},
		{"is", `"welcome v1"`, []string{"refund"}},
		{"is", `"welcome v2"`, []string{"prompt"}},
		{"is", `"welcome v3"`, nil},
		{"is", `"farewell v2"`, []string{"tools"}}, // the whole text is the name
		{"is", `"Welcome"`, nil},
		{"is", `"retired"`, nil},
		{"is", `910001`, []string{"prompt", "refund"}},
		{"is", `"910001"`, []string{"prompt", "refund"}},
		{"is", `910008`, nil},
		{"in", `["welcome v1",910004]`, []string{"refund", "tools"}},
		{"in", `["nobody","910001"]`, []string{"prompt", "refund"}},
		{"is_not", `"welcome v1"`, []string{"completion", "error", "json", "odd", "prompt", "tools", "tracked"}},
		{"not_in", `["welcome","farewell v2"]`, []string{"completion", "error", "json", "odd", "tracked"}},
		{"is_not", `"nobody"`, []string{"completion", "error", "json", "odd", "prompt", "refund", "tools", "tracked"}},
		{"is_not_null", "", linked},
	}
	for _, tt := range tests {
		got := found(t, w, all, filtered(leaf("prompt_id", tt.op, tt.value, "")))
		if !slices.Equal(got, tt.want) {
			t.Errorf("prompt_id %s %s finds %v, want %v", tt.op, tt.value, got, tt.want)
		}
	}
}
