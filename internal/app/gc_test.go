package app

import "testing"

func TestGCPercent(t *testing.T) {
	t.Parallel()
	for live, want := range map[int64]int64{
		0:         6400, // same as for the smallest heap
		1 << 20:   6400,
		16 << 20:  400,
		64 << 20:  100,
		512 << 20: 100,
	} {
		if got := gcPercent(live); got != want {
			t.Errorf("with %d MB in use: %d%%, want %d%%", live>>20, got, want)
		}
	}
}
