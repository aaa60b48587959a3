package ingest_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/ingest"
)

// TestClientsOfASlowStoreShareCommits has clients send one log after the other,
// each a little later than the one before. If commits are slow, all of them share
// each one but the first; if they are fast, none waits for the others.
func TestClientsOfASlowStoreShareCommits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		commit  time.Duration
		clients int
		want    []int
	}{
		{"slow", 20 * time.Millisecond, 4, []int{1, 4, 4, 4, 3}},
		{"slow, one client", 20 * time.Millisecond, 1, []int{1, 1, 1, 1}},
		{"fast", time.Microsecond, 2, []int{1, 1, 1, 1, 1, 1, 1, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := &faultStore{refuse: func([]*reqlog.Log) error { time.Sleep(test.commit); return nil }}
				g := newIngester(t, store, ingest.Options{})
				var clients sync.WaitGroup
				for i := range test.clients {
					clients.Go(func() {
						for range 4 {
							time.Sleep(time.Duration(i) * time.Millisecond)
							if err := g.Append(t.Context(), logsOf("a")...); err != nil {
								t.Error(err)
							}
						}
					})
				}
				clients.Wait()
				if diff := cmp.Diff(test.want, store.batchSizes()); diff != "" {
					t.Errorf("logs per commit (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// TestLeavingClientsDelayNobody lets all but one client stop: the others are
// waited for only briefly, and then no more.
func TestLeavingClientsDelayNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const commit = 20 * time.Millisecond
		store := &faultStore{refuse: func([]*reqlog.Log) error { time.Sleep(commit); return nil }}
		g := newIngester(t, store, ingest.Options{})
		results := []<-chan error{appendLater(t.Context(), g, logsOf("a")...), appendLater(t.Context(), g, logsOf("b")...), appendLater(t.Context(), g, logsOf("c")...)}
		for _, result := range results {
			if err := <-result; err != nil {
				t.Fatal(err)
			}
		}
		for _, want := range []time.Duration{commit + commit/4, commit} {
			start := time.Now()
			if err := g.Append(t.Context(), logsOf("d")...); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(start); took != want {
				t.Errorf("took %v, want %v", took, want)
			}
		}
	})
}
