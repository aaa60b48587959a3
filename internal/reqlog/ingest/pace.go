package ingest

import "time"

// wakeAfter wakes take after a time. The caller holds mu until it waits; a signal
// before that would be lost, and with it everything in the queue.
func (g *Ingester) wakeAfter(d time.Duration) {
	g.afterFunc(d, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.arrived.Signal()
	})
}

// pace is how the last commit went.
type pace struct {
	began time.Time
	took  time.Duration
	// callers were answered, or were waiting in the meantime.
	callers int
}

const (
	// slowCommit is the time from which on it is worth waiting for others to share
	// the next commit.
	slowCommit = 5 * time.Millisecond
	// gatherPart is the part of the time of a commit, as a divisor, to wait for
	// others before the next one.
	gatherPart = 4
)

// gathering returns how long the next commit still waits. Clients that log one
// request after the other all come back when a slow commit has ended, but not at
// once: the first one would get a commit for itself, for which the others wait.
func (g *Ingester) gathering() time.Duration {
	if g.draining || g.last.took < slowCommit || g.queue.waiting() >= g.last.callers {
		return 0
	}
	return time.Until(g.last.began.Add(g.last.took + g.last.took/gatherPart))
}
