package workflow

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
)

// The states of a node during the search for a cycle.
const (
	unseen = iota
	onTheWay
	done
)

// cycle returns the indexes of nodes that wait for each other, each before the
// one that needs it, or nil. It takes linear time and does not recurse.
func (g *graph) cycle() []int {
	state := make([]uint8, len(g.Nodes))
	next := make([]int, len(g.Nodes)) // index of the next need to visit
	for start := range g.Nodes {
		if state[start] != unseen {
			continue
		}
		state[start] = onTheWay
		way := []int{start}
		for len(way) > 0 {
			node := way[len(way)-1]
			if next[node] == len(g.needs[node]) {
				state[node] = done
				way = way[:len(way)-1]
				continue
			}
			needed := g.needs[node][next[node]]
			next[node]++
			switch state[needed] {
			case unseen:
				state[needed] = onTheWay
				way = append(way, needed)
			case onTheWay:
				return inFlow(way[slices.Index(way, needed):])
			}
		}
	}
	return nil
}

// inFlow reverses a cycle, so that values flow from each node to the next, and
// starts it with the node that was defined first.
func inFlow(cycle []int) []int {
	slices.Reverse(cycle)
	first := slices.Index(cycle, slices.Min(cycle))
	return slices.Concat(cycle[first:], cycle[:first])
}

// maxNamed is the maximum number of nodes of a cycle in a message.
const maxNamed = 20

// refuseCycle returns a fault that names the nodes of a cycle.
func (g *graph) refuseCycle(cycle []int) error {
	var names []string
	for _, place := range cycle[:min(len(cycle), maxNamed)] {
		names = append(names, g.Nodes[place].Name)
	}
	if len(cycle) > maxNamed {
		names = append(names, "…")
	}
	return fault.BadRequestf("Workflow contains a cycle: %s", strings.Join(append(names, names[0]), " -> "))
}
