package compare

import (
	"math"

	"github.com/promptuary/promptuary/internal/eval/score"
)

// groupCount is how many groups rows are put into, as many as a byte has values.
// With that many, an interval is as good as one from all rows.
const groupCount = 256

// groups are what the cells of a column add to its scores in both runs. Each of
// the first rows has a group of its own.
type groups struct {
	list []group
	// marked is in how many rows each side has something to score.
	marked [2]int64
}

// group is what some rows add, in both runs.
type group [2]part

// part is a sum of numbers, or of booleans that are true, and of how many.
type part struct{ sum, count float64 }

func (g *groups) add(row int64, before, after score.Mark) {
	if g.list == nil {
		g.list = make([]group, groupCount)
	}
	one := &g.list[groupOf(row)]
	for side, mark := range [2]score.Mark{before, after} {
		if mark.Count > 0 {
			one[side].sum += mark.Sum
			one[side].count += float64(mark.Count)
			g.marked[side]++
		}
	}
}

// groupOf returns the group of a row. Of each so many rows every group gets
// one, but from places without any order: datasets may repeat themselves.
func groupOf(row int64) int {
	order := scatter(uint64(row/groupCount) + 1)
	place := uint8(row % groupCount)
	for range 4 { // no step leads two places to one
		place = place*uint8(order|1) + uint8(order>>8)
		place ^= place >> 4
		order >>= 16
	}
	return int(place)
}

// scatter returns a number that looks like one by chance (the last steps of the
// generator SplitMix64).
func scatter(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// scoredPair is a column with the kinds of its scores, "" for a side that has
// none.
type scoredPair struct {
	groups        *groups
	before, after score.Kind
}

func (p *scoredPair) isBoolean() bool {
	return p.before == score.Boolean && p.after == score.Boolean
}

func areBoolean(pairs []scoredPair) bool {
	for i := range pairs {
		if !pairs[i].isBoolean() {
			return false
		}
	}
	return true
}

// withDoubt returns the groups, for booleans with two more rows: one that
// improved, and one that worsened.
func (p *scoredPair) withDoubt(rows int64) []group {
	list := make([]group, groupCount)
	copy(list, p.groups.list)
	if !p.isBoolean() {
		return list
	}
	var size [2]float64 // of a row, which may have several assertions
	for side := range size {
		for i := range list {
			size[side] += list[i][side].count
		}
		size[side] /= float64(p.groups.marked[side])
	}
	improved, worsened := &list[groupOf(rows)], &list[groupOf(rows+1)]
	improved.merge(group{{0, size[0]}, {size[1], size[1]}})
	worsened.merge(group{{size[0], size[0]}, {0, size[1]}})
	return list
}

func (g *group) merge(other group) {
	for side := range g {
		g[side].sum += other[side].sum
		g[side].count += other[side].count
	}
}

// column is a column in the course of one computation.
type column struct {
	scoredPair
	list  []group
	total group
}

// intervalOf returns the 95 % confidence interval of the difference of two
// scores that are means of columns, and whether there is one.
func intervalOf(pairs []scoredPair, rows int64) (low, high float64, ok bool) {
	columns := make([]column, len(pairs))
	for i := range columns {
		columns[i] = column{scoredPair: pairs[i], list: pairs[i].withDoubt(rows)}
		for _, one := range columns[i].list {
			columns[i].total.merge(one)
		}
	}
	middle := differenceWithout(columns, -1)
	spread := welford{}
	for g := range groupCount {
		if contributes(columns, g) {
			spread.add(differenceWithout(columns, g))
		}
	}
	if spread.count < 2 {
		return 0, 0, false
	}
	half := studentQuantile(spread.count-1) * math.Sqrt((spread.count-1)/spread.count*spread.squares)
	low, high = middle-half, middle+half
	isFinite := !math.IsNaN(low+high) && !math.IsInf(low, 0) && !math.IsInf(high, 0)
	return low, high, isFinite
}

// contributes reports whether a group has cells that count.
func contributes(columns []column, g int) bool {
	for i := range columns {
		if one := &columns[i].list[g]; one[0].count+one[1].count > 0 {
			return true
		}
	}
	return false
}

// differenceWithout returns the difference of the scores without a group; -1 is
// none. It is not a number when a column is left with no cells.
func differenceWithout(columns []column, g int) float64 {
	var sums, counts [2]float64
	for i := range columns {
		c := &columns[i]
		for side, kind := range [2]score.Kind{c.before, c.after} {
			if kind == "" {
				continue
			}
			left := c.total[side]
			if g >= 0 {
				left.sum -= c.list[g][side].sum
				left.count -= c.list[g][side].count
			}
			mean := left.sum / left.count
			if kind == score.Boolean {
				mean *= 100
			}
			sums[side] += mean
			counts[side]++
		}
	}
	return sums[1]/counts[1] - sums[0]/counts[0]
}

// welford adds up how far numbers are from their mean.
type welford struct{ count, mean, squares float64 }

func (w *welford) add(x float64) {
	w.count++
	distance := x - w.mean
	w.mean += distance / w.count
	w.squares += distance * (x - w.mean)
}

// studentFirst are the 97.5 % quantiles of Student's distribution for the first
// degrees of freedom.
var studentFirst = [...]float64{
	12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836,
	2.446911851, 2.364624252, 2.306004135, 2.262157163, 2.228138852,
}

// studentQuantile returns the 97.5 % quantile of Student's distribution. For
// more degrees of freedom it is the normal one with the first terms by which
// the two differ (Abramowitz and Stegun 26.7.5).
func studentQuantile(freedom float64) float64 {
	if i := int(freedom) - 1; i < len(studentFirst) {
		return studentFirst[i]
	}
	const z = 1.959963984540054
	const z3, z5, z7 = z * z * z, z * z * z * z * z, z * z * z * z * z * z * z
	n := freedom
	return z + (z3+z)/(4*n) + (5*z5+16*z3+3*z)/(96*n*n) + (3*z7+19*z5+17*z3-15*z)/(384*n*n*n)
}
