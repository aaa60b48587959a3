package logs

import (
	"context"
	"sync/atomic"

	"github.com/promptuary/promptuary/internal/reqlog/ingest"
)

// requestSequence is the sequence of request ids.
const requestSequence = "request_log"

// sequence provides request ids that are higher than those of all stored logs: a
// catalog restored from an older backup must not use ids again. If the disk is
// full at the start, that is ensured before the first id is used.
type sequence struct {
	inner interface {
		ingest.Sequence
		EnsureIDsAbove(ctx context.Context, sequence string, floor int64) error
	}
	above   int64
	ensured atomic.Bool
}

func (s *sequence) ensure(ctx context.Context) error {
	if s.ensured.Load() {
		return nil
	}
	err := s.inner.EnsureIDsAbove(ctx, requestSequence, s.above)
	s.ensured.Store(err == nil)
	return err
}

// ReserveIDs implements ingest.Sequence.
func (s *sequence) ReserveIDs(ctx context.Context, name string, n int64) (int64, error) {
	if err := s.ensure(ctx); err != nil {
		return 0, err
	}
	return s.inner.ReserveIDs(ctx, name, n)
}
