package workflow_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// chance generates random graphs and patches. They are small and use few names,
// so that changes of one node often affect another.
type chance struct{ *rand.Rand }

func (c chance) oneIn(n int) bool { return c.IntN(n) == 0 }

// name returns mostly the name of a node, rarely that of a variable or an
// unknown one.
func (c chance) name() string {
	switch {
	case c.oneIn(40):
		return "nothing"
	case c.oneIn(6):
		return []string{"v", "w"}[c.IntN(2)]
	}
	return string(rune('a' + c.IntN(7)))
}

func (c chance) nodeName() string {
	if c.oneIn(60) {
		return "v"
	}
	return string(rune('a' + c.IntN(7)))
}

func (c chance) nodeType() string {
	if c.oneIn(40) {
		return "NONE"
	}
	return []string{"VARIABLE", "JOIN"}[c.IntN(4)/3]
}

// needs returns names that come earlier in the alphabet, so that cycles are
// possible but rare.
func (c chance) needs(name string) []string {
	needs := []string{}
	for range c.IntN(3) {
		switch needed := c.name(); {
		case c.oneIn(15):
			needs = append(needs, needed)
		case needed < name:
			needs = append(needs, needed)
		case c.oneIn(2):
			needs = append(needs, "v")
		}
	}
	return needs
}

func (c chance) config(name string) map[string]any {
	config := map[string]any{}
	for range c.IntN(3) {
		config[c.key()] = c.value(0)
	}
	if !c.oneIn(8) {
		sources := []any{}
		for _, source := range c.needs(name) {
			sources = append(sources, source)
		}
		config["sources"] = sources
	}
	return config
}

func (c chance) key() string { return string(rune('k' + c.IntN(3))) }

func (c chance) value(depth int) any {
	switch c.IntN(7 - min(depth, 3)) {
	case 0:
		return float64(c.IntN(10)) / 4
	case 1:
		return nil
	case 2:
		return []string{"", "x", "ü\n"}[c.IntN(3)]
	case 3:
		return []any{c.IntN(2) == 0}
	default:
		object := map[string]any{}
		for range c.IntN(3) {
			object[c.key()] = c.value(depth + 1)
		}
		return object
	}
}

func (c chance) edges(m model) []modelEdge {
	edges := []modelEdge{}
	for _, n := range m.Nodes {
		for _, needed := range n.Needs {
			if m.has(needed) && c.oneIn(2) || c.oneIn(40) {
				edges = append(edges, modelEdge{From: needed, To: n.Name, Reads: c.read(needed, n.Name), Value: c.IntN(100)})
			}
		}
	}
	if c.oneIn(10) {
		edges = append(edges, modelEdge{From: c.nodeName(), To: c.nodeName(), Reads: c.name()})
	}
	return edges
}

// read returns what the condition of an edge reads: mostly its source,
// sometimes another name that comes earlier in the alphabet, and rarely
// anything.
func (c chance) read(from, to string) string {
	if other := c.name(); c.oneIn(20) || other < to && c.oneIn(3) {
		return other
	}
	return from
}

func (c chance) variables() []modelVariable {
	all := []modelVariable{{"v", "string"}, {"w", "number"}}
	if c.oneIn(3) {
		all = all[:c.IntN(3)]
	}
	return all
}

func (c chance) patch(m model) modelPatch {
	var p modelPatch
	for range c.IntN(4) {
		name := c.nodeName()
		if slices.ContainsFunc(p.Nodes, func(other modelChange) bool { return other.Name == name }) {
			continue
		}
		p.Nodes = append(p.Nodes, c.change(name, m.has(name)))
	}
	if p.HasEdges = c.oneIn(5); p.HasEdges {
		after, _ := m.apply(p)
		p.Edges = c.edges(after)
	}
	if p.HasVariables = c.oneIn(8); p.HasVariables {
		p.Variables = c.variables()
	}
	return p
}

func (c chance) change(name string, exists bool) modelChange {
	change := modelChange{Name: name}
	if c.oneIn(5) {
		change.Remove = true
		return change
	}
	if kind := c.nodeType(); c.oneIn(3) || !exists && !c.oneIn(15) {
		change.Type = &kind
	}
	if c.oneIn(2) || !exists && !c.oneIn(15) {
		change.Config = c.config(name)
	}
	if c.oneIn(2) {
		change.Needs = c.needs(name)
	}
	if outputs := !c.oneIn(4); c.oneIn(2) {
		change.Outputs = &outputs
	}
	return change
}

// first returns an initial graph, which may be invalid.
func (c chance) first() modelPatch {
	p := modelPatch{HasVariables: true, Variables: c.variables(), HasEdges: true}
	for i := range 1 + c.IntN(6) {
		name := string(rune('a' + i))
		kind, outputs := c.nodeType(), c.oneIn(2)
		p.Nodes = append(p.Nodes, modelChange{Name: name, Type: &kind, Config: c.config(name), Needs: c.needs(name), Outputs: &outputs})
	}
	after, _ := model{}.apply(p)
	p.Edges = c.edges(after)
	return p
}

// text returns the patch as a request body.
func (p modelPatch) text() string {
	var parts, nodes []string
	for _, c := range p.Nodes {
		nodes = append(nodes, encoded(c.Name)+":"+c.text())
	}
	parts = append(parts, `"nodes":{`+strings.Join(nodes, ",")+`}`)
	if p.HasEdges {
		parts = append(parts, `"edges":[`+many(len(p.Edges), func(i int) string { return p.Edges[i].text() })+`]`)
	}
	if p.HasVariables {
		parts = append(parts, `"required_input_variables":{`+many(len(p.Variables), func(i int) string {
			return encoded(p.Variables[i].Name) + ":" + encoded(p.Variables[i].Type)
		})+`}`)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (c modelChange) text() string {
	if c.Remove {
		return "null"
	}
	object := map[string]any{"node_type": c.Type, "is_output_node": c.Outputs}
	if c.Config != nil {
		object["configuration"] = c.Config
	}
	if c.Needs != nil {
		object["dependencies"] = c.Needs
	}
	return encoded(object)
}

func (e modelEdge) text() string {
	return fmt.Sprintf(`{"source_node_name":%s,"target_node_name":%s,"is_and":true,"conditionals":[
		{"position":0,"operator":"=","left_config":{"source":%s},"right_config":{"static_value":%d}}]}`,
		encoded(e.From), encoded(e.To), encoded(e.Reads), e.Value)
}

func encoded(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
