// Package plan keeps which items wait for which, and answers in which order they
// can be computed, which wait for each other, and which are ready. Items are
// indexes: the nodes of a workflow, the columns of an evaluation.
package plan

import "slices"

// Graph records which items need which others. Once all needs are recorded, it
// is safe for concurrent use.
type Graph struct {
	needs, feeds [][]int
}

// New returns a graph of items from 0 to size-1, none of which needs another.
func New(size int) *Graph {
	return &Graph{needs: make([][]int, size), feeds: make([][]int, size)}
}

// Need records that an item needs another one. Recording it twice has no further
// effect on the answers.
func (g *Graph) Need(item, needed int) {
	g.needs[item] = append(g.needs[item], needed)
	g.feeds[needed] = append(g.feeds[needed], item)
}

// Needs returns what an item needs, in the order in which it was recorded. The
// caller must not change it.
func (g *Graph) Needs(item int) []int { return g.needs[item] }

// Above returns all items that an item needs, directly or indirectly, in
// ascending order.
func (g *Graph) Above(item int) []int {
	return reach(g.needs, item, func(int) bool { return true })
}

// Below returns the items that need an item, directly or through others that
// also qualify, in ascending order.
func (g *Graph) Below(item int, qualifies func(item int) bool) []int {
	return reach(g.feeds, item, qualifies)
}

// reach follows the arrows from an item to those that qualify.
func reach(arrows [][]int, item int, qualifies func(item int) bool) []int {
	reached := make([]bool, len(arrows))
	open := slices.Clone(arrows[item])
	for len(open) > 0 {
		last := open[len(open)-1]
		open = open[:len(open)-1]
		if !reached[last] && qualifies(last) {
			reached[last] = true
			open = append(open, arrows[last]...)
		}
	}
	found := []int{}
	for at, is := range reached {
		if is {
			found = append(found, at)
		}
	}
	return found
}
