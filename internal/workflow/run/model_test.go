package run_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/workflow/run"
)

// The model below computes the result of a run in the simplest way: it visits
// all nodes repeatedly until nothing changes. It shares nothing with the
// package but the names of the statuses. Values are nil, bool, int or string.

type modelNode struct {
	name, kind string
	// value is for a VARIABLE, operator for a MATH_OPERATOR.
	value    any
	operator string
	sources  []string
	depends  []string
	// dropped are dependencies that a patch removed.
	dropped []string
	output  bool
}

type modelEdge struct {
	from, to     string
	all          bool
	conditionals []modelConditional
}

type modelConditional struct {
	position    int
	operator    string
	left, right modelOperand
}

type modelOperand struct {
	source string
	static any
}

type model struct {
	nodes     []modelNode
	edges     []modelEdge
	variables []string
	inputs    map[string]any
}

// outcome is the result of a node.
type outcome struct {
	Status run.Status
	Value  any
}

// outcomes returns the results of all nodes.
func (m *model) outcomes() map[string]outcome {
	done := map[string]outcome{}
	for len(done) < len(m.nodes) {
		for i := range m.nodes {
			if _, final := done[m.nodes[i].name]; !final && m.isReady(&m.nodes[i], done) {
				done[m.nodes[i].name] = m.become(&m.nodes[i], done)
			}
		}
	}
	return done
}

// waits returns the names of the nodes that must be final first: those that a
// node needs, and those that the conditions of its edges read.
func (m *model) waits(n *modelNode) []string {
	names := m.needs(n)
	for i := range m.edges {
		e := &m.edges[i]
		if !m.isActive(e, n) {
			continue
		}
		for _, c := range e.conditionals {
			for _, o := range c.operands() {
				if o.source != "" && !slices.Contains(m.variables, o.source) {
					names = append(names, o.source)
				}
			}
		}
	}
	return names
}

// operands are the sides that the operator uses.
func (c *modelConditional) operands() []modelOperand {
	if c.operator == "is_null" || c.operator == "is_not_null" {
		return []modelOperand{c.left}
	}
	return []modelOperand{c.left, c.right}
}

// isActive reports whether an edge has an effect on a node.
func (m *model) isActive(e *modelEdge, n *modelNode) bool {
	return e.to == n.name && slices.Contains(n.depends, e.from)
}

// needs returns the names of the nodes without whose values a node is skipped.
func (m *model) needs(n *modelNode) []string {
	names := []string{}
	for _, name := range append(slices.Clone(n.depends), n.sources...) {
		if !slices.Contains(m.variables, name) {
			names = append(names, name)
		}
	}
	return names
}

func (m *model) isReady(n *modelNode, done map[string]outcome) bool {
	for _, name := range m.waits(n) {
		if _, final := done[name]; !final {
			return false
		}
	}
	return true
}

func (m *model) become(n *modelNode, done map[string]outcome) outcome {
	if !m.isAdmitted(n, done) {
		return outcome{Status: run.Skipped}
	}
	value, ok := m.compute(n, done)
	if !ok {
		return outcome{Status: run.Failed}
	}
	return outcome{run.Success, value}
}

func (m *model) isAdmitted(n *modelNode, done map[string]outcome) bool {
	failed, succeeded := 0, 0
	for _, name := range m.needs(n) {
		if done[name].Status != run.Success {
			failed++
		}
	}
	for _, name := range n.sources {
		if slices.Contains(m.variables, name) || done[name].Status == run.Success {
			succeeded++
		}
	}
	if n.kind == "COALESCE" && succeeded == 0 || n.kind != "COALESCE" && failed > 0 {
		return false
	}
	for i := range m.edges {
		if e := &m.edges[i]; m.isActive(e, n) && !m.isMet(e, done) {
			return false
		}
	}
	return true
}

func (m *model) isMet(e *modelEdge, done map[string]outcome) bool {
	met := 0
	for _, c := range e.conditionals {
		if compare(c.operator, m.operand(c.left, done), m.operand(c.right, done)) {
			met++
		}
	}
	return e.all && met == len(e.conditionals) || !e.all && met > 0
}

func (m *model) operand(o modelOperand, done map[string]outcome) any {
	if o.source == "" {
		return o.static
	}
	return m.read(o.source, done)
}

// read returns the value of a node or a variable, or nil.
func (m *model) read(name string, done map[string]outcome) any {
	if slices.Contains(m.variables, name) {
		return m.inputs[name]
	}
	return done[name].Value
}

