package rest

import (
	"maps"
	"sync"
	"time"
)

const (
	// limitWindow is the time that a rate limit looks back.
	limitWindow = time.Minute
	// maxTracked bounds how many callers a limiter remembers.
	maxTracked = 10_000
)

// Limiter counts calls per limit and caller over a sliding minute. Calls that
// it refuses do not count, so a caller who keeps trying gets through as soon
// as there is room. It is safe for concurrent use.
type Limiter struct {
	now    func() time.Time
	limits map[string]int

	mu     sync.Mutex
	recent map[limitKey]*callRing
}

type limitKey struct{ limit, caller string }

// callRing holds the times of the last calls, as many as the limit allows.
type callRing struct {
	times []time.Time
	next  int // where the oldest stands once the ring is full
}

// NewLimiter returns a limiter with the calls per minute for each limit's
// name; 0 or a missing name switches a limit off.
func NewLimiter(now func() time.Time, limits map[string]int) *Limiter {
	return &Limiter{now: now, limits: maps.Clone(limits), recent: make(map[limitKey]*callRing)}
}

// Allow counts a call. When the limit is reached it is not counted, ok is
// false, and wait is the time until the next call would be allowed.
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

// makeRoom drops callers that made no call within the window, and when all did
// an arbitrary one: forgetting a count is better than refusing a caller.
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
