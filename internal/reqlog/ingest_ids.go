package reqlog

import (
	"context"

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
	free     []idRange
	// ahead receives the fetch in progress; nil if there is none.
	ahead chan fetched
}

// idRange holds the ids from next up to, not including, end.
type idRange struct{ next, end int64 }

type fetched struct {
	ids idRange
	err error
}

// newIDSource returns a source that is already fetching its first block.
func newIDSource(lifetime context.Context, sequence Sequence, block int64) *idSource {
	s := &idSource{lifetime: lifetime, sequence: sequence, block: block}
	s.fetchAhead()
	return s
}

// take returns the next n ids in ascending order, or none of them.
func (s *idSource) take(n int) ([]int64, error) {
	if n == 0 {
		return nil, nil
	}
	for s.left() < int64(n) {
		if err := s.refill(); err != nil {
			return nil, err
		}
	}
	ids := make([]int64, n)
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
	return ids, nil
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
	got.err = guard.Run("request ids", func() error {
		first, err := s.sequence.ReserveIDs(s.lifetime, requestSequence, s.block)
		got.ids = idRange{next: first, end: first + s.block}
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
