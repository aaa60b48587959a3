package workflow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/workflow"
)

// node returns a VARIABLE node.
func node(name string, isOutput bool, dependencies ...string) string {
	return typed("VARIABLE", "{}", name, isOutput, dependencies...)
}

// join returns a JOIN node with the sources.
func join(name string, sources ...string) string {
	return typed("JOIN", `{"sources":`+quoted(sources)+`}`, name, true)
}

func typed(nodeType, config, name string, isOutput bool, dependencies ...string) string {
	return fmt.Sprintf(`{"name":%q,"node_type":%q,"configuration":%s,"is_output_node":%t,"dependencies":%s}`,
		name, nodeType, config, isOutput, quoted(dependencies))
}

func quoted(names []string) string {
	return "[" + many(len(names), func(i int) string { return fmt.Sprintf("%q", names[i]) }) + "]"
}

func edge(source, target string) string {
	return reading(source, target, "=", `{"source":"`+source+`"}`, `{"static_value":1}`)
}

// reading returns an edge with one condition.
func reading(source, target, operator, left, right string) string {
	return fmt.Sprintf(`{"source_node_name":%q,"target_node_name":%q,"is_and":true,"conditionals":[
		{"position":0,"operator":%q,"left_config":%s,"right_config":%s}]}`, source, target, operator, left, right)
}

// graph returns a definition.
func graph(nodes, edges []string, variables string) string {
	return `{"nodes":[` + strings.Join(nodes, ",") + `],"edges":[` + strings.Join(edges, ",") + `],"required_input_variables":{` + variables + `}}`
}

func TestCheckRejects(t *testing.T) {
	t.Parallel()
	list := func(s ...string) []string { return s }
	pair := slices.Clip(list(node("a", true), node("b", true, "a")))
	tests := map[string]struct {
		nodes, edges []string
		variables    string
		want         string
	}{
		"no node":                          {nil, nil, "", "At least one node must be an output node"},
		"no output node":                   {list(node("a", false)), nil, "", "At least one node must be an output node"},
		"a duplicate name":                 {list(node("a", true), node("b", true), node("a", false)), nil, "", "Duplicate node name: a"},
		"an unknown type":                  {list(typed("DATASET", "{}", "a", true)), nil, "", "Invalid node type: DATASET"},
		"a type in lower case":             {list(typed("variable", "{}", "a", true)), nil, "", "Invalid node type: variable"},
		"a wrong configuration":            {list(node("x", true), typed("JOIN", "{}", "a", true)), nil, "", "Invalid configuration for node 'a': sources must be a list"},
		"an unknown dependency":            {list(node("a", true, "city", "y")), nil, `"city":""`, "Node 'a' depends on unknown node or input variable 'y'"},
		"an unknown source":                {list(join("a", "city", "y")), nil, `"city":""`, "Node 'a' references unknown source 'y'"},
		"a node named like a variable":     {list(node("a", true), node("city", true)), nil, `"city":""`, "Node 'city' has the name of an input variable"},
		"a node that depends on itself":    {list(node("a", true, "a")), nil, "", "Workflow contains a cycle: a -> a"},
		"a node that is its own source":    {list(join("a", "a")), nil, "", "Workflow contains a cycle: a -> a"},
		"two nodes":                        {list(node("a", true, "b"), node("b", true, "a")), nil, "", "Workflow contains a cycle: a -> b -> a"},
		"the flow of a cycle":              {list(node("in", true), node("a", true, "c", "in"), node("b", true, "a"), node("c", true, "b")), nil, "", "Workflow contains a cycle: a -> b -> c -> a"},
		"a cycle of dependency and source": {list(node("a", true, "b"), join("b", "a")), nil, "", "Workflow contains a cycle: a -> b -> a"},
		"a cycle behind others":            {list(node("a", true), node("b", true, "a"), node("c", true, "b", "d"), node("d", true, "c")), nil, "", "Workflow contains a cycle: c -> d -> c"},
		"an edge from an unknown node":     {list(node("a", true)), list(edge("x", "a")), "", "Edge x -> a: there is no node 'x'"},
		"an edge to an unknown node":       {list(node("a", true)), list(edge("a", "x")), "", "Edge a -> x: there is no node 'x'"},
		"an edge from a variable":          {list(node("a", true, "city")), list(edge("city", "a")), `"city":""`, "Edge city -> a: there is no node 'city'"},
		"an edge without a dependency":     {list(node("a", true), join("b", "a")), list(edge("a", "b")), "", "Edge a -> b: 'a' must be one of the dependencies of 'b'"},
		"an edge against a dependency":     {list(node("a", true), node("b", true, "a")), list(edge("b", "a")), "", "Edge b -> a: 'b' must be one of the dependencies of 'a'"},
		"a duplicate edge":                 {list(node("a", true), node("b", true, "a")), list(edge("a", "b"), edge("a", "b")), "", "Edge a -> b: duplicate edge"},
		"a condition on an unknown name":   {pair, list(reading("a", "b", "=", `{"source":"x"}`, `{"static_value":1}`)), `"city":""`, "Edge a -> b: a condition reads unknown node or input variable 'x'"},
		"the same on the right":            {pair, list(reading("a", "b", "in", `{"source":"city"}`, `{"type":"source","source":{"name":"x"}}`)), `"city":""`, "Edge a -> b: a condition reads unknown node or input variable 'x'"},
		"a condition on the target":        {pair, list(reading("a", "b", "is_null", `{"source":"b"}`, `{}`)), "", "Edge a -> b: a condition reads 'b' itself"},
		"a condition on a later node":      {append(pair, node("c", true, "b"), join("d", "c")), list(edge("a", "b"), reading("b", "c", "=", `{"source":"b"}`, `{"source":"d"}`)), "", "Edge b -> c: a condition reads 'd', which waits for 'c'"},
		"conditions on each other":         {append(pair, node("c", true, "a")), list(reading("a", "c", "=", `{"source":"b"}`, `{"static_value":1}`), reading("a", "b", "=", `{"source":"c"}`, `{"static_value":1}`)), "", "Edge a -> c: a condition reads 'b', which waits for 'c'"},
		"a percent sign in a condition":    {pair, list(reading("a", "b", "is_null", `{"source":"%d"}`, `{}`)), "", "Edge a -> b: a condition reads unknown node or input variable '%d'"},
		"a percent sign":                   {list(node("%d", true, "%s")), nil, "", "Node '%d' depends on unknown node or input variable '%s'"},
		"a percent sign in an edge":        {list(node("a", true)), list(edge("%d", "a")), "", "Edge %d -> a: there is no node '%d'"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := define(t, graph(test.nodes, test.edges, test.variables))
			check.Refused(t, d.Check(simpleTypes{}, false), fault.BadRequest, test.want)
		})
	}
}

