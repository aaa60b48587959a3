package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// variable returns a node with a value.
func variable(name, value string, output bool, dependencies ...string) string {
	return fmt.Sprintf(`{"name":%q,"node_type":"VARIABLE","configuration":{"value":{"type":"json","value":%q}},"dependencies":[%s],"is_output_node":%t}`,
		name, value, quoted(dependencies), output)
}

// human returns a node that fails.
func human(name string, output bool, dependencies ...string) string {
	return fmt.Sprintf(`{"name":%q,"node_type":"HUMAN","configuration":{"data_type":"number"},"dependencies":[%s],"is_output_node":%t}`,
		name, quoted(dependencies), output)
}

func nodes(list ...string) string { return `{"nodes":[` + strings.Join(list, ",") + `]}` }

func TestBody(t *testing.T) {
	t.Parallel()
	const succeeded = `{"status":"SUCCESS","value":%s,"error_message":null,"raw_error_message":null,"is_output_node":%t}`
	const failed = `{"status":"FAILED","value":null,"error_message":"human input is not available","raw_error_message":"human input is not available","is_output_node":true}`
	const skipped = `{"status":"SKIPPED","value":null,"error_message":null,"raw_error_message":null,"is_output_node":%t}`
	tests := map[string]struct {
		graph      string
		allOutputs bool
		want       string
	}{
		"an output":                      {graph: nodes(variable("a", `{"b": 1.0}`, true)), want: `{"b": 1.0}`},
		"an output of null":              {graph: nodes(variable("a", `null`, true)), want: `null`},
		"an output of false":             {graph: nodes(variable("a", `false`, true)), want: `false`},
		"an output of an empty text":     {graph: nodes(variable("a", `""`, true)), want: `""`},
		"the first in the definition":    {graph: nodes(variable("b", `1`, true), variable("a", `2`, true)), want: `1`},
		"the output that is final first": {graph: nodes(variable("late", `1`, true, "mid"), variable("mid", `0`, false), variable("soon", `2`, true)), want: `2`},
		"the output that succeeds":       {graph: nodes(human("a", true), variable("b", `2`, true, "c"), variable("c", `3`, false)), want: `2`},
		"only output nodes":              {graph: nodes(variable("a", `1`, false), variable("b", `2`, true, "a")), want: `2`},
		"all nodes if requested":         {graph: nodes(variable("a", `1`, false), variable("b", `2`, true)), allOutputs: true, want: `{"a":` + fmt.Sprintf(succeeded, "1", false) + `,"b":` + fmt.Sprintf(succeeded, "2", true) + `}`},
		"all nodes if none succeeded":    {graph: nodes(human("z", true), variable("a", `2`, true, "z")), want: `{"z":` + failed + `,"a":` + fmt.Sprintf(skipped, true) + `}`},
	}
	l := onSQLite(t)
	p := l.process("a")
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l.create(name, test.graph)
			check.Equal(t, "body", string(p.runs(name, `{}`).Body(test.allOutputs)), test.want)
		})
	}
}

func TestExclusiveBranches(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a")
	edge := func(target, operator string) string {
		return fmt.Sprintf(`{"source_node_name":"q","target_node_name":%q,"is_and":false,"conditionals":[
			{"position":1,"operator":"is_null","left_config":{"source":"q"},"right_config":{}},
			{"position":0,"operator":%q,"left_config":{"type":"source","source":{"name":"v"}},"right_config":{"type":"static_value","static_value":"yes"}}]}`, target, operator)
	}
	l.create("w", `{"nodes":[`+strings.Join([]string{
		variable("q", `1`, false), variable("yes", `"y"`, true, "q"), variable("no", `"n"`, true, "q"),
		`{"name":"joined","node_type":"COALESCE","configuration":{"sources":["yes","no"]},"is_output_node":false}`,
	}, ",")+`],"edges":[`+edge("yes", "=")+`,`+edge("no", "!=")+`],"required_input_variables":{"v":"string"}}`)
	for input, want := range map[string]string{`{"v":"yes"}`: `"y"`, `{"v":"other"}`: `"n"`, `{}`: `"n"`} {
		result := p.runs("w", input)
		check.Equal(t, "output of "+input, string(result.Body(false)), want)
		check.Equal(t, "joined of "+input, string(node(result, "joined").Get("value").Raw()), want)
	}
}