func (m *model) compute(n *modelNode, done map[string]outcome) (value any, ok bool) {
	var sources []any
	for _, name := range n.sources {
		sources = append(sources, m.read(name, done))
	}
	switch n.kind {
	case "VARIABLE":
		return n.value, true
	case "COMPARE":
		return form(sources[0]) == form(sources[1]), true
	case "CONTAINS":
		return strings.Contains(strings.ToLower(form(sources[0])), strings.ToLower(form(sources[1]))), true
	case "COALESCE":
		for _, source := range sources {
			if source != nil {
				return source, true
			}
		}
		return nil, true
	case "MATH_OPERATOR":
		a, first := number(sources[0])
		b, second := number(sources[1])
		return calculate(n.operator, a, b), first && second
	}
	return nil, false // HUMAN
}

func calculate(operator string, a, b int) any {
	switch operator {
	case "+":
		return a + b
	case "-":
		return a - b
	case "lt":
		return a < b
	default:
		return a >= b
	}
}

// form is the string form of a value.
func form(value any) string {
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

func number(value any) (int, bool) {
	switch v := value.(type) {
	case int:
		return v, true
	case string:
		n, err := strconv.Atoi(v)
		return n, err == nil
	}
	return 0, false
}

func compare(operator string, left, right any) bool {
	switch operator {
	case "=":
		return same(left, right)
	case "!=":
		return !same(left, right)
	case "is_null":
		return left == nil
	case "is_not_null":
		return left != nil
	case "in":
		return left != nil && strings.Contains(right.(string), form(left))
	case "not_in":
		return left == nil || !strings.Contains(right.(string), form(left))
	}
	a, first := number(left)
	b, second := number(right)
	if first && second {
		return operator == "<" && a < b || operator == ">=" && a >= b
	}
	x, first := left.(string)
	y, second := right.(string)
	return first && second && (operator == "<" && x < y || operator == ">=" && x >= y)
}

func same(left, right any) bool {
	a, first := number(left)
	b, second := number(right)
	if first && second {
		return a == b
	}
	_, first = left.(bool)
	_, second = right.(bool)
	if first || second {
		return form(left) == form(right) && form(left) != ""
	}
	return form(left) == form(right)
}

func encoded(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// text returns the body of the request that creates the workflow, including
// dependencies that a patch removes later.
func (m *model) text() string {
	var nodes, edges, variables []string
	for i := range m.nodes {
		nodes = append(nodes, m.nodes[i].text())
	}
	for i := range m.edges {
		edges = append(edges, m.edges[i].text())
	}
	for _, name := range m.variables {
		variables = append(variables, encoded(name)+`:"string"`)
	}
	return `{"nodes":[` + strings.Join(nodes, ",\n") + `],"edges":[` + strings.Join(edges, ",\n") +
		`],"required_input_variables":{` + strings.Join(variables, ",") + `}}`
}

func (n *modelNode) text() string {
	configuration := map[string]any{}
	switch n.kind {
	case "VARIABLE":
		configuration["value"] = map[string]any{"type": "json", "value": n.value}
		if _, isText := n.value.(string); isText || n.value == nil {
			configuration["value"] = map[string]any{"type": "json", "value": encoded(n.value)}
		}
	case "CONTAINS":
		configuration["source"], configuration["value_source"] = n.sources[0], n.sources[1]
	case "HUMAN":
		configuration["data_type"] = "number"
	case "MATH_OPERATOR":
		configuration["operator"] = n.operator
		fallthrough
	default:
		configuration["sources"] = n.sources
	}
	return encoded(map[string]any{
		"name": n.name, "node_type": n.kind, "configuration": configuration, "is_output_node": n.output,
		"dependencies": append(append([]string{}, n.depends...), n.dropped...),
	})
}

func (e *modelEdge) text() string {
	conditionals := []any{}
	for _, c := range e.conditionals {
		conditionals = append(conditionals, map[string]any{
			"position": c.position, "operator": c.operator, "left_config": c.left.config(), "right_config": c.right.config(),
		})
	}
	return encoded(map[string]any{
		"source_node_name": e.from, "target_node_name": e.to, "is_and": e.all, "conditionals": conditionals,
	})
}

func (o modelOperand) config() any {
	if o.source != "" {
		return map[string]any{"type": "source", "source": map[string]any{"name": o.source}}
	}
	return map[string]any{"type": "static_value", "static_value": o.static}
}

// patch returns the body of the request that removes dependencies, "" if there
// are none.
func (m *model) patch() string {
	var nodes []string
	for i := range m.nodes {
		if n := &m.nodes[i]; len(n.dropped) > 0 {
			nodes = append(nodes, encoded(n.name)+`:{"dependencies":`+encoded(append([]string{}, n.depends...))+`}`)
		}
	}
	if nodes == nil {
		return ""
	}
	return `{` + strings.Join(nodes, ",") + `}`
}
