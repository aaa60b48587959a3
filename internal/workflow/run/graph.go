package run

import (
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/plan"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/workflow"
)

// graph is a compiled definition. It is immutable.
type graph struct {
	// workflow is the name and the id of the workflow, and version its number.
	workflow   string
	workflowID int64
	version    int64

	nodes     []node
	byName    map[string]int
	variables []workflow.Variable
	// waits are the nodes that must be final before others: the needs of each node,
	// followed by other nodes that the conditions of its edges read.
	waits *plan.Graph
}

// node is a step with its dependencies.
type node struct {
	name     string
	typeName string
	step     *step.Step
	isOutput bool
	retries  int
	// reads are the names of the nodes and input variables that this one uses.
	reads []string
	work  step.Work
	// needs are the nodes that this one depends on: if they have no value, it is
	// skipped.
	needs []int
	// edges are the conditions on this node.
	edges []edge
	// joins are the source names of a node that runs if one of them has a value;
	// nil for all others.
	joins []string
	// above are all nodes that must be final first, directly or indirectly, for
	// steps that run concurrently with others.
	above []int
}

// edge is a condition on a dependency.
type edge struct {
	isAnd        bool
	conditionals []conditional
}

type conditional struct {
	operator    step.Operator
	left, right workflow.Operand
}

// compile compiles a definition. It was checked when it was stored, so errors
// are not faults of the caller.
func compile(d *workflow.Definition) (*graph, error) {
	g := &graph{
		nodes: make([]node, len(d.Nodes)), byName: make(map[string]int, len(d.Nodes)), variables: d.Variables, waits: plan.New(len(d.Nodes)),
	}
	for i := range d.Nodes {
		g.byName[d.Nodes[i].Name] = i
	}
	for i := range d.Nodes {
		if err := g.add(i, &d.Nodes[i]); err != nil {
			return nil, fmt.Errorf("node %q: %w", d.Nodes[i].Name, err)
		}
	}
	for i := range d.Edges {
		g.addEdge(&d.Edges[i], d)
	}
	g.breakCircles()
	for i := range g.nodes {
		if g.nodes[i].work != step.Inline {
			g.nodes[i].above = g.waits.Above(i)
		}
	}
	return g, nil
}

func (g *graph) add(i int, n *workflow.Node) error {
	found, known := step.Find(n.Type)
	if !known {
		return fmt.Errorf("unknown type %s", n.Type)
	}
	prepared, err := found.Prepare(n.Configuration)
	if err != nil {
		return err
	}
	g.nodes[i] = node{name: n.Name, typeName: n.Type, step: prepared, isOutput: n.IsOutput, retries: n.Retries, work: found.Work()}
	if n.Type == "COALESCE" {
		g.nodes[i].joins = prepared.Sources()
	}
	g.nodes[i].reads = distinct(slices.Concat(n.Dependencies, prepared.Sources()))
	for _, name := range g.nodes[i].reads {
		if need, isNode := g.byName[name]; isNode && need != i {
			g.nodes[i].needs = append(g.nodes[i].needs, need)
			g.waits.Need(i, need)
		}
	}
	return nil
}

// distinct returns the names without repetitions, in their order.
func distinct(names []string) []string {
	seen := make(map[string]bool, len(names))
	return slices.DeleteFunc(names, func(name string) bool {
		known := seen[name]
		seen[name] = true
		return known
	})
}

// addEdge adds a condition, unless the target no longer depends on the source.
func (g *graph) addEdge(e *workflow.Edge, d *workflow.Definition) {
	at, known := g.byName[e.Target]
	if !known || !slices.Contains(d.Nodes[at].Dependencies, e.Source) {
		return
	}
	one, target := edge{isAnd: e.IsAnd}, &g.nodes[at]
	for _, c := range e.InOrder() {
		left, right := c.Operands()
		one.conditionals = append(one.conditionals, conditional{operator: c.Operator, left: left, right: right})
	}
	target.edges = append(target.edges, one)
	for _, name := range e.Reads() {
		if read, isNode := g.byName[name]; isNode && !slices.Contains(g.waits.Needs(at), read) {
			g.waits.Need(at, read)
		}
	}
}

// breakCircles prevents nodes from waiting for each other forever: the
// conditions of edges that were copied from another version may read nodes that
// wait for their target. Such a condition reads null.
func (g *graph) breakCircles() {
	circle, kept := g.waits.Circles(), plan.New(len(g.nodes))
	for i := range g.nodes {
		n := &g.nodes[i]
		for at, wait := range g.waits.Needs(i) {
			if at >= len(n.needs) && circle[wait] == circle[i] {
				n.forget(g.nodes[wait].name)
			} else {
				kept.Need(i, wait)
			}
		}
	}
	g.waits = kept
}

// forget makes the conditions on the edges to a node read null in place of the
// name.
func (n *node) forget(name string) {
	for e := range n.edges {
		for c := range n.edges[e].conditionals {
			one := &n.edges[e].conditionals[c]
			for _, operand := range []*workflow.Operand{&one.left, &one.right} {
				if operand.Source == name {
					*operand = workflow.Operand{}
				}
			}
		}
	}
}

// holds reports whether a condition is met.
func (e *edge) holds(value func(name string) jsontree.Value) bool {
	for i := range e.conditionals {
		c := &e.conditionals[i]
		met := step.Compare(c.operator, operand(c.left, value), operand(c.right, value))
		if met != e.isAnd {
			return met // one that fails decides "all", one that holds decides "any"
		}
	}
	return e.isAnd
}

func operand(o workflow.Operand, value func(name string) jsontree.Value) jsontree.Value {
	if o.Source == "" {
		return o.Static
	}
	return value(o.Source)
}
