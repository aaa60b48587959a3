package compare_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/eval/compare"
)

// quantiles are those of Student's t-distribution, by sample size.
var quantiles = map[int]float64{2: 12.7062, 3: 4.30265, 5: 2.77645, 12: 2.20099, 22: 2.07961, 31: 2.04227, 61: 2.00030, 121: 1.97993, 201: 1.97190, 202: 1.97184, 256: 1.96931}

// TestIntervalOfNumbers compares with the paired t-test.
func TestIntervalOfNumbers(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 3, 5, 12, 31, 61, 121, 256} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(n), 1))
			comparison := compare.New(side("*a"), side("*a"))
			var differences []float64
			for range n {
				base := 1000 * random.Float64()
				difference := 3 + random.NormFloat64()
				differences = append(differences, difference)
				comparison.Add(row(t, "["+number(base)+"]", ""), row(t, "["+number(base+difference)+"]", ""))
			}
			mean, standardError := moments(differences)
			got := comparison.Result()
			near(t, "change", got.Overall.Change, mean, 1e-9)
			near(t, "low", got.Overall.Low, mean-quantiles[n]*standardError, 1e-4)
			near(t, "high", got.Overall.High, mean+quantiles[n]*standardError, 1e-4)
			check.Equal(t, "column", got.Columns[0].Difference, got.Overall)
		})
	}
}

// TestIntervalOfBooleans compares with the paired t-test over one more row that
// improved and one that worsened.
func TestIntervalOfBooleans(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ improved, worsened, same int }{
		{0, 0, 1}, {1, 0, 0}, {0, 0, 3}, {0, 0, 20}, {10, 0, 0}, {0, 29, 0}, {6, 2, 12}, {30, 30, 140},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			t.Parallel()
			comparison := compare.New(side("*a"), side("*a"))
			differences := []float64{100, -100}
			add := func(times int, before, after bool, difference float64) {
				for range times {
					differences = append(differences, difference)
					comparison.Add(row(t, "["+boolean(before)+"]", ""), row(t, "["+boolean(after)+"]", ""))
				}
			}
			add(c.improved, false, true, 100)
			add(c.worsened, true, false, -100)
			add(c.same, true, true, 0)
			mean, standardError := moments(differences)
			half := quantiles[len(differences)] * standardError
			got := comparison.Result().Overall
			near(t, "change", got.Change, 100*float64(c.improved-c.worsened)/float64(c.improved+c.worsened+c.same), 1e-12)
			near(t, "low", got.Low, max(mean-half, -100), 1e-4)
			near(t, "high", got.High, min(mean+half, 100), 1e-4)
			if *got.Low > *got.Change || *got.High < *got.Change {
				t.Errorf("%v is not between %v and %v", *got.Change, *got.Low, *got.High)
			}
		})
	}
}

// TestIntervalOfSeveralColumns compares with the means over the columns, which
// are correlated.
func TestIntervalOfSeveralColumns(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 5))
	comparison := compare.New(side("*a", "*b"), side("*a", "*b"))
	var differences []float64
	for range 31 {
		both := random.NormFloat64()
		one, other := both+random.NormFloat64()/10, both+random.NormFloat64()/10
		differences = append(differences, (one+other)/2)
		comparison.Add(row(t, `[[1],[2]]`, ""), row(t, "["+number(1+one)+","+number(2+other)+"]", ""))
	}
	mean, standardError := moments(differences)
	got := comparison.Result().Overall
	near(t, "low", got.Low, mean-quantiles[31]*standardError, 1e-4)
	near(t, "high", got.High, mean+quantiles[31]*standardError, 1e-4)
}

func TestTooFewRowsForAnInterval(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		rows [][2]string
		want bool
	}{
		{"one number", [][2]string{{`[[1]]`, `[[2]]`}}, false},
		{"two numbers", [][2]string{{`[[1]]`, `[[2]]`}, {`[[1]]`, `[[4]]`}}, true},
		{"rows without numbers do not help", [][2]string{{`[[1]]`, `[[2]]`}, {`["x"]`, `["x"]`}, {`[[null]]`, `[[null]]`}}, false},
		{"one side depends on one row", [][2]string{{`[[1]]`, `[[2]]`}, {`[[1]]`, `["x"]`}, {`[[1]]`, `["x"]`}}, false},
		{"one boolean", [][2]string{{`[[true]]`, `[[false]]`}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			comparison := compare.New(side("*a"), side("*a"))
			for _, r := range c.rows {
				comparison.Add(row(t, r[0], ""), row(t, r[1], ""))
			}
			got := comparison.Result().Overall
			if has := got.Low != nil && got.High != nil; has != c.want || got.Change == nil {
				t.Errorf("there is an interval: %v", has)
			}
		})
	}
}

