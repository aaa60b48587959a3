package compare

import (
	"math"
	"slices"

	"github.com/promptuary/promptuary/internal/eval/score"
)

// groupCount is the number of groups of rows, one per value of a byte. With
// that many, an interval is as good as one from all rows.
const groupCount = 256

// sample identifies where a row was drawn from. Rows that are not paired are
// independent, so each run has a separate sample for them.
type sample int

const (
	inBoth sample = iota
	inBefore
	inAfter
	sampleCount
)

// sizes is the number of rows of each sample.
type sizes [sampleCount]int64

// groups are the contributions of the cells of a column to its scores in both
// runs. Each of the first rows of a sample has its own group.
type groups struct {
	// lists are nil for samples that contribute nothing.
	lists [sampleCount][]group
	// marked is the number of rows of each side that contribute to the score.
	marked [2]int64
}

// group is the contribution of some rows in both runs.
type group [2]part

// part is a sum of numbers, or the number of true booleans, and the count.
type part struct{ sum, count float64 }

// add adds the cells of the next row.
func (g *groups) add(rows sizes, paired bool, before, after score.Mark) {
	from := [2]sample{inBefore, inAfter}
	if paired {
		from = [2]sample{inBoth, inBoth}
	}
	for side, mark := range [2]score.Mark{before, after} {
		if mark.Count > 0 {
			one := &g.listOf(from[side])[groupOf(rows[from[side]])][side]
			one.sum += mark.Sum
			one.count += float64(mark.Count)
			g.marked[side]++
		}
	}
}

// listOf returns the list of a sample, to add to it.
func (g *groups) listOf(s sample) []group {
	if g.lists[s] == nil {
		g.lists[s] = make([]group, groupCount)
	}
	return g.lists[s]
}

// groupOf returns the group of a row. Each block of groupCount rows has one row
// per group, in a pseudo-random order, because datasets may be periodic.
func groupOf(row int64) int {
	order := scatter(uint64(row/groupCount) + 1)
	place := uint8(row % groupCount)
	for range 4 { // each step is a bijection, so no two rows share a group
		place = place*uint8(order|1) + uint8(order>>8)
		place ^= place >> 4
		order >>= 16
	}
	return int(place)
}

// scatter returns a pseudo-random number (the finalizer of SplitMix64).
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

// smoothed returns the groups. For booleans it adds two rows, one that improved
// and one that worsened, so that unanimous results still have an interval. If no
// rows are paired, it adds a true and a false row to each side.
func (p *scoredPair) smoothed(rows sizes) groups {
	padded := groups{marked: p.groups.marked}
	for s := range padded.lists {
		padded.lists[s] = slices.Clone(p.groups.lists[s])
	}
	if !p.isBoolean() {
		return padded
	}
	from := [2]sample{inBefore, inAfter}
	if rows[inBoth] > 0 {
		from = [2]sample{inBoth, inBoth}
	}
	total := padded.total()
	for side, s := range from {
		size := total[side].count / float64(padded.marked[side]) // a row may have several assertions
		list := padded.listOf(s)
		for i, sum := range [2][2]float64{{0, size}, {size, 0}}[side] {
			more := &list[groupOf(rows[s]+int64(i))][side]
			more.sum += sum
			more.count += size
		}
	}
	return padded
}

// total returns the sum over all groups.
func (g *groups) total() (total group) {
	for _, list := range g.lists {
		for i := range list {
			for side := range total {
				total[side].sum += list[i][side].sum
				total[side].count += list[i][side].count
			}
		}
	}
	return total
}

// column is a column during one computation.
type column struct {
	scoredPair
	padded groups
	total  group
}

// at returns the contribution of a group of a sample, or nothing if g is -1.
func (c *column) at(s sample, g int) group {
	if list := c.padded.lists[s]; g >= 0 && list != nil {
		return list[g]
	}
	return group{}
}

