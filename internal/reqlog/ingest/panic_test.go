package ingest_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/ingest"
)

// panicking panics when ids are reserved.
type panicking struct{}

func (panicking) ReserveIDs(context.Context, string, int64) (int64, error) { panic("no ids") }

// panickingQueue panics when the queue is looked at.
type panickingQueue struct {
	faultStore
	left int
}

func (s *panickingQueue) Backlog() float64 {
	if s.left--; s.left >= 0 {
		panic("no backlog")
	}
	return 0
}

func wantPanic(t *testing.T, what string, err error) {
	t.Helper()
	if _, ok := errors.AsType[*guard.Error](err); !ok {
		t.Errorf("%s: error = %v, want a panic", what, err)
	}
}

// TestIngestSurvivesPanics checks that callers of a store that panics get an
// error, and that others are served.
func TestIngestSurvivesPanics(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &faultStore{gate: make(chan struct{}), refuse: func(logs []*reqlog.Log) error {
			if slices.ContainsFunc(logs, func(l *reqlog.Log) bool { return l.Engine == "bad" }) {
				panic("a bug")
			}
			return nil
		}}
		g := newIngester(t, store, ingest.Options{})
		first := appendLater(t.Context(), g, logsOf("first")...)
		bad := appendLater(t.Context(), g, logsOf("bad")...)
		good := appendLater(t.Context(), g, logsOf("good")...)
		close(store.gate)
		wantPanic(t, "a log that makes the store panic", <-bad)
		if err := errors.Join(<-first, <-good, g.Append(t.Context(), logsOf("later")...)); err != nil {
			t.Error(err)
		}
		if stats := g.Stats(); stats.Committed != 3 || stats.Failed != 1 || stats.Queued != 0 {
			t.Errorf("stats = %+v, want 3 committed and 1 failed", stats)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		g := ingest.New(&faultStore{}, panicking{}, time.Now, ingest.Options{})
		defer drained(t, g)
		wantPanic(t, "without ids", g.Append(t.Context(), logsOf("a")...))
	})
	synctest.Test(t, func(t *testing.T) {
		g := ingest.New(&panickingQueue{left: 3}, &faultSequence{}, time.Now, ingest.Options{})
		defer drained(t, g)
		if err := g.Append(t.Context(), logsOf("a")...); err != nil {
			t.Errorf("after panics of the loop: %v", err)
		}
	})
}
