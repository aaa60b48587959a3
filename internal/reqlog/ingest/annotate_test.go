package ingest_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/ingest"
)

// TestIngesterGroupsAnnotations submits logs and annotations while a batch is
// being written: they share the next one.
func TestIngesterGroupsAnnotations(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &annotatedStore{faultStore: faultStore{gate: make(chan struct{})}}
		g := ingest.New(store, &faultSequence{}, time.Now, ingest.Options{})
		results := make(chan error)
		submit := func(call func() error) {
			go func() { results <- call() }()
			synctest.Wait()
		}
		submit(func() error { return g.Append(t.Context(), logsOf("first")...) })
		submit(func() error { return g.Annotate(t.Context(), reqlog.Change{Workspace: 1, ID: 7}) })
		submit(func() error { return g.Append(t.Context(), logsOf("second")...) })
		submit(func() error { return g.Annotate(t.Context(), reqlog.Change{Workspace: 1, ID: 8}) })
		for range 2 {
			store.gate <- struct{}{}
		}
		for range 4 {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
		if got := fmt.Sprint(store.changes); got != "[[] [7 8]]" {
			t.Errorf("annotated logs by batch: %s, want [[] [7 8]]", got)
		}
		wantKind(t, "unknown log", g.Annotate(t.Context(), reqlog.Change{Workspace: 1, ID: 99}), fault.NotFound)
		if err := g.Drain(t.Context()); err != nil {
			t.Error(err)
		}
		wantBusy(t, "after the drain", g.Annotate(t.Context(), reqlog.Change{Workspace: 1, ID: 7}))
	})
}

// annotatedStore records which logs each batch annotates. The log 99 does not
// exist.
type annotatedStore struct {
	faultStore
	changes [][]int64
}

func (s *annotatedStore) Exists(_ context.Context, _, id int64) error {
	if id == 99 {
		return fault.NotFoundf("Request not found")
	}
	return nil
}

func (s *annotatedStore) Write(ctx context.Context, batch reqlog.Batch) error {
	ids := []int64{}
	for _, c := range batch.Changes {
		ids = append(ids, c.ID)
	}
	s.changes = append(s.changes, ids)
	return s.faultStore.Write(ctx, batch)
}
