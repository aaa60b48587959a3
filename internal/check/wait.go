package check

import (
	"sync"
	"testing"
	"time"
)

// Patience is how long tests wait. It is long, because only failing tests wait
// that long.
const Patience = 2 * time.Minute

// lookEvery is the interval between checks of a condition.
const lookEvery = 5 * time.Millisecond

// Eventually waits until a condition is true.
func Eventually(t testing.TB, what string, met func() bool) {
	t.Helper()
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	deadline := time.After(Patience)
	for !met() {
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatalf("timed out waiting for: %s", what)
		}
	}
}

// Next waits for a value from a channel.
func Next[T any](t testing.TB, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(Patience):
		t.Fatal("nothing came")
		panic("unreachable")
	}
}

// Clock is a clock that only a test advances.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock at the given time.
func NewClock(at time.Time) *Clock { return &Clock{now: at} }

// Now returns the time of the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock forward.
func (c *Clock) Advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}
