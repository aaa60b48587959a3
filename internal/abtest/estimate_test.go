package abtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestKnownIntervals compares with published values.
func TestKnownIntervals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		got       Estimate
		low, high float64
	}{
		{"Wilson, 5 of 100", share(5, 100), 0.0215, 0.1118},
		{"Wilson, none of 20", share(0, 20), 0, 0.1611},
		{"Wilson, all of 20", share(20, 20), 0.8389, 1},
		{"mean of 40 and 60, 50 times each", mean(map[float64]int64{40: 50, 60: 50}), 48.030, 51.970},
		{"mean of one score", mean(map[float64]int64{70: 1}), 0, 100},
		{"Newcombe's difference of 56 of 70 and 48 of 80", difference(share(56, 70), share(48, 80)), 0.0524, 0.3339},
	} {
		if math.Abs(c.got.Low-c.low) > 5e-4 || math.Abs(c.got.High-c.high) > 5e-4 {
			t.Errorf("%s: %.4f to %.4f, want %.4f to %.4f", c.name, c.got.Low, c.got.High, c.low, c.high)
		}
	}
}

// TestCoverage draws samples of known distributions: about 95 of 100 intervals
// must include the true number.
func TestCoverage(t *testing.T) {
	t.Parallel()
	var random *rand.Rand
	const samples, size = 2000, 200
	for name, includes := range map[string]func() bool{
		"share": func() bool {
			failed := int64(0)
			for range size {
				if random.Float64() < 0.03 {
					failed++
				}
			}
			e := share(failed, size)
			return e.Low <= 0.03 && 0.03 <= e.High
		},
		"median of a long tail": func() bool {
			low, high := medianPercentiles(size)
			values := make([]float64, size)
			for i := range values {
				values[i] = math.Exp(2 * random.NormFloat64())
			}
			return percentile(values, low) <= 1 && 1 <= percentile(values, high)
		},
		"mean of scores": func() bool {
			counts := map[float64]int64{}
			for range size {
				counts[map[bool]float64{true: 100}[random.Float64() < 0.8]]++
			}
			e := mean(counts)
			return e.Low <= 80 && 80 <= e.High
		},
		"no difference": func() bool {
			var failed [2]int64
			for i := range failed {
				for range size {
					if random.Float64() < 0.1 {
						failed[i]++
					}
				}
			}
			d := difference(share(failed[0], size), share(failed[1], size))
			return d.Low <= 0 && 0 <= d.High
		},
	} {
		random = rand.New(rand.NewPCG(1, 2)) // the same in any order
		hits := 0
		for range samples {
			if includes() {
				hits++
			}
		}
		if rate := float64(hits) / samples; rate < 0.93 || rate > 0.975 {
			t.Errorf("%s: %.1f %% of the intervals include the true number", name, 100*rate)
		}
	}
}

// percentile is that of the log stores: interpolated linearly.
func percentile(values []float64, p float64) float64 {
	slices.Sort(values)
	rank := p / 100 * float64(len(values)-1)
	low := int(rank)
	return values[low] + (values[min(low+1, len(values)-1)]-values[low])*(rank-float64(low))
}
