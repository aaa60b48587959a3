package workflow

import "slices"

// checkConditions looks at what the conditions on the way to nodes read. Their
// targets wait for that, so that it must be there, and must not wait for them.
func (g *graph) checkConditions() error {
	own := make([]int, len(g.needs)) // how many needs nodes have without conditions
	for i := range g.needs {
		own[i] = len(g.needs[i])
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
	if cycle := g.cycle(); cycle != nil {
		return g.refuseCondition(cycle, own)
	}
	return nil
}

// refuseCondition names the edge that closes a cycle which there is not without
// conditions.
func (g *graph) refuseCondition(cycle, own []int) error {
	for i, read := range cycle {
		target := cycle[(i+1)%len(cycle)]
		if slices.Contains(g.needs[target][:own[target]], read) {
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
