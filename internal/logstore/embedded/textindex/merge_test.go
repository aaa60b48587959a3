package textindex

import (
	"math/rand/v2"
	"testing"
)

func TestPickRun(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name     string
		docs     []uint64
		factor   int
		from, to int
	}{
		{"nothing", nil, 4, 0, 0},
		{"too few", []uint64{5, 5, 5}, 4, 0, 0},
		{"enough", []uint64{5, 5, 5, 5}, 4, 0, 4},
		{"large ones are left alone", []uint64{900, 5, 5, 5, 5}, 4, 1, 5},
		{"small before large", []uint64{20, 20, 20, 20, 1, 1, 1, 1}, 4, 4, 8},
		{"smaller ones come along", []uint64{5, 5, 1, 5, 5}, 4, 0, 5},
		{"not worth it", []uint64{900, 5, 5, 5}, 4, 0, 0},
		{"interrupted", []uint64{5, 5, 900, 5, 5}, 4, 0, 0},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			from, to := pickRun(tc.docs, tc.factor)
			if from != tc.from || to != tc.to {
				t.Errorf("got %d to %d, want %d to %d", from, to, tc.from, tc.to)
			}
		})
	}
}

// TestPickRunKeepsSegmentsFew plays many flushes of random size through.
func TestPickRunKeepsSegmentsFew(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(12, 13))
	var docs []uint64
	for range 20000 {
		docs = append(docs, 1+uint64(r.IntN(1000)))
		for {
			from, to := pickRun(docs, 8)
			if from == to {
				break
			}
			var sum uint64
			for _, n := range docs[from:to] {
				sum += n
			}
			docs = append(docs[:from], append([]uint64{sum}, docs[to:]...)...)
		}
		if len(docs) > 7*8 {
			t.Fatalf("%d segments", len(docs))
		}
	}
}