func TestCheckAccepts(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"one node":           graph([]string{node("a", true)}, nil, ""),
		"a diamond":          graph([]string{node("d", true, "b", "c"), node("b", false, "a"), node("c", false, "a"), node("a", false)}, []string{edge("b", "d"), edge("a", "c")}, ""),
		"variables":          graph([]string{node("a", true, "city"), join("b", "city", "a")}, nil, `"city":"string","unused":"number"`),
		"a dependency twice": graph([]string{node("a", true), node("b", true, "a", "a")}, []string{edge("a", "b")}, ""),
		"names in two cases": graph([]string{node("a", true), node("A", true, "a")}, nil, ""),
		"conditions on unrelated nodes": graph([]string{node("a", true), node("b", true, "a"), node("c", true, "a"), node("aside", true)},
			[]string{reading("a", "b", "=", `{"source":"aside"}`, `{"source":"city"}`), reading("a", "c", "in", `{"source":"b"}`, `{"type":"source","source":"aside"}`)}, `"city":""`),
		"an ignored operand":  graph([]string{node("a", true), node("b", true, "a")}, []string{reading("a", "b", "is_not_null", `{"source":"a"}`, `{"source":"b"}`)}, ""),
		"edges both in a row": graph([]string{node("a", true), node("b", true, "a"), node("c", true, "b", "a")}, []string{edge("a", "b"), edge("b", "c"), edge("a", "c")}, ""),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := define(t, text)
			check.Must(0, d.Check(simpleTypes{}, false))(t)
		})
	}
}

