package run

import (
	"iter"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// values provides the values of a run: nodes first, then input variables. A
// node hides an input variable with the same name even if it has no value:
// inputs must not fake the results of nodes.
type values struct{ x *execution }

// Get returns the value of a node that succeeded, or of an input variable.
func (v values) Get(name string) (jsontree.Value, bool) {
	if i, isNode := v.x.graph.byName[name]; isNode {
		state := &v.x.states[i]
		return state.Value, state.Status == Success
	}
	found := v.x.inputs.Get(name)
	return found, found.Given()
}

// All ranges over the values of all nodes, then over the input variables.
func (v values) All() iter.Seq2[string, jsontree.Value] {
	return v.some(func(yield func(int) bool) {
		for i := range v.x.graph.nodes {
			if !yield(i) {
				return
			}
		}
	})
}

// some ranges over the values of some nodes, then over the input variables.
func (v values) some(nodes iter.Seq[int]) iter.Seq2[string, jsontree.Value] {
	return func(yield func(string, jsontree.Value) bool) {
		for i := range nodes {
			if state := &v.x.states[i]; state.Status == Success && !yield(v.x.graph.nodes[i].name, state.Value) {
				return
			}
		}
		for name, value := range v.x.inputs.Members() {
			if _, isNode := v.x.graph.byName[name]; !isNode && !yield(name, value) {
				return
			}
		}
	}
}

// limited restricts All to values that are available whenever the node runs.
type limited struct {
	values
	above []int
}

// All ranges over the values of the nodes above, then over the input variables.
func (l limited) All() iter.Seq2[string, jsontree.Value] {
	return l.some(func(yield func(int) bool) {
		for _, i := range l.above {
			if !yield(i) {
				return
			}
		}
	})
}
