package query

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// parseFilterText parses a filter group and a flat list; "" is absent.
func parseFilterText(t testing.TB, group, flat string) (Node, error) {
	t.Helper()
	return ParseFilter(jsonValue(t, group), jsonValue(t, flat))
}

func jsonValue(t testing.TB, text string) jsontree.Value {
	t.Helper()
	if text == "" {
		return jsontree.Value{}
	}
	v, err := jsontree.Parse([]byte(text))
	if err != nil {
		t.Fatalf("test JSON %.80s: %v", text, err)
	}
	return v
}

// oneFilter returns a group of one filter with the members.
func oneFilter(members string) string { return `{"filters":[{` + members + `}]}` }

// wantRefused fails unless err is a BadRequest fault that contains want.
func wantRefused(t *testing.T, err error, want string) {
	t.Helper()
	if !fault.Is(err, fault.BadRequest) {
		t.Fatalf("got error %v, want a BadRequest fault", err)
	}
	if !strings.Contains(err.Error(), want) {
		t.Errorf("got message %q, want it to contain %q", err, want)
	}
}

func TestParseFilterOperatorsOfEveryField(t *testing.T) {
	t.Parallel()
	fields := map[string]string{
		"identifier": "pl_id prompt_id api_key_id",
		"string":     "engine provider_type status error_type user_id source api_key prompt prompt_version_ref trace_id user_intent agent_intent",
		"text":       "input_text output_text thinking_text",
		"numeric": "prompt_version_number input_tokens output_tokens total_tokens cached_tokens thinking_tokens cost latency_ms " +
			"turn_count tool_call_count",
		"datetime": "request_start_time request_end_time",
		"boolean":  "is_json is_tool_call is_plain_text has_trace",
		"array":    "tags metadata_keys score_names tool_names output_keys input_variable_keys",
		"nested":   "metadata output input_variables",
		"score":    "scores",
	}
	ops := map[string]string{
		"identifier": "is is_not in not_in is_null is_not_null",
		"string":     "is is_not in not_in",
		"text":       "contains not_contains starts_with ends_with",
		"numeric":    "eq neq gt gte lt lte between is_null is_not_null",
		"datetime":   "is before after between",
		"boolean":    "is_true is_false",
		"array":      "contains not_contains in not_in is_empty is_not_empty",
		"nested":     "key_equals key_not_equals key_contains in not_in is_empty is_not_empty",
		"score":      "gt gte lt lte eq neq between key_equals key_not_equals key_contains in not_in is_empty is_not_empty",
	}
	values := map[string]string{
		"identifier": `7`, "string": `"x"`, "text": `"x"`, "numeric": `1.5`,
		"datetime": `"2026-01-02T03:04:05Z"`, "boolean": `null`, "array": `"x"`, "nested": `true`, "score": `50`,
	}
	everyOp := strings.Fields("is is_not in not_in is_null is_not_null contains not_contains starts_with ends_with " +
		"eq neq gt gte lt lte between before after is_true is_false is_empty is_not_empty " +
		"key_equals key_not_equals key_contains")

	tried := 0
	for typ, names := range fields {
		for _, field := range strings.Fields(names) {
			tried++
			value := values[typ]
			switch field {
			case "user_intent":
				value = `"curious"`
			case "agent_intent":
				value = `"refusal"`
			}
			for _, op := range everyOp {
				takes := slices.Contains(strings.Fields(ops[typ]), op)
				t.Run(field+" "+op, func(t *testing.T) {
					t.Parallel()
					given := value
					switch op {
					case "in", "not_in":
						given = "[" + value + "]"
					case "between":
						given = "[" + value + "," + value + "]"
					}
					node, err := parseFilterText(t, oneFilter(fmt.Sprintf(
						`"field":%q,"operator":%q,"value":%s,"nested_key":"a.b"`, field, op, given)), "")
					if !takes {
						wantRefused(t, err, fmt.Sprintf("Operator '%s' is not supported for field '%s'", op, field))
						return
					}
					if err != nil {
						t.Fatal(err)
					}
					cond, ok := node.(Cond)
					if !ok || string(cond.Field) != field || string(cond.Op) != op {
						t.Errorf("got %+v", node)
					}
				})
			}
		}
	}
	if tried != len(Fields) {
		t.Errorf("tried %d fields of %d", tried, len(Fields))
	}
}

