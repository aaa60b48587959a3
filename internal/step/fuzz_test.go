package step_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// keys are those of all types.
var keys = strings.Fields(`value value_type sources source1 source2 source target comparison_type value_source regex_pattern pattern group json_path path
	return_first_match return_all xml_path xpath type return_text target_type original_source diff_source validation_type format separator count_type
	min_count max_count operator operation code language template inline_template prompt_template_variable_mappings engine chat_history_source verbose
	return_template_only prompt prompt_source variable_mappings query extraction_prompt user_persona user_persona_source max_turns is_user_first
	conversation_completed_prompt conversation_samples url headers timeout mcp_server_id tool_name server_url function_name auth input_mappings workflow_id
	workflow_name workflow_version_number workflow_label loop_type prompt_config workflow_config iterator_source max_iterations return_all_outputs
	end_condition_json_path data_type ui_element input_type min max`)

// words are values that are valid for some types.
var words = []string{
	`null`, `true`, `false`, `0`, `-1`, `2`, `1e400`, `-0.5`, `123456789012345678901234567890`, `""`, `"a"`, `"b"`, `"c"`, `["a","b"]`, `["a"]`, `["c","c"]`, `[1]`, `[]`, `{}`,
	`{"type":"json","value":"{}"}`, `{"type":"JSON","json_path":"$..*"}`, `{"type":"NUMBER","operator":"LT"}`, `"NUMBER"`, `"JSON"`, `"(a+)+(?P<n>b)?"`, `"(?=x)[^[]"`, `"\\Z|(?(1)a|b)"`,
	`"$..*"`, `"$[::-1]"`, `"$.a['b',0]"`, `"//*"`, `"//a[@b='c']/text()"`, `"count(//*)"`, `"min"`, `"max"`, `"words"`, `"sentences"`, `"sql"`, `"object"`, `"number"`, `"boolean"`, `"findall"`,
	`"{a}{b}{c}"`, `", "`, `"+"`, `"**"`, `"%"`, `"/"`, `"lt"`, `"python"`, `{"name":"greet"}`, `{"id":1,"label":"x"}`, `{"prompt_template":{"type":"chat","messages":[]}}`, `{"x":"a","y":"b"}`,
	`{"template":{"name":"loop"}}`, `{"workflow_id":1}`, `"prompt"`, `"workflow"`, `3`, `"http://x"`, `[["a"]]`, `{"a":null}`, `"\ud800"`,
}

// randomConfig returns an object of keys and values that may fit a type.
func randomConfig(random *rand.Rand) string {
	var members []string
	for range random.IntN(7) {
		members = append(members, fmt.Sprintf("%q:%s", keys[random.IntN(len(keys))], words[random.IntN(len(words))]))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// deaf is like world, but all requests fail.
type deaf struct{}

// Post fails.
func (deaf) Post(context.Context, step.HTTPRequest) (*step.HTTPReply, error) {
	return nil, context.DeadlineExceeded
}

// tryOut prepares and runs a configuration of a type, and checks what every
// type guarantees: no panic, termination, and a value or an error.
func tryOut(t *testing.T, typ string, config jsontree.Value, values step.List) {
	t.Helper()
	found, _ := step.Find(typ)
	prepared, err := found.Prepare(config)
	if err != nil {
		if prepared != nil {
			t.Fatalf("%s %s gave both a step and %v", typ, config.Raw(), err)
		}
		return
	}
	for _, name := range prepared.Sources() {
		if name == "" || strings.HasPrefix(name, "_iterator") {
			t.Fatalf("%s %s refers to %q", typ, config.Raw(), name)
		}
	}
	for _, report := range []bool{false, true} {
		env := newWorld(t).env()
		env.HTTP, env.Values, env.Report = deaf{}, values, report
		began := time.Now()
		value, err := prepared.Run(t.Context(), &env)
		if took := time.Since(began); took > timeout {
			t.Fatalf("%s %s took %v", typ, config.Raw(), took)
		}
		if (value.Kind() == jsontree.Absent) != (err != nil) {
			t.Fatalf("%s %s gave %q and %v", typ, config.Raw(), value.Raw(), err)
		}
		if err == nil {
			if _, err := jsontree.Parse(value.Raw()); err != nil {
				t.Fatalf("%s %s gave %q: %v", typ, config.Raw(), value.Raw(), err)
			}
		}
	}
}

func FuzzPrepareAndRun(f *testing.F) {
	for i, name := range step.Names() {
		f.Add(uint8(i), []byte(`{"source":"a","type":"number"}`), `a b`, `{"x":[1,2]}`)
		f.Add(uint8(i), []byte(`{"sources":["a","b"],"operator":"**","pattern":"(a|b)*","json_path":"$..*","name":"`+name+`"}`), `7`, `99`)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		f.Add(uint8(random.IntN(len(step.Names()))), []byte(randomConfig(random)), words[random.IntN(len(words))], words[random.IntN(len(words))])
	}
	f.Fuzz(func(t *testing.T, which uint8, config []byte, a, b string) {
		parsed, err := jsontree.Parse(config)
		if err != nil {
			return
		}
		names := step.Names()
		values := step.List{{Name: "a", Value: check.JSON(quoted(a))}, {Name: "b", Value: check.JSON(quoted(b))}}
		if c, err := jsontree.Parse([]byte(b)); err == nil {
			values = append(values, step.Named{Name: "c", Value: c})
		}
		tryOut(t, names[int(which)%len(names)], parsed, values)
	})
}

// TestRandomConfigurations tries configurations that are likelier to be valid
// than random ones.
func TestRandomConfigurations(t *testing.T) {
	t.Parallel()
	for seed, typ := range step.Names() {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(seed), 5))
			for range 1000 {
				values := step.List{}
				for _, name := range []string{"a", "b", "c"} {
					values = append(values, step.Named{Name: name, Value: tree(t, words[random.IntN(len(words))])})
				}
				tryOut(t, typ, tree(t, randomConfig(random)), values)
			}
		})
	}
}

