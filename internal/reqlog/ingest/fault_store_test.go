package ingest_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/ingest"
)

// faultStore is a fault injector: its Write blocks and fails on command and
// records its batches. Its other methods are those of the embedded Store.
type faultStore struct {
	ingest.Store
	// gate, if not nil, lets one Write pass per value.
	gate chan struct{}
	// refuse, if not nil, decides the result of each attempt.
	refuse func(logs []*reqlog.Log) error

	mu       sync.Mutex
	backlog  float64
	attempts [][]*reqlog.Log
	stored   [][]*reqlog.Log
}

func (s *faultStore) Write(ctx context.Context, batch reqlog.Batch) error {
	logs := batch.Logs
	s.mu.Lock()
	s.attempts = append(s.attempts, logs)
	s.mu.Unlock()
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse != nil {
		if err := s.refuse(logs); err != nil {
			return err
		}
	}
	s.stored = append(s.stored, logs)
	return nil
}

func (s *faultStore) Backlog() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.backlog
}

func (s *faultStore) setBacklog(backlog float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.backlog = backlog
}

func (s *faultStore) logs() []*reqlog.Log {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Concat(s.stored...)
}

func (s *faultStore) batchSizes() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sizes []int
	for _, batch := range s.stored {
		sizes = append(sizes, len(batch))
	}
	return sizes
}

// faultSequence is a sequence that blocks and fails on command. Another process
// takes ids between any two of its blocks.
type faultSequence struct {
	mu     sync.Mutex
	last   int64
	blocks [][2]int64
	fail   error
	// gate, if not nil, lets one fetch pass per value.
	gate chan struct{}
}

func (s *faultSequence) ReserveIDs(ctx context.Context, sequence string, n int64) (int64, error) {
	if sequence != "request_log" {
		return 0, fmt.Errorf("unexpected sequence %q", sequence)
	}
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return 0, s.fail
	}
	first := s.last + 1
	s.last += n + 100
	s.blocks = append(s.blocks, [2]int64{first, first + n - 1})
	return first, nil
}

// gave reports whether the id belongs to a reserved block.
func (s *faultSequence) gave(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.blocks, func(b [2]int64) bool { return b[0] <= id && id <= b[1] })
}

func (s *faultSequence) setFail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = err
}

func wantKind(t *testing.T, what string, err error, kind fault.Kind) {
	t.Helper()
	if !fault.Is(err, kind) {
		t.Errorf("%s: error = %v, want a fault of kind %d", what, err, kind)
	}
}