// intervalOf returns the 95 % confidence interval of the difference of two
// scores that are means of columns, and whether there is one.
func intervalOf(pairs []scoredPair, rows sizes) (low, high float64, ok bool) {
	columns := make([]column, len(pairs))
	for i := range columns {
		columns[i] = column{scoredPair: pairs[i], padded: pairs[i].smoothed(rows)}
		columns[i].total = columns[i].padded.total()
	}
	var all welford
	var each [sampleCount]welford
	for s := range sampleCount {
		for g := range groupCount {
			if contributes(columns, s, g) {
				without := differenceWithout(columns, s, g)
				all.add(without)
				each[s].add(without)
			}
		}
	}
	if all.count < 2 {
		return 0, 0, false
	}
	variance, freedom := variation(&all, &each)
	middle, half := differenceWithout(columns, inBoth, -1), studentQuantile(freedom)*math.Sqrt(variance)
	low, high = middle-half, middle+half
	isFinite := !math.IsNaN(low+high) && !math.IsInf(low, 0) && !math.IsInf(high, 0)
	return low, high, isFinite
}

// variation returns the jackknife variance of a difference and its degrees of
// freedom, from the differences without each group: over all samples, and per
// sample. Samples have their own variances (Welch, Satterthwaite), unless one has
// a single group and so no variance: then all samples are pooled.
func variation(all *welford, each *[sampleCount]welford) (variance, freedom float64) {
	for i := range each {
		if each[i].count == 1 {
			return all.variance(), all.count - 1
		}
		variance += each[i].variance()
	}
	if variance == 0 {
		return 0, all.count - 1
	}
	sum := 0.0
	for i := range each {
		if each[i].count > 0 {
			share := each[i].variance() / variance
			sum += share * share / (each[i].count - 1)
		}
	}
	return variance, 1 / sum
}

// contributes reports whether a group has scored cells.
func contributes(columns []column, s sample, g int) bool {
	for i := range columns {
		if one := columns[i].at(s, g); one[0].count+one[1].count > 0 {
			return true
		}
	}
	return false
}

// differenceWithout returns the difference of the scores without a group, or of
// all groups if g is -1. It is NaN if a column has no cells left.
func differenceWithout(columns []column, s sample, g int) float64 {
	var sums, counts [2]float64
	for i := range columns {
		c := &columns[i]
		gone := c.at(s, g)
		for side, kind := range [2]score.Kind{c.before, c.after} {
			if kind == "" {
				continue
			}
			mean := (c.total[side].sum - gone[side].sum) / (c.total[side].count - gone[side].count)
			if kind == score.Boolean {
				mean *= 100
			}
			sums[side] += mean
			counts[side]++
		}
	}
	return sums[1]/counts[1] - sums[0]/counts[0]
}

// welford accumulates a mean and the squared deviations from it.
type welford struct{ count, mean, squares float64 }

func (w *welford) add(x float64) {
	w.count++
	distance := x - w.mean
	w.mean += distance / w.count
	w.squares += distance * (x - w.mean)
}

// variance returns the jackknife variance, given the values without each group;
// 0 if there are none.
func (w *welford) variance() float64 {
	if w.count == 0 {
		return 0
	}
	return (w.count - 1) / w.count * w.squares
}

// studentFirst are the 97.5 % quantiles of Student's distribution for 1, 2, …
// degrees of freedom.
var studentFirst = [...]float64{
	12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836,
	2.446911851, 2.364624252, 2.306004135, 2.262157163, 2.228138852,
}

// studentQuantile returns the 97.5 % quantile of Student's distribution. Between
// two table entries it interpolates, erring on the high side. Beyond the table it
// expands around the normal quantile (Abramowitz and Stegun 26.7.5).
func studentQuantile(freedom float64) float64 {
	if freedom < float64(len(studentFirst)) {
		freedom = max(freedom, 1)
		floor := math.Floor(freedom)
		low, high := studentFirst[int(floor)-1], studentFirst[int(floor)]
		return high + (low-high)*(1/freedom-1/(floor+1))/(1/floor-1/(floor+1))
	}
	if freedom == float64(len(studentFirst)) {
		return studentFirst[len(studentFirst)-1]
	}
	const z = 1.959963984540054
	const z3, z5, z7 = z * z * z, z * z * z * z * z, z * z * z * z * z * z * z
	n := freedom
	return z + (z3+z)/(4*n) + (5*z5+16*z3+3*z)/(96*n*n) + (3*z7+19*z5+17*z3-15*z)/(384*n*n*n)
}
