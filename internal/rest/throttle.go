package rest

import (
	"sync/atomic"
	"time"
)

// throttle lets one through every ten seconds and counts the others: a full
// disk or queue fails thousands of requests in the same way, and one line says
// it as well as thousands.
type throttle struct {
	next atomic.Int64 // when the next one may pass, in Unix nanoseconds
	held atomic.Int64
}

const throttlePause = 10 * time.Second

// pass reports whether this one may pass, and how many were held back before.
func (t *throttle) pass(now time.Time) (held int64, ok bool) {
	next := t.next.Load()
	if now.UnixNano() < next || !t.next.CompareAndSwap(next, now.Add(throttlePause).UnixNano()) {
		t.held.Add(1)
		return 0, false
	}
	return t.held.Swap(0), true
}
