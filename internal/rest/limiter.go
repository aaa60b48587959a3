package rest

import (
	"maps"
	"sync"
	"time"
)

const (
	// limitWindow is the period of a rate limit.
	limitWindow = time.Minute
	// maxTracked is the maximum number of callers that a limiter tracks.
	maxTracked = 10_000
)

// Limiter counts calls per limit and caller over a sliding minute. Rejected calls
// do not count, so that a caller who keeps trying succeeds as soon as possible. It
// is safe for concurrent use.
type Limiter struct {
	now    func() time.Time
	limits map[string]int

	mu     sync.Mutex
	recent map[limitKey]*callRing
}

type limitKey struct{ limit, caller string }

// callRing has the times of the last calls, as many as the limit allows.
type callRing struct {
	times []time.Time
	next  int // index of the oldest once the ring is full
}

// NewLimiter returns a limiter with the calls per minute of each limit by name. A
// limit of 0 or a missing name means no limit.
func NewLimiter(now func() time.Time, limits map[string]int) *Limiter {
	return &Limiter{now: now, limits: maps.Clone(limits), recent: make(map[limitKey]*callRing)}
}

// Allow counts a call. If the limit is reached, the call does not count, ok is
// false, and wait is the time until the next call is allowed.
func (l *Limiter) Allow(limit, caller string) (wait time.Duration, ok bool) {
	most := l.limits[limit]
	if most <= 0 {
		return 0, true
	}
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	key := limitKey{limit, caller}
	ring := l.recent[key]
	if ring == nil {
		l.makeRoom(now)
		ring = &callRing{}
		l.recent[key] = ring
	}
	if len(ring.times) < most {
		ring.times = append(ring.times, now)
		return 0, true
	}
	if age := now.Sub(ring.times[ring.next]); age < limitWindow {
		return limitWindow - age, false
	}
	ring.times[ring.next] = now
	ring.next = (ring.next + 1) % most
	return 0, true
}

// makeRoom drops callers without a call within the window, or an arbitrary one if
// there are none: losing a count is better than rejecting a caller.
func (l *Limiter) makeRoom(now time.Time) {
	if len(l.recent) < maxTracked {
		return
	}
	maps.DeleteFunc(l.recent, func(_ limitKey, ring *callRing) bool {
		return now.Sub(ring.newest()) >= limitWindow
	})
	for key := range l.recent {
		if len(l.recent) < maxTracked {
			return
		}
		delete(l.recent, key)
	}
}

func (r *callRing) newest() time.Time {
	return r.times[(r.next+len(r.times)-1)%len(r.times)]
}
