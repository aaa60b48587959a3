package step_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

func TestCodeExecution(t *testing.T) {
	t.Parallel()
	const values = `{"a":1.50,"b":[null],"a":2}`
	runExamples(t, "CODE_EXECUTION", newWorld(t).env(), []example{
		{name: "all values", config: `{"code":"return data","language":"PYTHON"}`, values: values, want: `{"language":"python","code":"return data","data":{"a":1.50,"b":[null]}}`},
		{name: "any case", config: `{"code":"x","language":"JavaScript"}`, values: `{}`, want: `{"language":"javascript","code":"x","data":{}}`},
		{name: "no language", config: `{"code":"x"}`, refused: "language: Field required"},
		{name: "unknown language", config: `{"code":"x","language":"ruby"}`, refused: "language: Input should be '"},
		{name: "no code", config: `{"code":"","language":"python"}`, refused: "code: String should have at least 1 character"},
		{name: "too much code", config: `{"code":"` + strings.Repeat("x", 1<<20+1) + `","language":"python"}`, refused: "code: Input should have at most 1048576 bytes"},
	})
}

func TestWorkflow(t *testing.T) {
	t.Parallel()
	const values = `{"a":1,"b":"x"}`
	runExamples(t, "WORKFLOW", newWorld(t).env(), []example{
		{name: "by id", config: `{"workflow_id":7,"input_mappings":{"x":"a","y":"missing","z":null}}`, values: values, want: `{"id":7,"in":{"x":1,"y":null},"done":false}`, sources: "a missing"},
		{name: "broken", config: `{"workflow_name":"broken"}`, values: values, fails: "no output node succeeded"},
		{name: "none", config: `{"workflow_id":null}`, refused: "workflow_id: Field required"},
		{name: "no id", config: `{"workflow_id":-1}`, refused: "workflow_id: Input should be greater than or equal to 1"},
		{name: "version and label", config: `{"workflow_id":1,"workflow_version_number":1,"workflow_label":"prod"}`, refused: "cannot both be given"},
		{name: "mappings are a list", config: `{"workflow_id":1,"input_mappings":[]}`, refused: "input_mappings: Input should be a valid object"},
	})
}

func TestWorkflowRequest(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]step.WorkflowRequest{
		`{"workflow_id":7,"workflow_version_number":"2"}`: {ID: 7, Version: 2, Depth: 4},
		`{"workflow_id":"7","workflow_label":"prod"}`:     {ID: 7, Label: "prod", Depth: 4},
		`{"workflow_id":"a name"}`:                        {Name: "a name", Depth: 4},
		`{"workflow_name":"a name","workflow_id":null}`:   {Name: "a name", Depth: 4},
	} {
		w := newWorld(t)
		env := w.env()
		env.Depth = 3
		if _, err := mustPrepare(t, "WORKFLOW", config).Run(t.Context(), &env); err != nil {
			t.Fatal(err)
		}
		got := w.workflows[0]
		want.Inputs = got.Inputs
		if got != want {
			t.Errorf("%s asks for %+v", config, got)
		}
	}
	env := newWorld(t).env()
	env.Depth = step.MaxDepth
	_, err := mustPrepare(t, "WORKFLOW", `{"workflow_id":1}`).Run(t.Context(), &env)
	wantFault(t, err, "nested deeper than 10")
}

