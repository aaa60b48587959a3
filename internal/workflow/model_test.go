package workflow_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/workflow"
)

// The model below says what a patch means in the plainest way: lists that are
// searched, and values as encoding/json has them. It shares nothing with the
// package but the words of the messages.

type modelNode struct {
	Name    string
	Type    string
	Config  map[string]any
	Needs   []string
	Outputs bool
}

// modelEdge has a condition that compares what it reads with a value.
type modelEdge struct {
	From, To string
	Reads    string
	Value    int
}

type modelVariable struct{ Name, Type string }

type model struct {
	Nodes     []modelNode
	Edges     []modelEdge
	Variables []modelVariable
}

// String writes the model; two that are equal are written alike.
func (m model) String() string {
	var text strings.Builder
	for _, n := range m.Nodes {
		fmt.Fprintln(&text, n.Name, n.Type, encoded(n.Config), n.Needs, n.Outputs)
	}
	fmt.Fprintln(&text, m.Edges, m.Variables)
	return text.String()
}

// modelChange is one member of a patch's nodes.
type modelChange struct {
	Name    string
	Remove  bool
	Type    *string
	Config  map[string]any
	Needs   []string
	Outputs *bool
}

type modelPatch struct {
	Nodes        []modelChange
	Edges        []modelEdge
	HasEdges     bool
	Variables    []modelVariable
	HasVariables bool
}

// apply returns the patched model and what is wrong with it, each wrong thing
// as the message that tells it.
func (m model) apply(p modelPatch) (model, []string) {
	var wrong []string
	result := model{Variables: m.Variables}
	for _, node := range m.Nodes {
		removed := false
		for _, c := range p.Nodes {
			if c.Name == node.Name {
				removed = c.Remove
				node = c.update(node)
			}
		}
		if !removed {
			result.Nodes = append(result.Nodes, node)
		}
	}
	for _, c := range p.Nodes {
		if m.has(c.Name) {
			continue
		}
		if c.Remove {
			wrong = append(wrong, "Node '"+c.Name+"' does not exist and cannot be removed")
			continue
		}
		if c.Type == nil || c.Config == nil {
			wrong = append(wrong, "Node '"+c.Name+"' is new and needs node_type and configuration")
		}
		result.Nodes = append(result.Nodes, c.update(modelNode{Name: c.Name, Needs: []string{}}))
	}
	if p.HasVariables {
		result.Variables = p.Variables
	}
	if p.HasEdges {
		result.Edges = p.Edges
	} else {
		for _, e := range m.Edges {
			if !p.removes(e.From) && !p.removes(e.To) && !p.removes(e.Reads) {
				result.Edges = append(result.Edges, e)
			}
		}
	}
	return result, append(wrong, result.wrong(!p.HasEdges)...)
}

func (m model) has(name string) bool {
	return slices.ContainsFunc(m.Nodes, func(n modelNode) bool { return n.Name == name })
}

func (m model) hasVariable(name string) bool {
	return slices.ContainsFunc(m.Variables, func(v modelVariable) bool { return v.Name == name })
}

func (p modelPatch) removes(name string) bool {
	return slices.ContainsFunc(p.Nodes, func(c modelChange) bool { return c.Name == name && c.Remove })
}

func (c modelChange) update(node modelNode) modelNode {
	if c.Remove {
		return node
	}
	if c.Type != nil {
		node.Type = *c.Type
	}
	if c.Config != nil {
		node.Config, _ = overlay(node.Config, c.Config).(map[string]any)
	}
	if c.Needs != nil {
		node.Needs = c.Needs
	}
	if c.Outputs != nil {
		node.Outputs = *c.Outputs
	}
	return node
}

// overlay returns a new value with top put over bottom.
func overlay(bottom, top any) any {
	lower, isLower := bottom.(map[string]any)
	upper, isUpper := top.(map[string]any)
	if !isLower || !isUpper || lower == nil {
		return top
	}
	result := map[string]any{}
	for key, value := range lower {
		result[key] = value
	}
	for key, value := range upper {
		if old, both := lower[key]; both {
			value = overlay(old, value)
		}
		result[key] = value
	}
	return result
}

// needed returns all names that a node needs.
func (n modelNode) needed() []string {
	all := slices.Clone(n.Needs)
	if n.Type == "JOIN" {
		sources, _ := n.Config["sources"].([]any)
		for _, source := range sources {
			all = append(all, fmt.Sprint(source))
		}
	}
	return all
}

