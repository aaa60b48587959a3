package ingest

import (
	"context"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/guard"
)

// requestSequence is the name of the sequence of request ids in the catalog.
const requestSequence = "request_log"

// idSource provides increasing request ids from reserved blocks. It fetches the
// next block when half of the last one is used, so that a commit normally does
// not wait for the catalog. Only one goroutine may use it.
type idSource struct {
	// lifetime limits every fetch.
	lifetime context.Context
	sequence Sequence
	block    int64
	// life is how long after their reservation ids may be written, 0 forever.
	life time.Duration
	free []idRange
	// ahead receives the fetch in progress; nil if there is none.
	ahead chan fetched
}

// idRange holds the ids from next up to, not including, end.
type idRange struct {
	next, end int64
	// until is when they must have been written, zero for no limit.
	until time.Time
}

type fetched struct {
	ids idRange
	err error
}

// newIDSource returns a source that is already fetching its first block.
func newIDSource(lifetime context.Context, sequence Sequence, block int64, life time.Duration) *idSource {
	s := &idSource{lifetime: lifetime, sequence: sequence, block: block, life: life}
	s.fetchAhead()
	return s
}

// take returns the next n ids in ascending order, or none of them, and when they must
// have been written.
func (s *idSource) take(n int) (ids []int64, until time.Time, err error) {
	if n == 0 {
		return nil, until, nil
	}
	for s.dropOld(); s.left() < int64(n); s.dropOld() {
		if err := s.refill(); err != nil {
			return nil, until, err
		}
	}
	ids = make([]int64, n)
	until = s.free[0].until // the oldest are the first
	for i := range ids {
		first := &s.free[0]
		ids[i] = first.next
		first.next++
		if first.next == first.end {
			s.free = s.free[1:]
		}
	}
	if s.left() < s.block/2 {
		s.fetchAhead()
	}
	return ids, until, nil
}

// dropOld drops ids that are in the second half of their life: what is left of it may
// be too short to write them.
func (s *idSource) dropOld() {
	s.free = slices.DeleteFunc(s.free, func(r idRange) bool {
		return !r.until.IsZero() && time.Until(r.until) < s.life/2
	})
}

func (s *idSource) left() int64 {
	sum := int64(0)
	for _, r := range s.free {
		sum += r.end - r.next
	}
	return sum
}

// refill adds the block being fetched. A failed fetch is retried: it may be old
// and its cause gone.
func (s *idSource) refill() error {
	s.fetchAhead()
	got := <-s.ahead
	if got.err != nil {
		got = s.fetch()
	}
	s.ahead = nil
	if got.err != nil {
		return got.err
	}
	s.free = append(s.free, got.ids)
	return nil
}

func (s *idSource) fetch() (got fetched) {
	if s.life > 0 {
		got.ids.until = time.Now().Add(s.life)
	}
	got.err = guard.Run("request ids", func() error {
		first, err := s.sequence.ReserveIDs(s.lifetime, requestSequence, s.block)
		got.ids.next, got.ids.end = first, first+s.block
		return err
	})
	return got
}

func (s *idSource) fetchAhead() {
	if s.ahead != nil {
		return
	}
	ahead := make(chan fetched, 1)
	s.ahead = ahead
	guard.Go("request ids", func() { ahead <- s.fetch() })
}

// wait returns when no fetch is in progress.
func (s *idSource) wait() {
	if s.ahead != nil {
		<-s.ahead
	}
}

// Sequence provides request ids.
type Sequence interface {
	// ReserveIDs returns the first of n consecutive ids that are reserved for the
	// caller.
	ReserveIDs(ctx context.Context, sequence string, n int64) (first int64, err error)
}
