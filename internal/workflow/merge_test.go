package workflow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/workflow"
)

// show writes a definition in few words: name type configuration <-
// dependencies, with an asterisk for output nodes; then edges and variables.
func show(d workflow.Definition) string {
	var lines []string
	for _, n := range d.Nodes {
		line := n.Name + " " + n.Type + " " + string(n.Configuration.Raw()) + " <- " + strings.Join(n.Dependencies, " ")
		if n.IsOutput {
			line = "*" + line
		}
		lines = append(lines, line)
	}
	for _, e := range d.Edges {
		line := e.Source + " -> " + e.Target
		for _, c := range e.Conditionals {
			line += " " + string(c.Left.Raw()) + string(c.Operator) + string(c.Right.Raw())
		}
		lines = append(lines, line)
	}
	return strings.Join(append(lines, string(workflow.EncodeVariables(d.Variables))), "\n")
}

const three = `{"nodes":[
	{"name":"a","node_type":"VARIABLE","configuration":{"template":{"prompt_name":"p","label":"old"},"list":[1,{"k":1}],"n":1.0},"is_output_node":false},
	{"name":"b","node_type":"VARIABLE","configuration":{ "b" : 1e2 },"is_output_node":false,"dependencies":["a","city"]},
	{"name":"c","node_type":"VARIABLE","configuration":{},"is_output_node":true,"dependencies":["b"]}],
	"edges":[{"source_node_name":"a","target_node_name":"b","is_and":true,"conditionals":[{"position":0,"operator":"=","left_config":{"source":"a"},"right_config":{"static_value":1.50}}]},
	{"source_node_name":"b","target_node_name":"c","is_and":false,"conditionals":[{"position":0,"operator":"is_null","left_config":{"source":"b"},"right_config":{}}]}],
	"required_input_variables":{"city":"string"}}`

