package plan

import "slices"

// Circles returns a number for each item. Two items have the same number if each
// needs the other, directly or indirectly. This is Tarjan's algorithm for
// strongly connected components, in linear time.
func (g *Graph) Circles() []int {
	size := len(g.needs)
	search := circleSearch{needs: g.needs, order: make([]int, size), first: make([]int, size), circle: make([]int, size)}
	for item := range g.needs {
		if search.order[item] == 0 {
			search.visit(item)
		}
	}
	return search.circle
}

// circleSearch is the state of the algorithm. Numbers count from 1; 0 means not
// visited.
type circleSearch struct {
	needs [][]int
	// order is the visiting order of items, and first the lowest order on the stack
	// that is reachable from an item.
	order, first []int
	// way is the stack of visited items without a component.
	way    []int
	met    int
	circle []int
}

// visit recurses at most once per item.
func (s *circleSearch) visit(item int) {
	s.met++
	s.order[item], s.first[item] = s.met, s.met
	s.way = append(s.way, item)
	for _, next := range s.needs[item] {
		if s.order[next] == 0 {
			s.visit(next)
			s.first[item] = min(s.first[item], s.first[next])
		} else if s.circle[next] == 0 {
			s.first[item] = min(s.first[item], s.order[next])
		}
	}
	if s.first[item] != s.order[item] {
		return
	}
	start := slices.Index(s.way, item)
	for _, member := range s.way[start:] {
		s.circle[member] = s.order[item]
	}
	s.way = s.way[:start]
}
