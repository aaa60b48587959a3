package ingest

import "slices"

// reservedPart is the fraction of the queue, as a divisor, that is reserved for
// workspaces that use less than that: one workspace that fills the rest cannot
// cause others to be rejected.
const reservedPart = 8

// queue has the waiting submissions, in a lane for each workspace. Lanes
// take turns, so that a workspace waits for at most one submission of each
// other one, however many those have sent.
type queue struct {
	maxLogs  int
	maxBytes int64
	logs     int
	bytes    int64
	lanes    map[int64]*lane
	// turns are the lanes with waiting submissions; the first is next.
	turns []*lane
}

// lane has the submissions of one workspace. Its sizes include those being
// written.
type lane struct {
	logs    int
	bytes   int64
	waiting []*submission
}

func newQueue(o Options) queue {
	return queue{maxLogs: o.MaxLogs, maxBytes: o.MaxBytes, lanes: map[int64]*lane{}}
}

// fits reports whether the queue can accept a submission now.
func (q *queue) fits(s *submission) bool {
	held := lane{}
	if l := q.lanes[s.workspace]; l != nil {
		held = *l
	}
	return fits(q.logs, held.logs, s.entries(), q.maxLogs) && fits(q.bytes, held.bytes, s.bytes, q.maxBytes)
}

// fits reports whether n more fit into a queue of size total, of which the
// workspace has held.
func fits[T int | int64](total, held, n, limit T) bool {
	reserve := limit / reservedPart
	if held+n > reserve {
		limit -= reserve
	}
	return total+n <= limit || total == 0
}

func (q *queue) push(s *submission) {
	l := q.lanes[s.workspace]
	if l == nil {
		l = &lane{}
		q.lanes[s.workspace] = l
	}
	l.waiting = append(l.waiting, s)
	if len(l.waiting) == 1 {
		q.turns = append(q.turns, l)
	}
	q.add(s, l, 1)
}

// waiting returns the number of waiting submissions.
func (q *queue) waiting() (n int) {
	for _, l := range q.turns {
		n += len(l.waiting)
	}
	return n
}

// pop removes the next submission that fits: the first of the lane whose turn it
// is, or of the lane after it, and so on. It returns nil if none fits.
func (q *queue) pop(fits func(*submission) bool) *submission {
	for i, l := range q.turns {
		next := l.waiting[0]
		if !fits(next) {
			continue
		}
		l.waiting = l.waiting[1:]
		q.turns = slices.Delete(q.turns, i, i+1)
		if len(l.waiting) > 0 {
			q.turns = append(q.turns, l)
		}
		return next
	}
	return nil
}

// release frees the place of a submission that was popped.
func (q *queue) release(s *submission) {
	l := q.lanes[s.workspace]
	q.add(s, l, -1)
	if l.logs == 0 {
		delete(q.lanes, s.workspace)
	}
}

func (q *queue) add(s *submission, l *lane, sign int) {
	logs, bytes := sign*s.entries(), int64(sign)*s.bytes
	q.logs, l.logs = q.logs+logs, l.logs+logs
	q.bytes, l.bytes = q.bytes+bytes, l.bytes+bytes
}
