package requests_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// partStore returns parts without logs, each after the one before.
type partStore struct {
	memoryStore
	parts int64
	read  func(ctx context.Context, part int64) error
}

func (s *partStore) ScanLogs(ctx context.Context, q query.ScanQuery) (*query.Scanned, error) {
	part := q.After + 1
	if err := s.read(ctx, part); err != nil {
		return nil, err
	}
	if part == s.parts {
		return &query.Scanned{}, nil
	}
	return &query.Scanned{Next: part}, nil
}

func scan(t *testing.T, store *partStore, each func(*query.Scanned) error) error {
	t.Helper()
	s := requests.NewService(requests.Options{Store: store, Sequence: &counter{}})
	defer func() { check.OK(t, s.Drain(context.Background())) }()
	return s.Scan(t.Context(), 1, query.Input{}, query.Range{Last: 100}, each)
}

// TestScanReadsAhead expects the next part to be read while one is written.
func TestScanReadsAhead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := make(chan int64, 10)
		store := &partStore{parts: 3, read: func(_ context.Context, part int64) error { asked <- part; return nil }}
		var got []int64
		err := scan(t, store, func(part *query.Scanned) error {
			got = append(got, part.Next)
			if part.Next == 1 {
				check.Equal(t, "part", <-asked, int64(1))
				check.Equal(t, "part ahead", <-asked, int64(2))
			}
			return nil
		})
		check.OK(t, err)
		check.Equal(t, "parts", got, []int64{1, 2, 0})
	})
}

// TestScanEndsWithItsReader expects nothing to be read after the end, however it came.
func TestScanEndsWithItsReader(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	away := errors.New("the store is away")
	t.Run("a writer that fails", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			ended := false
			store := &partStore{parts: 3, read: func(ctx context.Context, part int64) error {
				if part > 1 {
					<-ctx.Done()
					ended = true
				}
				return ctx.Err()
			}}
			err := scan(t, store, func(*query.Scanned) error {
				synctest.Wait() // until the next part is being read
				return full
			})
			check.Equal(t, "error", errors.Is(err, full), true)
			check.Equal(t, "the part ahead has ended", ended, true)
		})
	})
	t.Run("a store that fails", func(t *testing.T) {
		t.Parallel()
		store := &partStore{parts: 3, read: func(_ context.Context, part int64) error {
			if part == 2 {
				return away
			}
			return nil
		}}
		parts := 0
		err := scan(t, store, func(*query.Scanned) error { parts++; return nil })
		check.Equal(t, "error", errors.Is(err, away), true)
		check.Equal(t, "parts", parts, 1)
	})
	t.Run("a store that panics", func(t *testing.T) {
		t.Parallel()
		store := &partStore{parts: 3, read: func(context.Context, int64) error { panic("oh") }}
		check.Equal(t, "error", scan(t, store, func(*query.Scanned) error { return nil }) != nil, true)
	})
}
