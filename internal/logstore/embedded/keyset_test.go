package embedded

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// TestKeySet adds keys beyond the first layers. None may be denied, and almost no
// other may be reported.
func TestKeySet(t *testing.T) {
	t.Parallel()
	const count = 6 * firstKeys
	var s keySet
	check.Equal(t, "an empty set has a key", s.has(7), false)
	check.Equal(t, "the key 0 is added", s.add(0) || s.has(0), false)
	added := 0
	for i := range int64(count) {
		if !s.add(i*i + 1) {
			added++
		}
	}
	check.Equal(t, "layers", len(s.layers), 3)
	if added < count-10 {
		t.Errorf("%d of %d keys were taken for older ones", count-added, count)
	}
	wrong := 0
	for i := range int64(count) {
		if !s.has(i*i + 1) {
			t.Fatalf("key %d is denied", i*i+1)
		}
		if s.has(-i - 1) {
			wrong++
		}
	}
	if wrong > 10 {
		t.Errorf("%d of %d keys are reported that were never added", wrong, count)
	}
}

func BenchmarkKeySet(b *testing.B) {
	var s keySet
	for i := int64(1); b.Loop(); i++ {
		s.add(i * 0x9e3779b9)
	}
}
