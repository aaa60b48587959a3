package plan_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/plan"
)

// naive is a graph as a matrix: needs[a][b] if a needs b.
type naive [][]bool

// random returns a graph, also as a matrix. Some graphs have no circle: their
// items need only others of a random order.
func random(r *rand.Rand) (*plan.Graph, naive) {
	size := 1 + r.IntN(8)
	g, matrix := plan.New(size), make(naive, size)
	rank := r.Perm(size)
	hasOrder := r.IntN(2) == 0
	for i := range matrix {
		matrix[i] = make([]bool, size)
	}
	for range r.IntN(2*size + 1) {
		item, needed := r.IntN(size), r.IntN(size)
		if hasOrder && rank[item] <= rank[needed] {
			continue
		}
		g.Need(item, needed)
		matrix[item][needed] = true
	}
	return g, matrix
}

// closure returns what each item needs directly or indirectly.
func (n naive) closure() naive {
	all := make(naive, len(n))
	for i := range n {
		all[i] = slices.Clone(n[i])
	}
	for via := range all {
		for a := range all {
			for b := range all {
				all[a][b] = all[a][b] || all[a][via] && all[via][b]
			}
		}
	}
	return all
}

// without returns the graph without arrows to or from items that do not
// qualify.
func (n naive) without(qualifies func(item int) bool) naive {
	kept := make(naive, len(n))
	for a := range n {
		kept[a] = make([]bool, len(n))
		for b := range n {
			kept[a][b] = n[a][b] && qualifies(a) && qualifies(b)
		}
	}
	return kept
}

// items returns the indexes for which is holds.
func items(size int, is func(item int) bool) []int {
	found := []int{}
	for i := range size {
		if is(i) {
			found = append(found, i)
		}
	}
	return found
}

// TestAgainstMatrices compares every answer with that of a search of all pairs.
func TestAgainstMatrices(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	for range 5_000 {
		g, matrix := random(r)
		all := matrix.closure()
		checkOrder(t, g, matrix, all)
		checkReach(t, r, g, matrix, all)
		checkCircles(t, g, all)
		checkProgress(t, r, g, matrix)
		if t.Failed() {
			t.Fatalf("graph: %v", matrix)
		}
	}
}

func checkOrder(t *testing.T, g *plan.Graph, matrix, all naive) {
	order, circle := g.Order()
	inCircle := items(len(all), func(i int) bool { return all[i][i] })
	check.Equal(t, "a circle or an order", circle != nil, len(inCircle) > 0)
	for i, item := range circle {
		before := circle[(i+len(circle)-1)%len(circle)]
		check.Equal(t, "each item of the circle needs the one before", matrix[item][before], true)
	}
	if circle != nil {
		check.Equal(t, "the circle starts with its lowest index", circle[0], slices.Min(circle))
		return
	}
	check.Equal(t, "the order has each item once", slices.Sorted(slices.Values(order)), items(len(all), func(int) bool { return true }))
	for at, item := range order {
		for _, later := range order[at:] {
			check.Equal(t, "an item comes after those it needs", matrix[item][later], false)
		}
	}
	isSorted := true
	for item := range matrix {
		isSorted = isSorted && !slices.Contains(matrix[item][item:], true)
	}
	if isSorted {
		check.Equal(t, "the defined order is kept if it is valid", order, items(len(all), func(int) bool { return true }))
	}
}

func checkReach(t *testing.T, r *rand.Rand, g *plan.Graph, matrix, all naive) {
	chosen := r.Uint64()
	qualifies := func(item int) bool { return chosen>>item&1 == 1 }
	for item := range all {
		check.Equal(t, "above", g.Above(item), items(len(all), func(i int) bool { return all[item][i] }))
		through := matrix.without(func(i int) bool { return i == item || qualifies(i) }).closure()
		check.Equal(t, "below", g.Below(item, qualifies), items(len(all), func(i int) bool { return through[i][item] && qualifies(i) }))
	}
}

func checkCircles(t *testing.T, g *plan.Graph, all naive) {
	number := g.Circles()
	for a := range all {
		for b := range all {
			check.Equal(t, "in one circle", number[a] == number[b], a == b || all[a][b] && all[b][a])
		}
	}
}

// checkProgress ends items in a random order, some of them before the count
// starts.
func checkProgress(t *testing.T, r *rand.Rand, g *plan.Graph, matrix naive) {
	ending := r.Perm(len(matrix))
	isDone := make([]bool, len(matrix))
	before := r.IntN(len(matrix) + 1)
	for _, item := range ending[:before] {
		isDone[item] = true
	}
	done := func(item int) bool { return isDone[item] }
	ready := func(item int) bool {
		return !slices.ContainsFunc(items(len(matrix), func(i int) bool { return matrix[item][i] }), func(i int) bool { return !isDone[i] })
	}
	progress := g.Progress(done)
	for _, item := range ending[before:] {
		old := items(len(matrix), ready)
		isDone[item] = true
		became := progress.Done(item)
		slices.Sort(became)
		check.Equal(t, "became ready", append([]int{}, became...), items(len(matrix), func(i int) bool { return ready(i) && !slices.Contains(old, i) }))
		for i := range matrix {
			check.Equal(t, "ready", g.Ready(i, done), ready(i))
			check.Equal(t, "ready by count", progress.Ready(i), ready(i))
		}
	}
}

// TestLongChain checks that a chain against the defined order takes linear time
// and ends.
func TestLongChain(t *testing.T) {
	t.Parallel()
	const size = 100_000
	g := plan.New(size)
	for i := range size - 1 {
		g.Need(i, i+1)
	}
	order, circle := g.Order()
	check.Equal(t, "ends", []int{order[0], order[size-1], len(circle)}, []int{size - 1, 0, 0})
	g.Need(size-1, 0)
	_, circle = g.Order()
	check.Equal(t, "the circle", []int{len(circle), circle[0], circle[1]}, []int{size, 0, size - 1})
	check.Equal(t, "one circle", slices.Max(g.Circles()), 1)
}