// TestCopiedEdges checks edges of an earlier version, whose dependency or whose
// operands may no longer exist.
func TestCopiedEdges(t *testing.T) {
	t.Parallel()
	d := define(t, graph([]string{node("a", true), node("b", true)}, []string{edge("a", "b")}, ""))
	check.Must(0, d.Check(simpleTypes{}, true))(t)
	check.Refused(t, d.Check(simpleTypes{}, false), fault.BadRequest, "Edge a -> b: 'a' must be one of the dependencies of 'b'")
	for _, name := range []string{"x", "b", "c"} {
		d := define(t, graph([]string{node("a", true), node("b", true, "a"), node("c", true, "b")},
			[]string{reading("a", "b", "is_null", `{"source":"`+name+`"}`, `{}`)}, ""))
		check.OK(t, d.Check(simpleTypes{}, true))
		check.Fault(t, d.Check(simpleTypes{}, false), fault.BadRequest)
	}
}

// chain returns n nodes that each depend on the next one, so that a search from
// the first one is as deep as possible.
func chain(n int, last ...string) []string {
	nodes := make([]string, n)
	for i := range nodes {
		nodes[i] = node(fmt.Sprint("n", i), true, fmt.Sprint("n", i+1))
	}
	nodes[n-1] = node(fmt.Sprint("n", n-1), true, last...)
	return nodes
}

func TestHostileGraphs(t *testing.T) {
	t.Parallel()
	t.Run("the longest chain", func(t *testing.T) {
		t.Parallel()
		d := define(t, graph(chain(workflow.MaxNodes), nil, ""))
		check.Must(0, d.Check(simpleTypes{}, false))(t)
	})
	t.Run("the longest cycle", func(t *testing.T) {
		t.Parallel()
		d := define(t, graph(chain(workflow.MaxNodes, "n0"), nil, ""))
		// Only the beginning is listed; values flow from the last node to the first.
		want := "Workflow contains a cycle: n0"
		for i := range 19 {
			want += fmt.Sprint(" -> n", workflow.MaxNodes-1-i)
		}
		check.Refused(t, d.Check(simpleTypes{}, false), fault.BadRequest, want+" -> … -> n0")
	})
	t.Run("every node depends on all earlier ones", func(t *testing.T) {
		t.Parallel()
		var names, nodes []string
		for i := range 500 {
			nodes = append(nodes, node(fmt.Sprint(i), true, names...))
			names = append(names, fmt.Sprint(i))
		}
		d := define(t, graph(nodes, nil, ""))
		began := time.Now()
		check.Must(0, d.Check(simpleTypes{}, false))(t)
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%d dependencies took %v", 500*499/2, took)
		}
	})
	t.Run("too many nodes after a patch", func(t *testing.T) {
		t.Parallel()
		d := define(t, graph(chain(workflow.MaxNodes), nil, ""))
		more := check.Must(d.Apply(change(t, `{"nodes":{"x":{"node_type":"VARIABLE","configuration":{}}}}`)))(t)
		check.Refused(t, more.Check(simpleTypes{}, false), fault.BadRequest, "Workflow has 2001 nodes, more than 2000")
	})
}

// fiveHundred returns a graph of 500 nodes in layers, with an edge for each
// dependency.
func fiveHundred(t testing.TB) workflow.Definition {
	var nodes, edges []string
	for i := range 500 {
		var before []string
		for j := max(0, i-10); j < i; j++ {
			before = append(before, fmt.Sprint("n", j))
		}
		nodes = append(nodes, node(fmt.Sprint("n", i), i == 499, append(before, "city")...))
		if i > 0 {
			edges = append(edges, edge(fmt.Sprint("n", i-1), fmt.Sprint("n", i)))
		}
	}
	return define(t, graph(nodes, edges, `"city":"string"`))
}

func TestFiveHundredNodesAreCheckedInTime(t *testing.T) {
	t.Parallel()
	d := fiveHundred(t)
	best := time.Hour
	for range 5 { // allow for a busy machine
		began := time.Now()
		check.Must(0, d.Check(simpleTypes{}, false))(t)
		best = min(best, time.Since(began))
	}
	if best > 50*time.Millisecond {
		t.Errorf("500 nodes took %v", best)
	}
}

func BenchmarkCheck(b *testing.B) {
	d := fiveHundred(b)
	for b.Loop() {
		check.Must(0, d.Check(simpleTypes{}, false))(b)
	}
}