// TestResultsAreBounded tries to get large results from small inputs.
func TestResultsAreBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 500<<10)
	values := valuesOf(t, `{"long":"`+long+`","n":"9","far":1e300,"list":[`+strings.Repeat(`"x",`, 1000)+`1]}`)
	for name, c := range map[string]struct{ typ, config, fails string }{
		"format":        {"COMBINE_COLUMNS", `{"sources":["long"],"format":"` + strings.Repeat("{long}", 1000) + `"}`, "larger than 16 MiB"},
		"separator":     {"COMBINE_COLUMNS", `{"sources":[` + strings.Repeat(`"n",`, 100) + `"n"],"separator":"` + long + `"}`, "larger than 16 MiB"},
		"long format":   {"COMBINE_COLUMNS", `{"sources":["n"],"format":"` + strings.Repeat("{", 1<<20+1) + `"}`, "format: Input should have at most 1048576 bytes"},
		"power":         {"MATH_OPERATOR", `{"sources":["n","far"],"operator":"**"}`, "not a finite number"},
		"power of ten":  {"MATH_OPERATOR", `{"sources":["n"],"value":"1e999999999999","operator":"*"}`, "not a finite number"},
		"many sources":  {"COALESCE", `{"sources":[` + strings.Repeat(`"a",`, 1000) + `"a"]}`, "sources: List should have at most 1000 items, not 1001"},
		"prompt":        {"LLM_ASSERTION", `{"source":"n","prompt":"` + strings.Repeat("{a}", 100) + `","variable_mappings":{"a":"long"}}`, "larger than 16 MiB"},
		"empty matches": {"REGEX_EXTRACTION", `{"source":"long","pattern":"` + strings.Repeat("()", 40) + `"}`, "than"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prepared, err := prepare(t, c.typ, c.config)
			if err == nil {
				env := newWorld(t).env()
				env.Values = values
				_, err = prepared.Run(t.Context(), &env)
			}
			if c.fails == "" && err == nil {
				return
			}
			wantFault(t, err, c.fails)
		})
	}
}

// TestConcurrentSteps runs prepared steps in many goroutines, to detect races.
func TestConcurrentSteps(t *testing.T) {
	t.Parallel()
	values := valuesOf(t, `{"a":"aaab 12","x":"<r><a b=\"1\">t</a><a>u</a></r>","j":{"k":[1,2,3]}}`)
	for typ, c := range map[string]struct{ config, want string }{
		"REGEX_EXTRACTION": {`{"source":"a","pattern":"(a+)(b)"}`, `[["aaa","b"]]`},
		"REGEX_REPLACE":    {`{"source":"a","pattern":"(a+)(b)","replacement":"\\2\\1"}`, `"baaa 12"`},
		"XML_PATH":         {`{"source":"x","xpath":"//a[@b][string-length(.) = 1 and position() = 1]"}`, `"t"`},
		"JSON_PATH":        {`{"source":"j","path":"$..k[-1]"}`, `3`},
		"COMBINE_COLUMNS":  {`{"sources":["a","a"],"format":"{a}"}`, `"aaab 12"`},
	} {
		prepared := mustPrepare(t, typ, c.config)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				for range 50 {
					got, err := prepared.Run(t.Context(), &step.Env{Values: slices.Clone(values)})
					if err != nil || string(got.Raw()) != c.want {
						t.Errorf("%s: %s, %v", typ, got.Raw(), err)
					}
				}
			})
		}
		group.Wait()
	}
}
