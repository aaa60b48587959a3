package run_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// chance generates random graphs.
type chance struct{ *rand.Rand }

func (c chance) oneIn(n int) bool { return c.IntN(n) == 0 }

func pick[T any](c chance, from []T) T { return from[c.IntN(len(from))] }

// value returns one of a few values, so that two are often equal.
func (c chance) value() any {
	return pick(c, []any{nil, true, false, 0, 1, 2, 1, 2, "1", "x", "true", ""})
}

var (
	kinds = []string{
		"VARIABLE", "VARIABLE", "VARIABLE", "COMPARE", "CONTAINS", "COALESCE", "COALESCE", "MATH_OPERATOR", "MATH_OPERATOR", "HUMAN",
	}
	operators = []string{"=", "!=", "<", ">=", "is_null", "is_not_null", "in", "not_in"}
)

func (c chance) model() *model {
	m := &model{variables: []string{"u", "v", "w"}, inputs: map[string]any{}}
	for _, name := range m.variables {
		if !c.oneIn(3) {
			m.inputs[name] = c.value()
		}
	}
	for i := range 1 + c.IntN(40) {
		n := c.node(i)
		m.edges = append(m.edges, c.edges(i, &n, m.variables)...)
		m.nodes = append(m.nodes, n)
	}
	m.nodes[c.IntN(len(m.nodes))].output = true
	// The order of a definition does not determine the order of a run.
	c.Shuffle(len(m.nodes), func(i, j int) { m.nodes[i], m.nodes[j] = m.nodes[j], m.nodes[i] })
	return m
}

// earlier returns the name of an earlier node, or of a variable.
func (c chance) earlier(i int) string {
	if i == 0 || c.oneIn(5) {
		return pick(c, []string{"u", "v", "w"})
	}
	return fmt.Sprint("n", i-1-c.IntN(min(i, 12)))
}

func (c chance) node(i int) modelNode {
	n := modelNode{name: fmt.Sprint("n", i), kind: pick(c, kinds), output: c.oneIn(4)}
	switch n.kind {
	case "VARIABLE":
		n.value = c.value()
	case "HUMAN":
	default:
		n.sources = []string{c.earlier(i), c.earlier(i)}
		n.operator = pick(c, []string{"+", "-", "lt", "ge"})
	}
	for range c.IntN(3) {
		if name := c.earlier(i); !slices.Contains(n.depends, name) && !slices.Contains(n.dropped, name) {
			if c.oneIn(6) {
				n.dropped = append(n.dropped, name)
			} else {
				n.depends = append(n.depends, name)
			}
		}
	}
	return n
}

// edges returns conditions on some of the dependencies of a node.
func (c chance) edges(made int, n *modelNode, variables []string) []modelEdge {
	var edges []modelEdge
	for _, from := range append(slices.Clone(n.depends), n.dropped...) {
		if slices.Contains(variables, from) || c.oneIn(2) {
			continue
		}
		e := modelEdge{from: from, to: n.name, all: c.oneIn(2)}
		for i := range 1 + c.IntN(3) {
			e.conditionals = append(e.conditionals, c.conditional(made, i, from))
		}
		edges = append(edges, e)
	}
	return edges
}

// conditional reads the source of an edge, or another value that the target may
// not depend on.
func (c chance) conditional(made, position int, from string) modelConditional {
	one := modelConditional{position: position, operator: pick(c, operators), left: modelOperand{source: from}}
	if c.oneIn(2) {
		one.left.source = c.earlier(made)
	}
	switch one.operator {
	case "in", "not_in":
		one.right.static = pick(c, []any{"", "x", "1 2 true"})
	default:
		if one.right.static = c.value(); c.oneIn(4) {
			one.right = modelOperand{source: c.earlier(made)}
		}
	}
	return one
}

func TestRandomGraphsAgainstModel(t *testing.T) {
	t.Parallel()
	cases := 100
	if testing.Short() {
		cases = 20
	}
	l := onSQLite(t)
	p := l.process("a")
	seen := map[run.Status]int{}
	for seed := range cases {
		m := chance{rand.New(rand.NewPCG(uint64(seed), 2))}.model()
		name := fmt.Sprint("w", seed)
		l.createModel(name, m)
		id := p.start(name, encoded(m.inputs))
		check.Next(t, p.ended)
		result := p.result(id)
		want := m.outcomes()
		if diff := cmp.Diff(want, readOutcomes(t, result)); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s\n%s\ninputs %v", seed, diff, m.text(), m.inputs)
		}
		l.checkOrder(t, m, id, result)
		for _, one := range want {
			seen[one.Status]++
		}
	}
	for _, status := range []run.Status{run.Success, run.Failed, run.Skipped} {
		if seen[status] < cases {
			t.Errorf("only %d nodes ended with %s", seen[status], status)
		}
	}
	t.Logf("%d graphs: %v", cases, seen)
}

// createModel stores a workflow, and a patch if the model has one.
func (l *lab) createModel(name string, m *model) {
	l.t.Helper()
	l.create(name, m.text())
	patch := m.patch()
	if patch == "" {
		return
	}
	l.patch(name, patch)
}

// readOutcomes parses a node map into the form of the model.
func readOutcomes(t *testing.T, result *run.Result) map[string]outcome {
	t.Helper()
	var nodes map[string]struct {
		Status run.Status
		Value  any
	}
	if err := json.Unmarshal(result.Nodes, &nodes); err != nil {
		t.Fatal(err)
	}
	outcomes := map[string]outcome{}
	for name, n := range nodes {
		if number, ok := n.Value.(float64); ok {
			n.Value = int(number)
		}
		outcomes[name] = outcome(n)
	}
	return outcomes
}

// checkOrder fails the test unless nodes became final after their
// prerequisites, and the output is that of the first output node that
// succeeded.
func (l *lab) checkOrder(t *testing.T, m *model, id int64, result *run.Result) {
	t.Helper()
	order := map[string]int{}
	first, output := len(m.nodes)+1, result.Nodes
	for _, state := range check.Must(l.catalog.Runs.RunNodes(l.ctx, id))(t) {
		n := &m.nodes[state.Position]
		order[n.name] = state.Sequence
		if n.output && state.Status == run.Success && state.Sequence < first {
			first, output = state.Sequence, state.Value.Raw()
		}
	}
	check.Equal(t, "output", string(result.Body(false)), string(output))
	for i := range m.nodes {
		for _, need := range m.waits(&m.nodes[i]) {
			if order[need] == 0 || order[need] >= order[m.nodes[i].name] {
				t.Errorf("%s became final before %s", m.nodes[i].name, need)
			}
		}
	}
}
