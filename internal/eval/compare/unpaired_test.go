package compare_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/promptuary/promptuary/internal/eval/compare"
)

// overDatasets returns a comparison of runs over datasets with the column q.
func overDatasets() *compare.Comparison {
	before, after := side("*a"), side("*a")
	before.Dataset, after.Dataset = []string{"q"}, []string{"q"}
	return compare.New(before, after)
}

// addApart adds cells of unrelated rows.
func addApart(t testing.TB, c *compare.Comparison, before, after []string) {
	t.Helper()
	for i := range max(len(before), len(after)) {
		var one, other *compare.Row
		if i < len(before) {
			one = row(t, "["+before[i]+"]", `["x"]`)
		}
		if i < len(after) {
			other = row(t, "["+after[i]+"]", `["y"]`)
		}
		c.Add(one, other)
	}
}

func numberCells(list []float64) []string {
	cells := make([]string, len(list))
	for i, x := range list {
		cells[i] = number(x)
	}
	return cells
}

// TestIntervalOfRowsApart compares with Welch's t-test. The rows increase
// equally on both sides, so that all paired differences would be equal.
func TestIntervalOfRowsApart(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 3, 16, 61, 101} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			before, after := make([]float64, n), make([]float64, n)
			for i := range n {
				before[i], after[i] = float64(i), float64(i)+0.5
			}
			comparison := overDatasets()
			addApart(t, comparison, numberCells(before), numberCells(after))
			_, standardError := moments(before)
			half := quantiles[2*n-1] * math.Sqrt2 * standardError
			got := comparison.Result().Overall
			near(t, "change", got.Change, 0.5, 1e-12)
			near(t, "low", got.Low, 0.5-half, 1e-4)
			near(t, "high", got.High, 0.5+half, 1e-4)
		})
	}
}

// TestIntervalOfUnlikeSamples compares with Welch's t-test, too.
func TestIntervalOfUnlikeSamples(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	before, after := make([]float64, 40), make([]float64, 90)
	for i := range before {
		before[i] = 4 * random.NormFloat64()
	}
	for i := range after {
		after[i] = 3 + random.NormFloat64()
	}
	comparison := overDatasets()
	addApart(t, comparison, numberCells(before), numberCells(after))
	was, one := moments(before)
	is, other := moments(after)
	one, other = one*one, other*other
	freedom := (one + other) * (one + other) / (one*one/39 + other*other/89)
	half := (1.95996 + 2.37227/freedom + 2.8224/freedom/freedom) * math.Sqrt(one+other)
	got := comparison.Result().Overall
	near(t, "low", got.Low, is-was-half, 1e-4)
	near(t, "high", got.High, is-was+half, 1e-4)
}

// TestIntervalOfBooleansApart compares with Welch's t-test with one more true
// and one more false row on each side, following Agresti and Caffo (2000).
func TestIntervalOfBooleansApart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rows, trues int }{{1, 1}, {1, 0}, {14, 14}, {14, 3}, {14, 7}, {59, 20}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			t.Parallel()
			var cells [2][]string
			values := [2][]float64{{0, 100}, {0, 100}}
			for i := range c.rows {
				for side, isTrue := range [2]bool{i < c.trues, i >= c.trues} {
					cells[side] = append(cells[side], boolean(isTrue))
					values[side] = append(values[side], map[bool]float64{true: 100}[isTrue])
				}
			}
			comparison := overDatasets()
			addApart(t, comparison, cells[0], cells[1])
			before, standardError := moments(values[0])
			after, _ := moments(values[1])
			half := quantiles[2*(c.rows+2)-1] * math.Sqrt2 * standardError
			got := comparison.Result().Overall
			near(t, "low", got.Low, max(after-before-half, -100), 1e-4)
			near(t, "high", got.High, min(after-before+half, 100), 1e-4)
		})
	}
}

// TestIntervalsOfRowsApartHoldTheTruth draws runs over different rows from
// models with a known difference. Paired rows are correlated.
func TestIntervalsOfRowsApartHoldTheTruth(t *testing.T) {
	t.Parallel()
	normal := func(mean, spread float64) func(r *rand.Rand) string {
		return func(r *rand.Rand) string { return number(mean + spread*r.NormFloat64()) }
	}
	chance := func(share float64) func(r *rand.Rand) string {
		return func(r *rand.Rand) string { return boolean(r.Float64() < share) }
	}
	for _, c := range []struct {
		name                  string
		paired, before, after int
		truth                 float64
		one, other            func(r *rand.Rand) string
	}{
		{"as many", 0, 40, 40, 1, normal(0, 1), normal(1, 1)},
		{"few of one and many of the other", 0, 4, 300, 1, normal(0, 2), normal(1, 1)},
		{"more than groups", 0, 400, 300, 1, normal(0, 1), normal(1, 3)},
		{"few booleans", 0, 15, 12, 20, chance(0.4), chance(0.6)},
		{"many booleans", 0, 120, 200, 20, chance(0.7), chance(0.9)},
		{"half of them are paired", 40, 40, 40, 0, normal(0, 1), normal(0, 1)},
		{"one is not paired", 40, 1, 1, 0, normal(0, 1), normal(0, 1)},
		{"new rows", 60, 0, 20, 0, normal(0, 1), normal(0, 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			const trials = 400
			held := 0
			for seed := range uint64(trials) {
				random := rand.New(rand.NewPCG(seed, 11))
				comparison := overDatasets()
				for range c.paired {
					base := random.NormFloat64()
					comparison.Add(row(t, "["+number(base)+"]", `["x"]`), row(t, "["+number(base+random.NormFloat64()/10)+"]", `["x"]`))
				}
				addApart(t, comparison, drawn(random, c.before, c.one), drawn(random, c.after, c.other))
				got := comparison.Result().Overall
				if *got.Low <= c.truth && c.truth <= *got.High {
					held++
				}
			}
			if share := float64(held) / trials; share < 0.92 || share > 0.99 {
				t.Errorf("%v of the intervals contain the true value, want 0.95", share)
			}
		})
	}
}

func drawn(random *rand.Rand, count int, cell func(r *rand.Rand) string) []string {
	cells := make([]string, count)
	for i := range cells {
		cells[i] = cell(random)
	}
	return cells
}

// TestTooFewRowsApart expects no interval if one side depends on one row.
func TestTooFewRowsApart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after int
		want          bool
	}{"one each": {1, 1, false}, "one and many": {1, 9, false}, "two each": {2, 2, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			comparison := overDatasets()
			addApart(t, comparison, numberCells([]float64{1, 2}[:c.before]), numberCells(make([]float64, c.after)))
			got := comparison.Result().Overall
			if has := got.Low != nil && got.High != nil; has != c.want || got.Change == nil {
				t.Errorf("there is an interval: %v", has)
			}
		})
	}
}
