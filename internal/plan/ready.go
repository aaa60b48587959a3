package plan

import "slices"

// Ready reports whether all that an item needs is done.
func (g *Graph) Ready(item int, done func(item int) bool) bool {
	return !slices.ContainsFunc(g.needs[item], func(needed int) bool { return !done(needed) })
}

// Progress counts what each item still waits for, so that each end of an item
// finds those that became ready without looking at all others. It is not safe for
// concurrent use.
type Progress struct {
	graph   *Graph
	waiting []int // number of needs that are not done
}

// Progress starts to count from the items that are done.
func (g *Graph) Progress(done func(item int) bool) *Progress {
	p := &Progress{graph: g, waiting: make([]int, len(g.needs))}
	for item, needs := range g.needs {
		for _, needed := range needs {
			if !done(needed) {
				p.waiting[item]++
			}
		}
	}
	return p
}

// Ready reports whether all that an item needs is done.
func (p *Progress) Ready(item int) bool { return p.waiting[item] == 0 }

// Done counts an item as done, which must happen only once, and returns the
// items for which it was the last need.
func (p *Progress) Done(item int) []int {
	var ready []int
	for _, fed := range p.graph.feeds[item] {
		if p.waiting[fed]--; p.waiting[fed] == 0 {
			ready = append(ready, fed)
		}
	}
	return ready
}