func TestActiveRunShowsNodes(t *testing.T) {
	t.Parallel()
	l, w := onSQLite(t), newWorld(t)
	p := l.process("a")
	l.create("w", nodes(variable("a", `1`, true), w.endpoint("b", "/wait/b", "a"), variable("c", `1`, true, "b")))
	id := p.start("w", `{}`)
	check.Next(t, w.begun)
	result := p.result(id)
	check.Equal(t, "ended", result.Ended, false)
	for name, want := range map[string]run.Status{"a": run.Success, "b": run.Running, "c": run.Queued} {
		check.Equal(t, name, status(result, name), want)
	}
	check.Equal(t, "body", string(result.Body(false)), string(result.Nodes))
	close(w.release)
	check.Equal(t, "output", string(p.done(id).Body(false)), `1`)
}

func TestOneNode(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a")
	record := l.create("w", nodes(variable("a", `1`, true), variable("b", `2`, false)))
	id := p.start("w", `{}`)
	p.done(id)
	only := `{"b":{"status":"SUCCESS","value":2,"error_message":null,"raw_error_message":null,"is_output_node":false}}`
	name, nodeID, upper, unknown := "b", record.Content.Nodes[1].ID, strings.ToUpper(record.Content.Nodes[1].ID), "x"
	for what, by := range map[string][2]*string{"name": {&name, nil}, "id": {nil, &nodeID}, "upper id": {nil, &upper}} {
		result, err := p.Result(l.ctx, l.workspace, id, by[0], by[1])
		check.Equal(t, "by "+what, string(check.Must(result, err)(t).Nodes), only)
	}
	for _, by := range [][2]*string{{&unknown, nil}, {nil, &unknown}} {
		_, err := p.Result(l.ctx, l.workspace, id, by[0], by[1])
		check.Refused(t, err, fault.NotFound, "Workflow node not found")
	}
}

func TestNotFound(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a")
	l.create("w", nodes(variable("a", `1`, true)))
	id := p.start("w", `{}`)
	p.done(id)
	for _, at := range [][2]int64{{l.other, id}, {l.workspace, id + 1000}} {
		_, err := p.Result(l.ctx, at[0], at[1], nil, nil)
		check.Refused(t, err, fault.NotFound, "Workflow execution not found")
		_, err = p.Cancel(l.ctx, at[0], at[1])
		check.Refused(t, err, fault.NotFound, "Workflow execution not found")
	}
	for message, version := range map[string]registry.Selector{"Version not found": {Number: 7}, "Release label not found": {Label: "prod"}} {
		_, err := p.Start(l.ctx, l.workspace, "w", run.Request{Version: version})
		check.Refused(t, err, fault.NotFound, message)
	}
	_, err := p.Start(l.ctx, l.other, "w", run.Request{})
	check.Refused(t, err, fault.NotFound, "Workflow not found")
	check.Equal(t, "jobs", l.left(), 0)
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a")
	l.create("w", nodes(variable("a", `1`, true)))
	id := p.start("w", `{}`)
	stranger := access.WithCaller(l.ctx, access.Caller{})
	const message = "You do not have permission to do this: it needs WORKFLOW_RUN"
	_, err := p.Start(stranger, l.workspace, "w", run.Request{})
	check.Refused(t, err, fault.Forbidden, message)
	_, err = p.Cancel(stranger, l.workspace, id)
	check.Refused(t, err, fault.Forbidden, message)
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a")
	l.create("w", `{"nodes":[`+variable("a", `1`, true)+`],"required_input_variables":{"b":"string","a1":"string"}}`)
	for inputs, want := range map[string]string{
		`{"b":1,"a1":null}`:    "",
		`{"b":1}`:              "Missing input variables: a1.",
		`{}`:                   "Missing input variables: b, a1.",
		`{"b":1,"z":1,"x":2}`:  "Missing input variables: a1. Unused input variables: z, x.",
		`{"b":1,"a1":1,"x":1}`: "Unused input variables: x.",
	} {
		started := check.Must(p.Start(l.ctx, l.workspace, "w", run.Request{Inputs: check.JSON(inputs)}))(t)
		check.Equal(t, inputs, started.Warning, want)
	}
}