func TestForLoop(t *testing.T) {
	t.Parallel()
	const values = `{"list":["a",{"b":1}],"text":"[1, 2]","empty":[],"no":"x","loop_index":"outer","k":5}`
	const prompt = `"loop_type":"prompt","prompt_config":{"template":{"prompt_name":"loop"}}`
	runExamples(t, "FOR_LOOP", newWorld(t).env(), []example{
		{name: "items", config: `{` + prompt + `,"iterator_source":"text"}`, values: values,
			want: `{"iterations":2,"outputs":["0:1:[]","1:2:['0:1:[]']"],"final_output":"1:2:['0:1:[]']"}`, sources: "text"},
		{name: "a number of times", config: `{` + prompt + `,"max_iterations":1}`, values: values,
			want: `{"iterations":1,"outputs":["0::[]"],"final_output":"0::[]"}`},
		{name: "only the last", config: `{` + prompt + `,"iterator_source":"text","return_all_outputs":false}`, values: values,
			want: `{"iterations":2,"outputs":["1:2:['0:1:[]']"],"final_output":"1:2:['0:1:[]']"}`},
		{name: "nothing", config: `{` + prompt + `,"iterator_source":"empty","return_all_outputs":false}`, values: values,
			want: `{"iterations":0,"outputs":[],"final_output":null}`},
		{name: "mapped", config: `{"loop_type":"prompt","prompt_config":{` + inline("{x}{y}") + `,"prompt_template_variable_mappings":{"x":"k","y":"k"}},"variable_mappings":{"x":"_iterator_item"},"iterator_source":"text"}`, values: values,
			want: `{"iterations":2,"outputs":["15","25"],"final_output":"25"}`, sources: "text k"},
		{name: "not an array", config: `{` + prompt + `,"iterator_source":"k"}`, values: values, fails: "the value of 'k' is not an array"},
		{name: "not JSON", config: `{` + prompt + `,"iterator_source":"no"}`, values: values, fails: "the value of 'no' is not valid JSON"},
		{name: "an iteration fails", config: `{"loop_type":"workflow","workflow_config":{"workflow_name":"broken"},"max_iterations":2}`, values: values, fails: "iteration 0: no output node succeeded"},
		{name: "both", config: `{` + prompt + `,"iterator_source":"list","max_iterations":1}`, refused: "exactly one of 'iterator_source' and 'max_iterations'"},
		{name: "neither", config: `{` + prompt + `,"max_iterations":null}`, refused: "exactly one of 'iterator_source' and 'max_iterations'"},
		{name: "no iteration", config: `{` + prompt + `,"max_iterations":0}`, refused: "max_iterations: Input should be greater than or equal to 1"},
		{name: "too many", config: `{` + prompt + `,"max_iterations":1001}`, refused: "max_iterations: Input should be less than or equal to 1000"},
		{name: "item as a key", config: `{` + prompt + `,"max_iterations":1,"variable_mappings":{"_iterator_item":"k"}}`, refused: "'_iterator_item' cannot be mapped"},
		{name: "source as a key", config: `{"loop_type":"workflow","workflow_config":{"workflow_id":1,"input_mappings":{"_iterator_source":"k"}},"max_iterations":1}`, refused: "'_iterator_source' cannot be mapped"},
		{name: "no type", config: `{"max_iterations":1}`, refused: "loop_type: Field required"},
		{name: "no prompt", config: `{"loop_type":"prompt","workflow_config":{"workflow_id":1},"max_iterations":1}`, refused: "prompt_config: Field required"},
		{name: "prompt names nothing", config: `{"loop_type":"prompt","prompt_config":{},"max_iterations":1}`, refused: "prompt_config: exactly one of 'template'"},
		{name: "workflow names nothing", config: `{"loop_type":"workflow","workflow_config":{},"max_iterations":1}`, refused: "workflow_config: 'workflow_id' or"},
	})
}

// TestLoopErrorsNameIteration checks that the error has the iteration and all
// details of the failure.
func TestLoopErrorsNameIteration(t *testing.T) {
	t.Parallel()
	run := func(name string) error {
		env := newWorld(t).env()
		_, err := mustPrepare(t, "FOR_LOOP", `{"loop_type":"workflow","workflow_config":{"workflow_name":"`+name+`"},"max_iterations":2}`).Run(t.Context(), &env)
		return err
	}
	var failure *step.FailureError
	if err := run("down"); !errors.As(err, &failure) || failure.Message != "iteration 0: it is down" || failure.Detail != "all of it" {
		t.Errorf("got %#v", err)
	}
	if err := run("lost"); !errors.Is(err, errLost) || fault.Is(err, fault.BadRequest) {
		t.Errorf("got %#v", err)
	}
}