func TestApply(t *testing.T) {
	t.Parallel()
	const (
		a       = `a VARIABLE {"template":{"prompt_name":"p","label":"old"},"list":[1,{"k":1}],"n":1.0} <- `
		b       = `b VARIABLE { "b" : 1e2 } <- a city`
		c       = `*c VARIABLE {} <- b`
		edgeAB  = `a -> b {"source":"a"}={"static_value":1.50}`
		edgeBC  = `b -> c {"source":"b"}is_null{}`
		city    = `{"city":"string"}`
		replace = `{"source_node_name":"a","target_node_name":"c","is_and":true,"conditionals":[{"position":0,"operator":"=","left_config":{"source":"a"},"right_config":{"static_value":2}}]}`
	)
	tests := map[string]struct {
		patch string
		want  []string
	}{
		"nothing":                 {`{}`, []string{a, b, c, edgeAB, edgeBC, city}},
		"nulls":                   {`{"nodes":null,"edges":null,"required_input_variables":null}`, []string{a, b, c, edgeAB, edgeBC, city}},
		"empty changes":           {`{"nodes":{"a":{},"b":{"configuration":{}}}}`, []string{a, `b VARIABLE {"b":1e2} <- a city`, c, edgeAB, edgeBC, city}},
		"a node of nulls":         {`{"nodes":{"a":{"node_type":null,"configuration":null,"dependencies":null,"is_output_node":null}}}`, []string{a, b, c, edgeAB, edgeBC, city}},
		"a member of a member":    {`{"nodes":{"a":{"configuration":{"template":{"label":"new"}}}}}`, []string{`a VARIABLE {"template":{"prompt_name":"p","label":"new"},"list":[1,{"k":1}],"n":1.0} <- `, b, c, edgeAB, edgeBC, city}},
		"lists are replaced":      {`{"nodes":{"a":{"configuration":{"list":[2]}}}}`, []string{`a VARIABLE {"template":{"prompt_name":"p","label":"old"},"list":[2],"n":1.0} <- `, b, c, edgeAB, edgeBC, city}},
		"null is a value":         {`{"nodes":{"a":{"configuration":{"template":null,"x":null}}}}`, []string{`a VARIABLE {"template":null,"list":[1,{"k":1}],"n":1.0,"x":null} <- `, b, c, edgeAB, edgeBC, city}},
		"an object for a number":  {`{"nodes":{"a":{"configuration":{"n":{"deep":[0.10]}}}}}`, []string{`a VARIABLE {"template":{"prompt_name":"p","label":"old"},"list":[1,{"k":1}],"n":{"deep":[0.10]}} <- `, b, c, edgeAB, edgeBC, city}},
		"the type alone":          {`{"nodes":{"b":{"node_type":"JOIN"}}}`, []string{a, `b JOIN { "b" : 1e2 } <- a city`, c, edgeAB, edgeBC, city}},
		"dependencies":            {`{"nodes":{"b":{"dependencies":[]},"c":{"dependencies":["a"]}}}`, []string{a, `b VARIABLE { "b" : 1e2 } <- `, `*c VARIABLE {} <- a`, edgeAB, edgeBC, city}},
		"outputs":                 {`{"nodes":{"c":{"is_output_node":false},"a":{"is_output_node":true}}}`, []string{"*" + a, b, `c VARIABLE {} <- b`, edgeAB, edgeBC, city}},
		"a removed node":          {`{"nodes":{"b":null}}`, []string{a, c, city}},
		"another removed node":    {`{"nodes":{"a":null}}`, []string{b, c, edgeBC, city}},
		"new nodes":               {`{"nodes":{"z":{"node_type":"VARIABLE","configuration":{ "z":1 }},"y":{"node_type":"JOIN","configuration":{},"dependencies":["a"],"is_output_node":true}}}`, []string{a, b, c, `z VARIABLE { "z":1 } <- `, `*y JOIN {} <- a`, edgeAB, edgeBC, city}},
		"a new name":              {`{"nodes":{"a":null,"d":{"node_type":"VARIABLE","configuration":{}},"b":{"dependencies":["d"]}}}`, []string{`b VARIABLE { "b" : 1e2 } <- d`, c, `d VARIABLE {} <- `, edgeBC, city}},
		"one name twice":          {`{"nodes":{"z":null,"b":null,"z":{"node_type":"JOIN","configuration":{"x":1,"x":2}}}}`, []string{a, c, `z JOIN {"x":1,"x":2} <- `, city}},
		"one member twice":        {`{"nodes":{"c":{"configuration":{"x":{"k":1},"x":{"l":1}}}}}`, []string{a, b, `*c VARIABLE {"x":{"l":1}} <- b`, edgeAB, edgeBC, city}},
		"no edges":                {`{"edges":[]}`, []string{a, b, c, city}},
		"other edges":             {`{"edges":[` + replace + `]}`, []string{a, b, c, `a -> c {"source":"a"}={"static_value":2}`, city}},
		"edges of a removed node": {`{"nodes":{"a":null},"edges":[` + replace + `]}`, []string{b, c, `a -> c {"source":"a"}={"static_value":2}`, city}},
		"no variables":            {`{"required_input_variables":{}}`, []string{a, b, c, edgeAB, edgeBC, `{}`}},
		"other variables":         {`{"required_input_variables":{"z":"1","y":"2","z":"3"}}`, []string{a, b, c, edgeAB, edgeBC, `{"z":"3","y":"2"}`}},
		"escaped names":           {`{"nodes":{"\u0061":{"configuration":{"\u006e":2}}}}`, []string{`a VARIABLE {"template":{"prompt_name":"p","label":"old"},"list":[1,{"k":1}],"n":2} <- `, b, c, edgeAB, edgeBC, city}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := define(t, three)
			got := check.Must(base.Apply(change(t, test.patch)))(t)
			check.Equal(t, "result", strings.Split(show(got), "\n"), test.want)
			check.Equal(t, "base", show(base), show(define(t, three)))
		})
	}
}

func TestApplyRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"nodes":{"x":{}}}`, `{"nodes":{"x":{"node_type":"VARIABLE"}}}`, `{"nodes":{"x":{"configuration":{}}}}`,
		`{"nodes":{"x":{"node_type":"VARIABLE","configuration":null}}}`,
	} {
		base := define(t, three)
		_, err := base.Apply(change(t, text))
		check.Refused(t, err, fault.BadRequest, "Node 'x' is new and needs node_type and configuration")
	}
	base := define(t, three)
	_, err := base.Apply(change(t, `{"nodes":{"x":null}}`))
	check.Refused(t, err, fault.BadRequest, "Node 'x' does not exist and cannot be removed")
}

// TestMergeOfLargeObjects would take minutes if each member were searched for.
func TestMergeOfLargeObjects(t *testing.T) {
	t.Parallel()
	object := func(value string) string {
		return `{` + many(50_000, func(i int) string { return fmt.Sprintf(`"k%d":%s`, i, value) }) + `}`
	}
	base := define(t, `{"nodes":[{"name":"a","node_type":"VARIABLE","is_output_node":true,"configuration":`+object("1")+`}]}`)
	got := check.Must(base.Apply(change(t, `{"nodes":{"a":{"configuration":`+object("2")+`}}}`)))(t)
	check.Equal(t, "configuration", string(got.Nodes[0].Configuration.Raw()), object("2"))
}
