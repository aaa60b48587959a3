package rest

import (
	"context"
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

// CallCounter counts calls of several servers together.
type CallCounter interface {
	// CountCall counts a call unless the caller has already made the maximum number
	// of calls within the window. Then ok is false, and wait is the time until the
	// next call is allowed.
	CountCall(ctx context.Context, limit, caller string, most int, window time.Duration) (wait time.Duration, ok bool, err error)
}

// Limiter counts calls per limit and caller over a sliding minute. Rejected calls
// do not count, so that a caller who keeps trying succeeds as soon as possible. It
// is safe for concurrent use.
type Limiter struct {
	now    func() time.Time
	limits map[string]int
	shared CallCounter // nil if this server is the only one

	mu     sync.Mutex
	recent map[limitKey]*callRing
	// blocked is until when callers are rejected without asking shared.
	blocked map[limitKey]time.Time
}

type limitKey struct{ limit, caller string }

// callRing has the times of the last calls, as many as the limit allows.
type callRing struct {
	times []time.Time
	next  int // index of the oldest once the ring is full
}

// NewLimiter returns a limiter with the calls per minute of each limit by name. A
// limit of 0 or a missing name means no limit. The counter is nil unless several
// servers share the limits.
func NewLimiter(now func() time.Time, limits map[string]int, shared CallCounter) *Limiter {
	return &Limiter{
		now: now, limits: maps.Clone(limits), shared: shared,
		recent: make(map[limitKey]*callRing), blocked: make(map[limitKey]time.Time),
	}
}

// Allow counts a call. If the limit is reached, the call does not count, ok is
// false, and wait is the time until the next call is allowed. It fails only if
// the servers cannot count together.
func (l *Limiter) Allow(ctx context.Context, limit, caller string) (wait time.Duration, ok bool, err error) {
	most := l.limits[limit]
	if most <= 0 {
		return 0, true, nil
	}
	key := limitKey{limit, caller}
	if l.shared != nil {
		return l.allowShared(ctx, key, most)
	}
	wait, ok = l.allowHere(key, most)
	return wait, ok, nil
}

// allowShared counts a call with the other servers. A rejected caller who keeps
// trying is rejected here until its time has come.
func (l *Limiter) allowShared(ctx context.Context, key limitKey, most int) (time.Duration, bool, error) {
	if wait := l.blockedFor(key); wait > 0 {
		return wait, false, nil
	}
	wait, ok, err := l.shared.CountCall(ctx, key.limit, key.caller, most, limitWindow)
	if err == nil && !ok {
		l.block(key, wait)
	}
	return wait, ok, err
}

func (l *Limiter) blockedFor(key limitKey) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	until, blocked := l.blocked[key]
	if !blocked {
		return 0
	}
	wait := until.Sub(l.now())
	if wait <= 0 {
		delete(l.blocked, key)
	}
	return wait
}

func (l *Limiter) block(key limitKey, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	makeRoom(l.blocked, func(until time.Time) bool { return until.After(now) })
	l.blocked[key] = now.Add(wait)
}

func (l *Limiter) allowHere(key limitKey, most int) (wait time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	ring := l.recent[key]
	if ring == nil {
		makeRoom(l.recent, func(ring *callRing) bool { return now.Sub(ring.newest()) < limitWindow })
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

// makeRoom drops callers that no longer matter, or an arbitrary one if all do:
// losing a count is better than rejecting a caller.
func makeRoom[V any](tracked map[limitKey]V, matters func(V) bool) {
	if len(tracked) < maxTracked {
		return
	}
	maps.DeleteFunc(tracked, func(_ limitKey, value V) bool { return !matters(value) })
	for key := range tracked {
		if len(tracked) < maxTracked {
			return
		}
		delete(tracked, key)
	}
}

func (r *callRing) newest() time.Time {
	return r.times[(r.next+len(r.times)-1)%len(r.times)]
}