func TestForLoopOverWorkflow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	env := w.env()
	env.Values = valuesOf(t, `{"list":["a",{"b":1}]}`)
	config := `{"loop_type":"workflow","workflow_config":{"workflow_version_id":9,"input_mappings":{"i":"loop_index"}},"variable_mappings":{"x":"_iterator_item","p":"previous_outputs"},"iterator_source":"list"}`
	got, err := mustPrepare(t, "FOR_LOOP", config).Run(t.Context(), &env)
	if err != nil {
		t.Fatal(err)
	}
	const first = `{"id":0,"in":{"i":0,"x":"a","p":[]},"done":false}`
	const second = `{"id":0,"in":{"i":1,"x":{"b":1},"p":[` + first + `]},"done":false}`
	if want := `{"iterations":2,"outputs":[` + first + `,` + second + `],"final_output":` + second + `}`; string(got.Raw()) != want {
		t.Errorf("got %s, want %s", got.Raw(), want)
	}
	if w.workflows[1].VersionID != 9 || w.workflows[1].Depth != 1 {
		t.Errorf("asked for %+v", w.workflows[1])
	}
}

func TestWhileLoop(t *testing.T) {
	t.Parallel()
	counted := func(config string) (string, error) {
		env := newWorld(t).env()
		got, err := mustPrepare(t, "WHILE_LOOP", config).Run(t.Context(), &env)
		return string(got.Get("iterations").Raw()), err
	}
	const workflow = `"loop_type":"workflow","workflow_config":{"workflow_id":1}`
	for name, c := range map[string]struct{ config, want string }{
		"until the path is true":    {`{` + workflow + `,"end_condition_json_path":"$.done"}`, "3"},
		"at most":                   {`{` + workflow + `,"end_condition_json_path":"$.done","max_iterations":2}`, "2"},
		"never true":                {`{` + workflow + `,"end_condition_json_path":"$.nothing","max_iterations":7}`, "7"},
		"never more than 100":       {`{` + workflow + `,"max_iterations":5000}`, "100"},
		"until the output is false": {`{"loop_type":"prompt","prompt_config":{` + inline("") + `}}`, "1"},
		"text that is not JSON":     {`{"loop_type":"prompt","prompt_config":{` + inline("go on") + `},"end_condition_json_path":"$.x","max_iterations":4}`, "4"},
		"text that is JSON":         {`{"loop_type":"prompt","prompt_config":{` + inline(`[1]`) + `},"end_condition_json_path":"$[0]"}`, "1"},
	} {
		if got, err := counted(c.config); err != nil || got != c.want {
			t.Errorf("%s: %s iterations, %v", name, got, err)
		}
	}
	runExamples(t, "WHILE_LOOP", newWorld(t).env(), []example{
		{name: "bad path", config: `{` + workflow + `,"end_condition_json_path":"$["}`, refused: "invalid JSON path"},
		{name: "no iteration", config: `{` + workflow + `,"max_iterations":0}`, refused: "max_iterations: Input should be greater than or equal to 1"},
		{name: "fails", config: `{"loop_type":"prompt","prompt_config":{` + inline("fail") + `}}`, fails: "iteration 0: No API key configured"},
	})
}

// TestLoopsStop checks that a loop ends when its caller has left, and before
// its outputs fill the memory.
func TestLoopsStop(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	env := newWorld(t).env()
	env.Workflows = cancelling{workflows{newWorld(t)}, cancel}
	_, err := mustPrepare(t, "FOR_LOOP", `{"loop_type":"workflow","workflow_config":{"workflow_id":1},"max_iterations":9}`).Run(ctx, &env)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	env = newWorld(t).env()
	env.Values = valuesOf(t, `{"big":"`+strings.Repeat("x", 3<<20)+`"}`)
	_, err = mustPrepare(t, "FOR_LOOP", `{"loop_type":"prompt","prompt_config":{`+inline("{big}")+`},"max_iterations":50}`).Run(t.Context(), &env)
	wantFault(t, err, "larger than 8 MiB together")
}

// cancelling cancels the caller during a workflow.
type cancelling struct {
	workflows
	cancel context.CancelFunc
}

// Run runs a workflow that ignores the cancellation.
func (c cancelling) Run(ctx context.Context, request step.WorkflowRequest) (jsontree.Value, error) {
	c.cancel()
	return c.workflows.Run(ctx, request)
}
