package workflow

import "slices"

// checkConditions checks what the conditions of edges read. Their targets wait
// for it, so it must exist and must not wait for them.
func (g *graph) checkConditions() error {
	own := make([]int, len(g.Nodes)) // number of needs of each node without conditions
	for i := range own {
		own[i] = len(g.needs.Needs(i))
	}
	for i := range g.Edges {
		edge := &g.Edges[i]
		for _, name := range edge.Reads() {
			if name == edge.Target {
				return edge.refuse("a condition reads '%s' itself", name)
			}
			if !g.need(g.places[edge.Target], name) {
				return edge.refuse("a condition reads unknown node or input variable '%s'", name)
			}
		}
	}
	if _, cycle := g.needs.Order(); cycle != nil {
		return g.refuseCondition(cycle, own)
	}
	return nil
}

// refuseCondition returns a fault that names the edge whose condition closes a
// cycle.
func (g *graph) refuseCondition(cycle, own []int) error {
	for i, read := range cycle {
		target := cycle[(i+1)%len(cycle)]
		if slices.Contains(g.needs.Needs(target)[:own[target]], read) {
			continue
		}
		for e := range g.Edges {
			edge := &g.Edges[e]
			if edge.Target == g.Nodes[target].Name && slices.Contains(edge.Reads(), g.Nodes[read].Name) {
				return edge.refuse("a condition reads '%s', which waits for '%s'", g.Nodes[read].Name, edge.Target)
			}
		}
	}
	return g.refuseCycle(cycle)
}
