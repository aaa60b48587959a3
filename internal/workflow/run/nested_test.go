package run_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/workflow"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// calls returns a node that runs a workflow.
func calls(name, called, mappings string) string {
	return fmt.Sprintf(`{"name":%q,"node_type":"WORKFLOW","configuration":{"workflow_name":%q,"input_mappings":%s},"is_output_node":true}`,
		name, called, mappings)
}

func TestNestedWorkflows(t *testing.T) {
	t.Parallel()
	loop := func(kind, more string) string {
		return fmt.Sprintf(`{"name":"loop","node_type":%q,"configuration":{"loop_type":"workflow","workflow_config":{"workflow_name":"echo"},"variable_mappings":{"v":%s},"is_output_node":true}`,
			kind, more)
	}
	tests := map[string]struct {
		graph   string
		inputs  string
		output  string
		message string
	}{
		"with mapped inputs": {
			graph:  `{"nodes":[` + calls("a", "echo", `{"v":"in"}`) + `],"required_input_variables":{"in":"string"}}`,
			inputs: `{"in":{"x": [1.0]}}`, output: `{"x": [1.0]}`,
		},
		"with missing inputs": {graph: nodes(calls("a", "echo", `{}`)), output: `null`},
		"of an unknown workflow": {
			graph: nodes(calls("a", "nothing", `{}`)), message: "Workflow not found",
		},
		"without output": {
			graph: nodes(calls("a", "fails", `{}`)), message: "the workflow produced no output: node 'h' failed: human input is not available",
		},
		"in a loop over items": {
			graph:  `{"nodes":[` + loop("FOR_LOOP", `"_iterator_item"},"iterator_source":"list"`) + `],"required_input_variables":{"list":"array"}}`,
			inputs: `{"list":[1,"b",null]}`, output: `{"iterations":3,"outputs":[1,"b",null],"final_output":null}`,
		},
		"in a loop that counts": {
			graph: nodes(loop("FOR_LOOP", `"loop_index"},"max_iterations":3`)), output: `{"iterations":3,"outputs":[0,1,2],"final_output":2}`,
		},
		"in a loop that ends without more items": {
			graph: nodes(loop("WHILE_LOOP", `"previous_outputs"},"max_iterations":2,"return_all_outputs":false`)), output: `{"iterations":1,"outputs":[[]],"final_output":[]}`,
		},
	}
	l := onSQLite(t)
	p := l.process("a")
	l.create("echo", `{"nodes":[{"name":"out","node_type":"COALESCE","configuration":{"sources":["v","v2"]},"is_output_node":true}],"required_input_variables":{"v":"string","v2":"string"}}`)
	l.create("fails", nodes(human("h", false), variable("out", `1`, true, "h")))
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l.create(name, test.graph)
			result := p.runs(name, orObject(test.inputs))
			if test.message != "" {
				check.Equal(t, "message", message(result, "a"), test.message)
				return
			}
			check.Equal(t, "output", string(result.Body(false)), test.output)
		})
	}
}

func orObject(text string) string {
	if text == "" {
		return `{}`
	}
	return text
}

func TestNestingDepthIsLimited(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a")
	l.create("0", nodes(variable("a", `"bottom"`, true)))
	for depth := 1; depth <= 11; depth++ {
		l.create(fmt.Sprint("level", depth), nodes(calls("a", below(depth), `{}`)))
	}
	check.Equal(t, "ten", string(p.runs("level10", `{}`).Body(false)), `"bottom"`)
	eleven := p.runs("level11", `{}`)
	check.Equal(t, "eleven", status(eleven, "a"), run.Failed)
	if got := message(eleven, "a"); !strings.Contains(got, "workflows are nested deeper than 10 levels") {
		t.Errorf("the message is %q", got)
	}
}

func below(depth int) string {
	if depth == 1 {
		return "0"
	}
	return fmt.Sprint("level", depth-1)
}

func TestMutualRecursionFails(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a")
	l.create("one", nodes(calls("a", "two", `{}`)))
	l.create("two", nodes(calls("a", "one", `{}`)))
	result := p.runs("one", `{}`)
	check.Equal(t, "status", status(result, "a"), run.Failed)
	if got := message(result, "a"); !strings.Contains(got, "workflows are nested deeper than 10 levels") {
		t.Errorf("the message is %q", got)
	}
}

// remembered caches workflows and counts lookups.
type remembered struct {
	run.Definitions
	asked atomic.Int64
	found *workflow.Found
}

func (r *remembered) Find(context.Context, int64, string, registry.Selector) (*workflow.Found, error) {
	r.asked.Add(1)
	return r.found, nil
}

// Each of the nodes that run their own workflow would do so again: the run
// would neither end nor fit into memory.
func TestBranchingRecursionEnds(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	l.create("self", nodes(calls("a", "self", `{}`), calls("b", "self", `{}`), calls("c", "self", `{}`)))
	definitions := &remembered{Definitions: l.workflows, found: check.Must(l.workflows.Find(l.ctx, l.workspace, "self", registry.Selector{}))(t)}
	p := l.process("a", func(s *setup) { s.options.Definitions = definitions })
	result := p.runs("self", `{}`)
	for _, name := range []string{"a", "b", "c"} {
		check.Equal(t, name, status(result, name), run.Failed)
	}
	check.Equal(t, "workflows that were run", definitions.asked.Load(), int64(1+5000))
}
