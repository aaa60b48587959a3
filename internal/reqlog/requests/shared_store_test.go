package requests_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// slowStore blocks the searches of workspace 1 until it is released.
type slowStore struct {
	pageStore
	gate chan struct{}
}

func (s *slowStore) Search(_ context.Context, q query.SearchQuery) (query.Found, error) {
	if q.Workspace == 1 {
		<-s.gate
	}
	return query.Found{}, nil
}

// TestSearchesOfOthersDoNotWait searches in one workspace while another has a
// hundred slow searches.
func TestSearchesOfOthersDoNotWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &slowStore{gate: make(chan struct{})}
		service := requests.NewService(requests.Options{Store: store, Sequence: &counter{}})
		slow := make(chan error, 100)
		for range 100 {
			go func() {
				_, err := service.Search(t.Context(), 1, requests.SearchInput{Page: 1, PerPage: 1})
				slow <- err
			}()
		}
		synctest.Wait()
		if _, err := service.Search(t.Context(), 2, requests.SearchInput{Page: 1, PerPage: 1}); err != nil {
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

// endlessStore searches until the context ends.
type endlessStore struct{ pageStore }

func (*endlessStore) Search(ctx context.Context, _ query.SearchQuery) (query.Found, error) {
	<-ctx.Done()
	return query.Found{}, ctx.Err()
}

// TestManyTextConditionsAreLimited expects a search with many text conditions to end
// after a few seconds, and others when their caller goes away.
func TestManyTextConditionsAreLimited(t *testing.T) {
	t.Parallel()
	for count, want := range map[int]time.Duration{10: time.Minute, 11: 4 * time.Second, 500: 4 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			service := requests.NewService(requests.Options{Store: &endlessStore{}, Sequence: &counter{}})
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			begun := time.Now()
			text := query.Cond{Field: query.FieldInputText, Op: query.OpContains, Texts: []string{"no text has this"}}
			filter := query.Group{Nodes: slices.Repeat([]query.Node{text}, count)}
			_, err := service.Search(ctx, 1, requests.SearchInput{Page: 1, PerPage: 1, Input: query.Input{Filter: filter}})
			check.Equal(t, fmt.Sprint("time of ", count), time.Since(begun), want)
			check.Equal(t, fmt.Sprint("refused with ", count), fault.Is(err, fault.Unavailable), count > 10)
			check.OK(t, service.Drain(t.Context()))
		})
	}
}