// wrong lists all broken rules.
func (m model) wrong(edgesAreCopied bool) []string {
	var list []string
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if !slices.ContainsFunc(m.Nodes, func(n modelNode) bool { return n.Outputs }) {
		say("At least one node must be an output node")
	}
	for _, n := range m.Nodes {
		if m.hasVariable(n.Name) {
			say("Node '%s' has the name of an input variable", n.Name)
		}
		if n.Type != "VARIABLE" && n.Type != "JOIN" {
			say("Invalid node type: %s", n.Type)
		}
		if _, ok := n.Config["sources"].([]any); n.Type == "JOIN" && !ok {
			say("Invalid configuration for node '%s': sources must be a list", n.Name)
		}
		for i, name := range n.needed() {
			switch {
			case m.has(name) || m.hasVariable(name):
			case i < len(n.Needs):
				say("Node '%s' depends on unknown node or input variable '%s'", n.Name, name)
			default:
				say("Node '%s' references unknown source '%s'", n.Name, name)
			}
		}
	}
	if m.hasCycle() {
		list = append(list, cycleMessage)
	}
	return append(list, m.wrongEdges(edgesAreCopied)...)
}

const cycleMessage = "Workflow contains a cycle: "

func (m model) wrongEdges(areCopied bool) []string {
	var list []string
	for i, e := range m.Edges {
		head := "Edge " + e.From + " -> " + e.To + ": "
		for _, name := range []string{e.From, e.To} {
			if !m.has(name) {
				list = append(list, head+"there is no node '"+name+"'")
			}
		}
		for _, n := range m.Nodes {
			if n.Name == e.To && !areCopied && !slices.Contains(n.Needs, e.From) {
				list = append(list, head+"'"+e.From+"' must be one of the dependencies of '"+e.To+"'")
			}
		}
		if !areCopied {
			list = append(list, m.wrongRead(e, head)...)
		}
		for _, before := range m.Edges[:i] {
			if before.From == e.From && before.To == e.To {
				list = append(list, head+"duplicate edge")
			}
		}
	}
	return list
}

func (m model) wrongRead(e modelEdge, head string) []string {
	switch {
	case !m.has(e.Reads) && !m.hasVariable(e.Reads):
		return []string{head + "a condition reads unknown node or input variable '" + e.Reads + "'"}
	case e.Reads == e.To:
		return []string{head + "a condition reads '" + e.To + "' itself"}
	case slices.Contains(m.waitsFor(e.Reads), e.To):
		return []string{head + "a condition reads '" + e.Reads + "', which waits for '" + e.To + "'"}
	}
	return nil
}

// waitsFor returns what must be final before what has the name, directly or
// not.
func (m model) waitsFor(name string) []string {
	all := []string{name}
	for i := 0; i < len(all); i++ {
		var more []string
		for _, n := range m.Nodes {
			if n.Name == all[i] {
				more = append(more, n.needed()...)
			}
		}
		for _, e := range m.Edges {
			if e.To == all[i] {
				more = append(more, e.Reads)
			}
		}
		for _, found := range more {
			if !slices.Contains(all, found) {
				all = append(all, found)
			}
		}
	}
	return all
}

// hasCycle takes nodes away that need no other; a cycle is what stays.
func (m model) hasCycle() bool {
	left := slices.Clone(m.Nodes)
	for {
		before := len(left)
		left = slices.DeleteFunc(left, func(n modelNode) bool {
			return !slices.ContainsFunc(n.needed(), func(name string) bool { return model{Nodes: left}.has(name) })
		})
		if len(left) == 0 || len(left) == before {
			return len(left) > 0
		}
	}
}

// isCycle reports whether each of the named nodes is needed by the next.
func (m model) isCycle(text string) bool {
	names := strings.Split(text, " -> ")
	for i := 1; i < len(names); i++ {
		if !slices.ContainsFunc(m.Nodes, func(n modelNode) bool {
			return n.Name == names[i] && slices.Contains(n.needed(), names[i-1])
		}) {
			return false
		}
	}
	return len(names) > 1 && names[0] == names[len(names)-1]
}

// modelOf returns what a definition says.
func modelOf(d workflow.Definition) model {
	var m model
	for _, n := range d.Nodes {
		config := map[string]any{}
		if err := json.Unmarshal(n.Configuration.Raw(), &config); err != nil {
			panic(err)
		}
		m.Nodes = append(m.Nodes, modelNode{Name: n.Name, Type: n.Type, Config: config, Needs: n.Dependencies, Outputs: n.IsOutput})
	}
	for _, e := range d.Edges {
		value, _ := workflow.ReadOperand(e.Conditionals[0].Right).Static.Int()
		reads := workflow.ReadOperand(e.Conditionals[0].Left).Source
		m.Edges = append(m.Edges, modelEdge{From: e.Source, To: e.Target, Reads: reads, Value: int(value)})
	}
	for _, v := range d.Variables {
		m.Variables = append(m.Variables, modelVariable(v))
	}
	return m
}
