package run

import (
	"slices"

	"github.com/promptuary/promptuary/internal/workflow"
)

// breakCircles keeps nodes from waiting for each other for ever: the
// conditions of edges that were copied from another version may read what
// waits for their target. Such a condition reads nothing.
func (g *graph) breakCircles() {
	circle := g.circles()
	for i := range g.nodes {
		n := &g.nodes[i]
		kept := slices.Clone(n.needs)
		for _, read := range n.waits[len(n.needs):] {
			if circle[read] == circle[i] {
				n.forget(g.nodes[read].name)
			} else {
				kept = append(kept, read)
			}
		}
		n.waits = kept
	}
}

// forget makes the conditions on the way to a node read nothing where they
// read the name.
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

// circles returns a number for each node. Two have the same when each waits
// for the other, directly or not. It takes time in proportion to the size of
// the graph, in the way that Tarjan found.
func (g *graph) circles() []int {
	search := circleSearch{
		graph: g, order: make([]int, len(g.nodes)), first: make([]int, len(g.nodes)), circle: make([]int, len(g.nodes)),
	}
	for i := range g.nodes {
		if search.order[i] == 0 {
			search.visit(i)
		}
	}
	return search.circle
}

// circleSearch is a search for circles. Numbers are from 1, 0 is for none yet.
type circleSearch struct {
	*graph
	// order says when nodes were met, and first which of those on the way can
	// be reached from a node that was met the earliest.
	order, first []int
	// way has the nodes that were met and whose circle is not known.
	way    []int
	met    int
	circle []int
}

// visit is called for at most all nodes within each other, of which there are
// not enough to matter to the stack.
func (s *circleSearch) visit(i int) {
	s.met++
	s.order[i], s.first[i] = s.met, s.met
	s.way = append(s.way, i)
	for _, next := range s.nodes[i].waits {
		if s.order[next] == 0 {
			s.visit(next)
			s.first[i] = min(s.first[i], s.first[next])
		} else if s.circle[next] == 0 {
			s.first[i] = min(s.first[i], s.order[next])
		}
	}
	if s.first[i] != s.order[i] {
		return
	}
	start := slices.Index(s.way, i)
	for _, member := range s.way[start:] {
		s.circle[member] = s.order[i]
	}
	s.way = s.way[:start]
}
