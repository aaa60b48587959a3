package workflow_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/workflow"
)

// problemsOf returns the problems that read finds in a text, as "path: type".
func problemsOf(text string, read func(v jsontree.Value, loc []any, problems *fault.Problems)) []string {
	var problems fault.Problems
	read(check.JSON(text), []any{"body", "x"}, &problems)
	var list []string
	var f *fault.Error
	if errors.As(problems.Err(), &f) {
		for _, field := range f.Fields {
			list = append(list, fault.Path(field.Loc)+": "+field.Type)
		}
	}
	return list
}

func nodes(v jsontree.Value, loc []any, p *fault.Problems)     { workflow.ReadNodes(v, loc, p) }
func edges(v jsontree.Value, loc []any, p *fault.Problems)     { workflow.ReadEdges(v, loc, p) }
func variables(v jsontree.Value, loc []any, p *fault.Problems) { workflow.ReadVariables(v, loc, p) }
func changes(v jsontree.Value, loc []any, p *fault.Problems)   { workflow.ReadNodeChanges(v, loc, p) }

// many returns n elements separated by commas.
func many(n int, element func(i int) string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = element(i)
	}
	return strings.Join(list, ",")
}

func TestReadRejects(t *testing.T) {
	t.Parallel()
	node := func(i int) string {
		return fmt.Sprintf(`{"name":"%d","node_type":"VARIABLE","configuration":{},"is_output_node":true}`, i)
	}
	edge := func(conditionals string) string {
		return `[{"source_node_name":"a","target_node_name":"b","is_and":true,"conditionals":` + conditionals + `}]`
	}
	comparison := func(operator, left, right string) string {
		return edge(`[{"position":0,"operator":"` + operator + `","left_config":` + left + `,"right_config":` + right + `}]`)
	}
	value, long := `{"static_value":1}`, strings.Repeat("ü", 256)
	tests := map[string]struct {
		read func(v jsontree.Value, loc []any, problems *fault.Problems)
		text string
		want []string
	}{
		"nodes that are not a list":    {nodes, `{}`, []string{"x: list_type"}},
		"a node that is not an object": {nodes, `[1]`, []string{"x[0]: dict_type"}},
		"a node that is null":          {nodes, `[null]`, []string{"x[0]: dict_type"}},
		"an empty node":                {nodes, `[{}]`, []string{"x[0].name: missing", "x[0].node_type: missing", "x[0].configuration: missing", "x[0].is_output_node: missing"}},
		"a node of nulls":              {nodes, `[{"name":null,"node_type":null,"configuration":null,"is_output_node":null,"dependencies":null}]`, []string{"x[0].name: missing", "x[0].node_type: missing", "x[0].configuration: missing", "x[0].is_output_node: missing"}},
		"members of other kinds":       {nodes, `[{"name":1,"node_type":[],"configuration":"c","is_output_node":"true","dependencies":"a"}]`, []string{"x[0].name: string_type", "x[0].node_type: string_type", "x[0].configuration: dict_type", "x[0].dependencies: list_type", "x[0].is_output_node: bool_type"}},
		"an empty name":                {nodes, `[{"name":"","node_type":"V","configuration":{},"is_output_node":true}]`, []string{"x[0].name: string_too_short"}},
		"a long name":                  {nodes, `[{"name":"` + long + `","node_type":"V","configuration":{},"is_output_node":true}]`, []string{"x[0].name: string_too_long"}},
		"a name with NUL":              {nodes, `[{"name":"a\u0000","node_type":"V\u0000","configuration":{},"is_output_node":true}]`, []string{"x[0].name: value_error", "x[0].node_type: value_error"}},
		"a dependency without a name":  {nodes, `[{"name":"a","node_type":"V","configuration":{},"is_output_node":true,"dependencies":["b",1,null]}]`, []string{"x[0].dependencies[1]: string_type", "x[0].dependencies[2]: string_type"}},
		"too many nodes":               {nodes, `[` + many(workflow.MaxNodes+1, node) + `]`, []string{"x: too_long"}},
		"too many dependencies":        {nodes, `[{"name":"a","node_type":"V","configuration":{},"is_output_node":true,"dependencies":[` + many(workflow.MaxDependencies+1, func(int) string { return `"b"` }) + `]}]`, []string{"x[0].dependencies: too_long"}},

		"edges that are no list":          {edges, `{}`, []string{"x: list_type"}},
		"an empty edge":                   {edges, `[{}]`, []string{"x[0].source_node_name: missing", "x[0].target_node_name: missing", "x[0].is_and: missing", "x[0].conditionals: missing"}},
		"an edge without conditionals":    {edges, edge(`[]`), []string{"x[0].conditionals: too_short"}},
		"conditionals that are no list":   {edges, edge(`{}`), []string{"x[0].conditionals: list_type"}},
		"too many conditionals":           {edges, edge(`[` + many(workflow.MaxConditionals+1, func(int) string { return `{}` }) + `]`), []string{"x[0].conditionals: too_long"}},
		"an empty conditional":            {edges, edge(`[{}]`), []string{"x[0].conditionals[0].position: missing", "x[0].conditionals[0].operator: missing", "x[0].conditionals[0].left_config: missing", "x[0].conditionals[0].right_config: missing"}},
		"a conditional that is no object": {edges, edge(`["a"]`), []string{"x[0].conditionals[0]: dict_type"}},
		"a position below zero":           {edges, edge(`[{"position":-1,"operator":"=","left_config":` + value + `,"right_config":` + value + `}]`), []string{"x[0].conditionals[0].position: greater_than_equal"}},
		"a position that is no integer":   {edges, edge(`[{"position":0.5,"operator":"=","left_config":` + value + `,"right_config":` + value + `}]`), []string{"x[0].conditionals[0].position: int_type"}},
		"an operator of the guide":        {edges, comparison("==", value, value), []string{"x[0].conditionals[0].operator: enum"}},
		"operands without anything":       {edges, comparison("=", `{}`, `{}`), []string{"x[0].conditionals[0].left_config: missing", "x[0].conditionals[0].right_config: missing"}},
		"the left side of is_null":        {edges, comparison("is_null", `{}`, `{}`), []string{"x[0].conditionals[0].left_config: missing"}},
		"the right side of is_null":       {edges, comparison("is_null", value, `1`), []string{"x[0].conditionals[0].right_config: dict_type"}},
		"an operand of another type":      {edges, comparison("=", `{"type":"node","source":"a"}`, value), []string{"x[0].conditionals[0].left_config.type: enum"}},
		"a source without a name":         {edges, comparison("=", `{"type":"source","source":{}}`, `{"source":""}`), []string{"x[0].conditionals[0].left_config.source: value_error", "x[0].conditionals[0].right_config.source: value_error"}},
		"a type without its member":       {edges, comparison("=", `{"type":"source","static_value":1}`, `{"type":"static_value","source":"a"}`), []string{"x[0].conditionals[0].left_config.source: missing", "x[0].conditionals[0].right_config.static_value: missing"}},

		"variables that are a list":           {variables, `[]`, []string{"x: dict_type"}},
		"a type that is no string":            {variables, `{"a":1,"b":"string","c":null}`, []string{"x.a: string_type", "x.c: string_type"}},
		"a variable without a name":           {variables, `{"":"string"}`, []string{"x.: string_too_short"}},
		"too many variables":                  {variables, `{` + many(workflow.MaxVariables+1, func(i int) string { return fmt.Sprintf(`"%d":""`, i) }) + `}`, []string{"x: too_long"}},
		"changes that are a list":             {changes, `[]`, []string{"x: dict_type"}},
		"a change that is no object":          {changes, `{"a":[]}`, []string{"x.a: dict_type"}},
		"a change with wrong members":         {changes, `{"a":{"node_type":1,"configuration":[],"dependencies":{},"is_output_node":0}}`, []string{"x.a.node_type: string_type", "x.a.configuration: dict_type", "x.a.dependencies: list_type", "x.a.is_output_node: bool_type"}},
		"a change of a node with a long name": {changes, `{"` + long + `":null}`, []string{"x." + long + ": string_too_long"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check.Equal(t, "problems", problemsOf(test.text, test.read), test.want)
		})
	}
}

