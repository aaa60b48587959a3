package eval

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fair"
)

// TestOneSlotIsLeftForOthers lets a workspace take as many turns as it can get. Another
// one must not wait for it.
func TestOneSlotIsLeftForOthers(t *testing.T) {
	t.Parallel()
	s := NewService(Options{})
	for name, queue := range map[string]*fair.Queue{"computing": s.computing, "waiting": s.waiting, "scoring": s.scoring, "agreeing": s.agreeing} {
		for range queue.Stats().Each {
			check.Must(queue.Acquire(t.Context(), 1))(t)
		}
		soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if _, err := queue.Acquire(soon, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: a workspace took every slot: %v", name, err)
		}
		cancel()
		check.Must(queue.Acquire(t.Context(), 2))(t)
	}
}
