package check

import (
	"sync"
	"testing"
	"time"
)

// Patience is how long a test waits for what has to happen. It is long, since
// only a test that fails waits to the end.
const Patience = 2 * time.Minute

// lookEvery is how often a condition is looked at.
const lookEvery = 5 * time.Millisecond

// Eventually waits until a condition is met.
func Eventually(t testing.TB, what string, met func() bool) {
	t.Helper()
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	deadline := time.After(Patience)
	for !met() {
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatalf("it never happened: %s", what)
		}
	}
}

// Next waits for what comes from a channel.
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

// Clock stands still until a test moves it.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that shows a time.
func NewClock(at time.Time) *Clock { return &Clock{now: at} }

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock.
func (c *Clock) Advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}