func TestReadTakes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ü", 255)
	tests := map[string]struct {
		read func(v jsontree.Value, loc []any, problems *fault.Problems)
		text string
	}{
		"no nodes":                     {nodes, `[]`},
		"a node with further members":  {nodes, `[{"name":"` + long + `","node_type":"V","configuration":{"x":null},"is_output_node":false,"id":1,"position":{}}]`},
		"a removed node":               {changes, `{"a":null,"b":{}}`},
		"a change of nulls":            {changes, `{"a":{"node_type":null,"configuration":null,"dependencies":null,"is_output_node":null,"name":7}}`},
		"no edges":                     {edges, `[]`},
		"sides that are not looked at": {edges, `[{"source_node_name":"a","target_node_name":"b","is_and":false,"conditionals":[{"position":3,"operator":"is_not_null","left_config":{"source":"a"},"right_config":{"type":"other"}}]}]`},
		"a static null":                {edges, `[{"source_node_name":"a","target_node_name":"b","is_and":false,"conditionals":[{"position":0,"operator":"=","left_config":{"type":"source","source":{"name":"a"}},"right_config":{"type":"static_value","static_value":null}}]}]`},
		"no variables":                 {variables, `{}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check.Equal(t, "problems", problemsOf(test.text, test.read), nil)
		})
	}
}

func TestReadOperand(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, source, static string }{
		"a source":                 {`{"type":"source","source":{"name":"a"}}`, "a", ""},
		"a source by its name":     {`{"type":"source","source":"a"}`, "a", ""},
		"a source without a type":  {`{"source":{"name":"a"}}`, "a", ""},
		"a value":                  {`{"type":"static_value","static_value":{"x":[1.50]}}`, "", `{"x":[1.50]}`},
		"a value without a type":   {`{"static_value":null}`, "", "null"},
		"the type decides":         {`{"type":"static_value","static_value":1,"source":"a"}`, "", "1"},
		"the source comes first":   {`{"static_value":1,"source":"a"}`, "a", ""},
		"a source that is not set": {`{"static_value":1,"source":null}`, "", "1"},
		"nothing":                  {`{}`, "", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := workflow.ReadOperand(check.JSON(test.text))
			check.Equal(t, "source", got.Source, test.source)
			check.Equal(t, "value", string(got.Static.Raw()), test.static)
		})
	}
}

func TestConditionalsInOrder(t *testing.T) {
	t.Parallel()
	edge := workflow.Edge{Conditionals: []workflow.Conditional{
		{Position: 2, Operator: "a"}, {Position: 0, Operator: "b"}, {Position: 2, Operator: "c"}, {Position: 1, Operator: "d"},
	}}
	got := ""
	for _, c := range edge.InOrder() {
		got += string(c.Operator)
	}
	check.Equal(t, "order", got, "bdac")
	check.Equal(t, "first as given", edge.Conditionals[0].Operator, step.Operator("a"))
}