// TestIntervalsHoldTheTruth draws many pairs of runs from models with a known
// difference, and counts how often the interval contains it.
func TestIntervalsHoldTheTruth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		rows  int
		truth float64
		cells func(random *rand.Rand) (before, after string)
	}{
		{"few booleans", 15, 10, func(r *rand.Rand) (string, string) {
			luck := r.Float64()
			return boolean(luck < 0.5), boolean(luck < 0.3 || luck > 0.7)
		}},
		{"many numbers", 700, 1, func(r *rand.Rand) (string, string) {
			base := r.ExpFloat64()
			return number(base), number(base + 1 + r.NormFloat64())
		}},
		{"cells that fail in one run", 100, 0, func(r *rand.Rand) (string, string) {
			base := r.NormFloat64()
			if r.IntN(4) == 0 {
				return number(base), `"failed"`
			}
			return number(base), number(base + r.NormFloat64())
		}},
		{"assertions that belong together", 60, 20, func(r *rand.Rand) (string, string) {
			luck := r.Float64()
			if r.IntN(2) == 0 {
				return fmt.Sprintf(`[{"a":%[1]t,"b":%[1]t,"c":%[1]t,"d":%[1]t}]`, luck < 0.4), fmt.Sprintf(`[{"a":%[1]t,"b":%[1]t,"c":%[1]t,"d":%[1]t}]`, luck < 0.6)
			}
			return boolean(luck < 0.4), boolean(luck < 0.6)
		}},
		{"unrelated runs", 50, 2, func(r *rand.Rand) (string, string) {
			return number(r.NormFloat64()), number(2 + 3*r.NormFloat64())
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			const trials = 400
			held := 0
			for seed := range uint64(trials) {
				random := rand.New(rand.NewPCG(seed, 7))
				comparison := compare.New(side("*a"), side("*a"))
				for range c.rows {
					before, after := c.cells(random)
					comparison.Add(row(t, "["+before+"]", ""), row(t, "["+after+"]", ""))
				}
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

// TestPeriodicDatasets checks for the interval of the t-test, although similar
// rows are as far apart as there are groups, or a fraction of that.
func TestPeriodicDatasets(t *testing.T) {
	t.Parallel()
	for name, difference := range map[string]func(i int) float64{
		"waves":      func(i int) float64 { return math.Sin(float64(i % 256)) },
		"one wave":   func(i int) float64 { return math.Sin(float64(i) * 2 * math.Pi / 256) },
		"every 2nd":  func(i int) float64 { return float64(i % 2) },
		"every 16th": func(i int) float64 { return float64(i % 16) },
		"halves":     func(i int) float64 { return float64(i % 256 / 128) },
		"one of all": func(i int) float64 { return float64(i % 256 / 255) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			comparison := compare.New(side("*a"), side("*a"))
			var differences []float64
			for i := range 256 * 60 {
				differences = append(differences, difference(i))
				comparison.Add(row(t, `[[0]]`, ""), row(t, "["+number(difference(i))+"]", ""))
			}
			_, standardError := moments(differences)
			got := comparison.Result().Overall
			width := (*got.High - *got.Low) / 2 / standardError
			if width < 1.7 || width > 2.3 {
				t.Errorf("half of the interval is %v standard errors", width)
			}
		})
	}
}

// TestIntervalOfAssertions checks that assertions that are all equal count as
// one.
func TestIntervalOfAssertions(t *testing.T) {
	t.Parallel()
	single, several := compare.New(side("*a"), side("*a")), compare.New(side("*a"), side("*a"))
	for i := range 12 {
		before, after := i%3 == 0, i%4 != 0
		single.Add(row(t, "["+boolean(before)+"]", ""), row(t, "["+boolean(after)+"]", ""))
		text := `[[{"x":%[1]t,"y":%[1]t,"z":%[1]t}]]`
		several.Add(row(t, fmt.Sprintf(text, before), ""), row(t, fmt.Sprintf(text, after), ""))
	}
	want, got := single.Result().Overall, several.Result().Overall
	near(t, "change", got.Change, *want.Change, 1e-12)
	near(t, "low", got.Low, *want.Low, 1e-12)
	near(t, "high", got.High, *want.High, 1e-12)
}

// TestAddAllocatesNothing checks that memory does not grow with the rows. It is
// not parallel because it counts the allocations of the whole process.
func TestAddAllocatesNothing(t *testing.T) {
	comparison := compare.New(side("*a", "b"), side("*a", "b"))
	before, after := row(t, `[[true],[1]]`, ""), row(t, `[[false],[2]]`, "")
	comparison.Add(before, after)
	if allocations := testing.AllocsPerRun(1000, func() { comparison.Add(before, after) }); allocations > 0 {
		t.Errorf("a row makes %v allocations", allocations)
	}
}

func BenchmarkAdd(b *testing.B) {
	comparison := compare.New(side("*a", "*b", "c", "d", "e"), side("*a", "*b", "c", "d", "e"))
	before := row(b, `[[true],[0.5],["Paris"],[{"x":true,"y":false}],"failed"]`, "")
	after := row(b, `[[false],[0.25],["London"],[{"x":true,"y":true}],[1]]`, "")
	b.ReportAllocs()
	for b.Loop() {
		comparison.Add(before, after)
	}
}

func BenchmarkResult(b *testing.B) {
	comparison := compare.New(side("*a", "*b", "*c"), side("*a", "*b", "*c"))
	for range 1000 {
		comparison.Add(row(b, `[[true],[1],[2]]`, ""), row(b, `[[false],[2],[3]]`, ""))
	}
	b.ReportAllocs()
	for b.Loop() {
		comparison.Result()
	}
}
