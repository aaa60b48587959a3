package workflow

import (
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/plan"
)

// Check returns a BadRequest fault that describes what is wrong with a
// definition, and with which node. Edges copied from another version may
// connect nodes that no longer depend on each other, which has no effect, and
// their conditions may read nodes that no longer exist or come later.
func (d *Definition) Check(types Types, edgesAreCopied bool) error {
	g, err := d.index()
	if err != nil {
		return err
	}
	for i := range d.Nodes {
		if err := d.Nodes[i].check(types); err != nil {
			return err
		}
	}
	if err := g.link(types); err != nil {
		return err
	}
	if _, cycle := g.needs.Order(); cycle != nil {
		return g.refuseCycle(cycle)
	}
	if err := g.checkEdges(edgesAreCopied); err != nil || edgesAreCopied {
		return err
	}
	return g.checkConditions()
}

// graph is a definition with lookup tables.
type graph struct {
	*Definition
	// places are the indexes of nodes by name.
	places map[string]int
	// variables are the names of the input variables.
	variables map[string]struct{}
	// needs are the nodes that must run before others, by their indexes.
	needs *plan.Graph
}

// index builds the lookup tables and checks names.
func (d *Definition) index() (*graph, error) {
	g := &graph{
		Definition: d, needs: plan.New(len(d.Nodes)),
		places: make(map[string]int, len(d.Nodes)), variables: make(map[string]struct{}, len(d.Variables)),
	}
	if len(d.Nodes) > MaxNodes { // possible after a patch
		return nil, fault.BadRequestf("Workflow has %d nodes, more than %d", len(d.Nodes), MaxNodes)
	}
	for _, variable := range d.Variables {
		g.variables[variable.Name] = struct{}{}
	}
	hasOutput := false
	for i := range d.Nodes {
		name := d.Nodes[i].Name
		if _, known := g.places[name]; known {
			return nil, fault.BadRequestf("Duplicate node name: %s", name)
		}
		if _, taken := g.variables[name]; taken {
			return nil, fault.BadRequestf("Node '%s' has the name of an input variable", name)
		}
		g.places[name] = i
		hasOutput = hasOutput || d.Nodes[i].IsOutput
	}
	if !hasOutput {
		return nil, fault.BadRequestf("At least one node must be an output node")
	}
	return g, nil
}

// check checks the type and the configuration of a node.
func (n *Node) check(types Types) error {
	if !types.Known(n.Type) {
		return fault.BadRequestf("Invalid node type: %s", n.Type)
	}
	if err := types.Check(n.Type, n.Configuration); err != nil {
		return fault.BadRequestf("Invalid configuration for node '%s': %s", n.Name, err.Error())
	}
	if n.Retries > 0 && !types.Retryable(n.Type) {
		return fault.BadRequestf("Node '%s' cannot have retries: nodes of type %s fail again with the same values", n.Name, n.Type)
	}
	return nil
}

// link finds what each node needs. All names must be those of nodes or input
// variables.
func (g *graph) link(types Types) error {
	for i := range g.Nodes {
		node := &g.Nodes[i]
		for _, name := range node.Dependencies {
			if !g.need(i, name) {
				return fault.BadRequestf("Node '%s' depends on unknown node or input variable '%s'", node.Name, name)
			}
		}
		for _, name := range types.Sources(node.Type, node.Configuration) {
			if !g.need(i, name) {
				return fault.BadRequestf("Node '%s' references unknown source '%s'", node.Name, name)
			}
		}
	}
	return nil
}

// need records that a node needs the name; ok is false if it is unknown.
func (g *graph) need(node int, name string) (ok bool) {
	if place, isNode := g.places[name]; isNode {
		g.needs.Need(node, place)
		return true
	}
	_, isVariable := g.variables[name]
	return isVariable
}

func (g *graph) checkEdges(areCopied bool) error {
	seen := make(map[[2]string]struct{}, len(g.Edges))
	dependencies := map[string]map[string]struct{}{}
	for i := range g.Edges {
		edge := &g.Edges[i]
		for _, name := range []string{edge.Source, edge.Target} {
			if _, known := g.places[name]; !known {
				return edge.refuse("there is no node '%s'", name)
			}
		}
		if _, again := seen[[2]string{edge.Source, edge.Target}]; again {
			return edge.refuse("duplicate edge")
		}
		seen[[2]string{edge.Source, edge.Target}] = struct{}{}
		if areCopied {
			continue
		}
		if dependencies[edge.Target] == nil {
			dependencies[edge.Target] = setOf(g.Nodes[g.places[edge.Target]].Dependencies)
		}
		if _, depends := dependencies[edge.Target][edge.Source]; !depends {
			return edge.refuse("'%s' must be one of the dependencies of '%s'", edge.Source, edge.Target)
		}
	}
	return nil
}

// refuse returns a fault about an edge.
func (e *Edge) refuse(format string, args ...any) error {
	return fault.BadRequestf("Edge %s -> %s: "+format, append([]any{e.Source, e.Target}, args...)...)
}

func setOf(names []string) map[string]struct{} {
	set := make(map[string]struct{}, len(names))
	for _, name := range names {
		set[name] = struct{}{}
	}
	return set
}
