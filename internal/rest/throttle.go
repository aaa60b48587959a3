package rest

import (
	"sync/atomic"
	"time"
)

// throttle passes one event every ten seconds and counts the others. When a disk
// or a queue is full, thousands of requests fail in the same way, and one log line
// is enough.
type throttle struct {
	next atomic.Int64 // when the next event may pass, in Unix nanoseconds
	held atomic.Int64
}

const throttlePause = 10 * time.Second

// pass reports whether an event may pass, and how many did not since the last.
func (t *throttle) pass(now time.Time) (held int64, ok bool) {
	next := t.next.Load()
	if now.UnixNano() < next || !t.next.CompareAndSwap(next, now.Add(throttlePause).UnixNano()) {
		t.held.Add(1)
		return 0, false
	}
	return t.held.Swap(0), true
}
