package compare

import (
	"math"
	"testing"
)

// TestStudentQuantile integrates the density up to the quantile. Between the
// first degrees of freedom the quantile may be slightly too large.
func TestStudentQuantile(t *testing.T) {
	t.Parallel()
	for freedom, step := 1.0, 0.25; freedom <= 512; freedom += step {
		if freedom > 12 {
			step = 8
		}
		gamma, _ := math.Lgamma((freedom + 1) / 2)
		below, _ := math.Lgamma(freedom / 2)
		scale := math.Exp(gamma-below) / math.Sqrt(freedom*math.Pi)
		density := func(x float64) float64 { return scale * math.Pow(1+x*x/freedom, -(freedom+1)/2) }
		end := studentQuantile(freedom)
		const steps = 4000 // of Simpson's rule, an even number
		sum := density(0) + density(end)
		for i := 1; i < steps; i++ {
			sum += density(end*float64(i)/steps) * float64(2+2*(i%2))
		}
		tolerance := 1e-5
		if freedom < 10 && freedom != math.Floor(freedom) {
			tolerance = 6e-3
		}
		if share := 0.5 + sum*end/steps/3; share < 0.975-1e-5 || share > 0.975+tolerance {
			t.Errorf("%v degrees of freedom: %v lie below %v", freedom, share, end)
		}
	}
}

// TestGroupsAreEven checks that each block has one row per group, in a
// different order each time.
func TestGroupsAreEven(t *testing.T) {
	t.Parallel()
	first, near := map[int]bool{}, 0
	const blocks = 200
	for block := range int64(blocks) {
		seen := map[int]bool{}
		for i := range int64(groupCount) {
			seen[groupOf(block*groupCount+i)] = true
		}
		if len(seen) != groupCount {
			t.Fatalf("block %d has rows in %d groups", block, len(seen))
		}
		first[groupOf(block*groupCount)] = true
		if distance := groupOf(block*groupCount) - groupOf(block*groupCount+1); distance*distance == 1 {
			near++
		}
	}
	if len(first) < groupCount/3 || near > blocks/10 {
		t.Errorf("the first rows of %d blocks are in %d groups, %d times adjacent to the next", blocks, len(first), near)
	}
}
