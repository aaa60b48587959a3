package reqlog_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// slowStore blocks the searches of workspace 1 until it is released.
type slowStore struct {
	pageStore
	gate chan struct{}
}

func (s *slowStore) Search(_ context.Context, q reqlog.SearchQuery) (reqlog.Found, error) {
	if q.Workspace == 1 {
		<-s.gate
	}
	return reqlog.Found{}, nil
}

// TestSearchesOfOthersDoNotWait searches in one workspace while another has a
// hundred slow searches.
func TestSearchesOfOthersDoNotWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &slowStore{gate: make(chan struct{})}
		service := reqlog.NewService(reqlog.Options{Store: store, Sequence: &faultSequence{}})
		slow := make(chan error, 100)
		for range 100 {
			go func() {
				_, err := service.Search(t.Context(), 1, reqlog.SearchInput{Page: 1, PerPage: 1})
				slow <- err
			}()
		}
		synctest.Wait()
		if _, err := service.Search(t.Context(), 2, reqlog.SearchInput{Page: 1, PerPage: 1}); err != nil {
			t.Error(err) // if it had to wait, the test would deadlock
		}
		stats := service.Queries().Stats()
		if stats.Waiting == 0 || stats.Running+stats.Waiting != 100 {
			t.Errorf("got %+v, want 100 searches of which some wait", stats)
		}
		close(store.gate)
		for range 100 {
			if err := <-slow; err != nil {
				t.Error(err)
			}
		}
		if err := service.Drain(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