func TestParseFilterOperands(t *testing.T) {
	t.Parallel()
	const start reqlog.Micros = 1_767_323_045_000_000 // 2026-01-02T03:04:05Z
	cases := []struct {
		name    string
		members string
		want    Cond
	}{
		{"identifier", `"field":"pl_id","operator":"is","value":7`, Cond{Op: OpIs, IDs: []int64{7}}},
		{"identifier as digits", `"field":"pl_id","operator":"is_not","value":"0042"`, Cond{Op: OpIsNot, IDs: []int64{42}}},
		{"identifier as whole float", `"field":"pl_id","operator":"is","value":5.0`, Cond{Op: OpIs, IDs: []int64{5}}},
		{"identifier list", `"field":"prompt_id","operator":"in","value":[1,"2"]`, Cond{Op: OpIn, IDs: []int64{1, 2}}},
		{"identifier null", `"field":"prompt_id","operator":"is_null","value":"ignored"`, Cond{Op: OpIsNull}},
		{"string keeps its case", `"field":"engine","operator":"is","value":"GPT-4o"`, Cond{Op: OpIs, Texts: []string{"GPT-4o"}}},
		{"trace id as it is stored", `"field":"trace_id","operator":"is","value":"5B8EFFF798038103D269B633813FC60C"`,
			Cond{Op: OpIs, Texts: []string{"5b8efff798038103d269b633813fc60c"}}},
		{"trace ids that are not hexadecimal", `"field":"trace_id","operator":"not_in","value":["A1","5B8EFFF798038103D269B633813FC60G"]`,
			Cond{Op: OpNotIn, Texts: []string{"A1", "5B8EFFF798038103D269B633813FC60G"}}},
		{"string list", `"field":"engine","operator":"not_in","value":["a","b"]`, Cond{Op: OpNotIn, Texts: []string{"a", "b"}}},
		{"prompt name", `"field":"prompt","operator":"is","value":"welcome v2"`, Cond{Op: OpIs, Texts: []string{"welcome v2"}}},
		{"status upper case", `"field":"status","operator":"in","value":["error","Success"]`, Cond{Op: OpIn, Texts: []string{"ERROR", "SUCCESS"}}},
		{"intent lower case", `"field":"user_intent","operator":"is","value":"Frustrated"`, Cond{Op: OpIs, Texts: []string{"frustrated"}}},
		{"text", `"field":"input_text","operator":"starts_with","value":"The quarterly "`, Cond{Op: OpStartsWith, Texts: []string{"The quarterly "}}},
		{"number", `"field":"cost","operator":"gte","value":0.5`, Cond{Op: OpGte, Numbers: []float64{0.5}}},
		{"number as digits", `"field":"cost","operator":"lt","value":"-1.5e2"`, Cond{Op: OpLt, Numbers: []float64{-150}}},
		{"number range", `"field":"cost","operator":"between","value":[1,"2"]`, Cond{Op: OpBetween, Numbers: []float64{1, 2}}},
		{"range of one number", `"field":"cost","operator":"between","value":[1,1]`, Cond{Op: OpBetween, Numbers: []float64{1, 1}}},
		{"instant", `"field":"request_start_time","operator":"after","value":"2026-01-02T05:04:05+02:00"`, Cond{Op: OpAfter, Times: []reqlog.Micros{start}}},
		{"instant as Unix time", `"field":"request_start_time","operator":"is","value":1767323045`, Cond{Op: OpIs, Times: []reqlog.Micros{start}}},
		{"instant range", `"field":"request_end_time","operator":"between","value":["2026-01-02T03:04:05Z","1767323045000"]`,
			Cond{Op: OpBetween, Times: []reqlog.Micros{start, start}}},
		{"boolean ignores its value", `"field":"is_json","operator":"is_false","value":{"a":1}`, Cond{Op: OpIsFalse}},
		{"array element", `"field":"tags","operator":"contains","value":"prod"`, Cond{Op: OpContains, Texts: []string{"prod"}}},
		{"array empty", `"field":"tags","operator":"is_empty"`, Cond{Op: OpIsEmpty}},
		{"nested string", `"field":"metadata","operator":"key_equals","nested_key":"user.id","value":"42"`, Cond{Op: OpKeyEquals, Key: "user.id", Texts: []string{"42"}}},
		{"nested number", `"field":"metadata","operator":"key_equals","nested_key":"k","value":42.0`, Cond{Op: OpKeyEquals, Key: "k", Texts: []string{"42"}}},
		{"nested boolean", `"field":"metadata","operator":"key_not_equals","nested_key":"k","value":true`, Cond{Op: OpKeyNotEquals, Key: "k", Texts: []string{"true"}}},
		{"nested list", `"field":"output","operator":"in","nested_key":"k","value":[0.95,false,"x"]`, Cond{Op: OpIn, Key: "k", Texts: []string{"0.95", "false", "x"}}},
		{"nested presence", `"field":"output","operator":"is_not_empty","nested_key":"k"`, Cond{Op: OpIsNotEmpty, Key: "k"}},
		{"nested_key of another type", `"field":"engine","operator":"is","value":"x","nested_key":[1]`, Cond{Op: OpIs, Texts: []string{"x"}}},
		{"text like SQL", `"field":"engine","operator":"is","value":"x' OR 1=1; DROP TABLE logs; --"`, Cond{Op: OpIs, Texts: []string{"x' OR 1=1; DROP TABLE logs; --"}}},
		{"pattern characters", `"field":"output_text","operator":"contains","value":"100%_\\.*"`, Cond{Op: OpContains, Texts: []string{`100%_\.*`}}},
		{"key like SQL", `"field":"metadata","operator":"is_empty","nested_key":"a'] --\u0000"`, Cond{Op: OpIsEmpty, Key: "a'] --\x00"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			group := oneFilter(c.members)
			c.want.Field = Field(jsonValue(t, "{"+c.members+"}").Get("field").Str())
			got, err := parseFilterText(t, group, "")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(Node(c.want), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestParseFilterRejects(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 500)
	cases := []struct{ name, group, want string }{
		{"group is no object", `[]`, "must be an object, not an array"},
		{"no filters", `{"logic":"AND"}`, "needs 'filters'"},
		{"filters null", `{"filters":null}`, "needs 'filters'"},
		{"filters is no array", `{"filters":{}}`, "must be an array, not an object"},
		{"lower-case logic", `{"logic":"or","filters":[]}`, "'AND' or 'OR'"},
		{"logic is a number", `{"logic":1,"filters":[]}`, "'AND' or 'OR'"},
		{"item is a string", `{"filters":["x"]}`, "must be an object, not a string"},
		{"item is null", `{"filters":[null]}`, "must be an object, not null"},
		{"neither", `{"filters":[{}]}`, "needs 'field' or 'filters'"},
		{"both", `{"filters":[{"field":"engine","operator":"is","value":"x","filters":[]}]}`, "not both"},
		{"wrong below a decided OR", `{"logic":"OR","filters":[{"filters":[]},{"field":"nope"}]}`, "Unknown filter field: nope"},

		{"unknown field", oneFilter(`"field":"colour","operator":"is","value":1`), "Unknown filter field: colour"},
		{"long unknown field", oneFilter(`"field":"` + long + `"`), "Unknown filter field: " + long[:2*maxEcho] + "…"},
		{"field in another case", oneFilter(`"field":"Engine","operator":"is","value":"x"`), "Unknown filter field: Engine"},
		{"field is a number", oneFilter(`"field":1,"operator":"is"`), "'field' must be a string"},
		{"no operator", oneFilter(`"field":"engine","value":"x"`), "Filter on 'engine': 'operator' must be a string"},
		{"unknown operator", oneFilter(`"field":"engine","operator":"like","value":"x"`), "Unknown filter operator: like"},
		{"operator of another type", oneFilter(`"field":"engine","operator":"gte","value":1`), "Operator 'gte' is not supported for field 'engine'"},

		{"no value", oneFilter(`"field":"engine","operator":"is"`), "Filter on 'engine': operator 'is' needs a value"},
		{"null value", oneFilter(`"field":"cost","operator":"gt","value":null`), "operator 'gt' needs a value"},
		{"null in list", oneFilter(`"field":"engine","operator":"in","value":[null]`), "must be a string"},
		{"empty list", oneFilter(`"field":"engine","operator":"in","value":[]`), "the list of operator 'in' is empty"},
		{"scalar for a list", oneFilter(`"field":"engine","operator":"in","value":"x"`), "needs a list"},
		{"list for a scalar", oneFilter(`"field":"engine","operator":"is","value":["x"]`), "must be a string"},

		{"identifier as word", oneFilter(`"field":"pl_id","operator":"is","value":"abc"`), "an integer or a string of digits"},
		{"identifier as fraction", oneFilter(`"field":"pl_id","operator":"is","value":1.5`), "an integer"},
		{"identifier as boolean", oneFilter(`"field":"prompt_id","operator":"is","value":true`), "an integer"},
		{"identifier too large", oneFilter(`"field":"pl_id","operator":"is","value":"99999999999999999999"`), "an integer"},
		{"empty prompt name", oneFilter(`"field":"prompt_id","operator":"is","value":""`), "an integer"},
		{"object among prompt names", oneFilter(`"field":"prompt_id","operator":"in","value":["a",{}]`), "an integer"},
		{"string as number", oneFilter(`"field":"engine","operator":"is","value":4`), "must be a string"},
		{"status as boolean", oneFilter(`"field":"status","operator":"is","value":true`), "must be a string"},
		{"label of the other intent", oneFilter(`"field":"user_intent","operator":"is","value":"refusal"`), "frustrated, satisfied, curious"},
		{"unknown agent intent", oneFilter(`"field":"agent_intent","operator":"in","value":["refusal","angry"]`), "apologetic, refusal, uncertain"},
		{"empty text", oneFilter(`"field":"input_text","operator":"contains","value":""`), "non-empty string"},
		{"text as number", oneFilter(`"field":"input_text","operator":"contains","value":1`), "must be a string"},
		{"number as word", oneFilter(`"field":"cost","operator":"eq","value":"a lot"`), "must be a number"},
		{"number as NaN", oneFilter(`"field":"cost","operator":"eq","value":"NaN"`), "must be a number"},
		{"number as hex", oneFilter(`"field":"cost","operator":"eq","value":"0x10"`), "must be a number"},
		{"number as blank", oneFilter(`"field":"cost","operator":"eq","value":" 1"`), "must be a number"},
		{"number beyond float", oneFilter(`"field":"cost","operator":"eq","value":1e999`), "must be a number"},
		{"number beyond float as digits", oneFilter(`"field":"cost","operator":"eq","value":"1e999"`), "must be a number"},
		{"number as boolean", oneFilter(`"field":"cost","operator":"eq","value":true`), "must be a number"},
		{"range of one", oneFilter(`"field":"cost","operator":"between","value":[1]`), "exactly two values"},
		{"range of three", oneFilter(`"field":"cost","operator":"between","value":[1,2,3]`), "exactly two values"},
		{"range as scalar", oneFilter(`"field":"cost","operator":"between","value":1`), "needs a list"},
		{"reversed range", oneFilter(`"field":"cost","operator":"between","value":[2,1]`), "must not exceed"},
		{"reversed times", oneFilter(`"field":"request_start_time","operator":"between","value":["2026-01-02","2026-01-01"]`), "must not exceed"},
		{"no date", oneFilter(`"field":"request_start_time","operator":"after","value":"yesterday"`), "must be a date-time"},
		{"date as boolean", oneFilter(`"field":"request_start_time","operator":"after","value":true`), "must be a date-time"},
		{"array element as number", oneFilter(`"field":"tags","operator":"contains","value":1`), "must be a string"},
		{"no nested_key", oneFilter(`"field":"metadata","operator":"key_equals","value":"x"`), "'nested_key' must be a non-empty string"},
		{"empty nested_key", oneFilter(`"field":"metadata","operator":"is_empty","nested_key":""`), "'nested_key'"},
		{"nested_key as number", oneFilter(`"field":"metadata","operator":"in","nested_key":1,"value":["x"]`), "'nested_key'"},
		{"nested value as object", oneFilter(`"field":"metadata","operator":"key_equals","nested_key":"k","value":{}`), "a string, a number or a boolean"},
		{"nested value as array", oneFilter(`"field":"metadata","operator":"key_contains","nested_key":"k","value":[1]`), "a string, a number or a boolean"},
		{"nested null in list", oneFilter(`"field":"metadata","operator":"in","nested_key":"k","value":[null]`), "a string, a number or a boolean"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			node, err := parseFilterText(t, c.group, "")
			wantRefused(t, err, c.want)
			if node != nil {
				t.Errorf("got a node besides the fault: %+v", node)
			}
			// The flat list has the same filters and rules.
			if list := jsonValue(t, c.group).Get("filters"); list.Kind() == jsontree.Array && list.Len() > 0 &&
				!strings.Contains(c.name, "OR") {
				_, err = ParseFilter(jsontree.Value{}, list)
				wantRefused(t, err, c.want)
			}
		})
	}
	t.Run("flat list is no array", func(t *testing.T) {
		t.Parallel()
		_, err := parseFilterText(t, "", `{}`)
		wantRefused(t, err, "'filters' must be an array")
	})
}
