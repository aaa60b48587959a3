package plan

import "slices"

// The states of an item during the search for an order.
const (
	unseen = iota
	onTheWay
	done
)

// Order returns all items so that each comes after those it needs; ascending, if
// no item needs a later one. If there is no order, it returns a circle of items
// instead, each of which needs the one before it and the first of which needs the
// last. The circle starts with its lowest index. It takes linear time and does
// not recurse.
func (g *Graph) Order() (order, circle []int) {
	state := make([]uint8, len(g.needs))
	next := make([]int, len(g.needs)) // index of the next need to visit
	order = make([]int, 0, len(g.needs))
	for start := range g.needs {
		if state[start] != unseen {
			continue
		}
		state[start] = onTheWay
		way := []int{start}
		for len(way) > 0 {
			item := way[len(way)-1]
			if next[item] == len(g.needs[item]) {
				state[item] = done
				order = append(order, item)
				way = way[:len(way)-1]
				continue
			}
			needed := g.needs[item][next[item]]
			next[item]++
			switch state[needed] {
			case unseen:
				state[needed] = onTheWay
				way = append(way, needed)
			case onTheWay:
				return nil, inFlow(way[slices.Index(way, needed):])
			}
		}
	}
	return order, nil
}

// inFlow reverses a circle, so that values flow from each item to the next, and
// starts it with the lowest index.
func inFlow(circle []int) []int {
	slices.Reverse(circle)
	first := slices.Index(circle, slices.Min(circle))
	return slices.Concat(circle[first:], circle[:first])
}
