package run

import (
	"slices"

	"github.com/promptuary/promptuary/internal/workflow"
)

// breakCircles prevents nodes from waiting for each other forever: the
// conditions of edges that were copied from another version may read nodes that
// wait for their target. Such a condition reads null.
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

// circles returns a number for each node. Two nodes have the same number if
// each waits for the other, directly or indirectly. This is Tarjan's algorithm
// for strongly connected components, in linear time.
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

// circleSearch is the state of the algorithm. Numbers count from 1; 0 means not
// visited.
type circleSearch struct {
	*graph
	// order is the visiting order of nodes, and first the lowest order on the
	// stack that is reachable from a node.
	order, first []int
	// way is the stack of visited nodes without a component.
	way    []int
	met    int
	circle []int
}

// visit recurses at most once per node; the number of nodes is limited.
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
