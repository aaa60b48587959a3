package ingest_test

import (
	"testing"
	"testing/synctest"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/ingest"
)

// logsOfWorkspace returns n logs of a workspace.
func logsOfWorkspace(workspace int64, n int) []*reqlog.Log {
	logs := make([]*reqlog.Log, n)
	for i := range logs {
		logs[i] = &reqlog.Log{Workspace: workspace}
	}
	return logs
}

// TestIngestReservesRoomForOthers fills the queue with the logs of one
// workspace: logs of other workspaces are still accepted.
func TestIngestReservesRoomForOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &faultStore{gate: make(chan struct{})}
		g := newIngester(t, store, ingest.Options{MaxLogs: 80})
		var taken []<-chan error
		take := func(workspace int64, n int) {
			taken = append(taken, appendLater(t.Context(), g, logsOfWorkspace(workspace, n)...))
		}
		take(1, 35)
		take(1, 35)
		wantBusy(t, "more than seven eighths", g.Append(t.Context(), logsOfWorkspace(1, 1)...))
		take(2, 5)
		wantBusy(t, "more than an eighth of the queue, in the last eighth", g.Append(t.Context(), logsOfWorkspace(3, 11)...))
		take(3, 5)
		wantBusy(t, "full", g.Append(t.Context(), logsOfWorkspace(4, 1)...))
		close(store.gate)
		for _, result := range taken {
			if err := <-result; err != nil {
				t.Errorf("accepted, then %v", err)
			}
		}
	})
}

// TestIngestTakesTurns lets one workspace queue ten calls that fill a batch each
// before another sends one, which is written after the first waiting call.
func TestIngestTakesTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &faultStore{gate: make(chan struct{})}
		g := newIngester(t, store, ingest.Options{BatchLogs: 10})
		var many []<-chan error
		for range 10 {
			many = append(many, appendLater(t.Context(), g, logsOfWorkspace(1, 10)...))
		}
		few := appendLater(t.Context(), g, logsOfWorkspace(2, 1)...)
		for range 3 {
			store.gate <- struct{}{}
		}
		synctest.Wait()
		select {
		case err := <-few:
			if err != nil {
				t.Error(err)
			}
		default:
			t.Error("the other workspace's log was not in the third batch")
		}
		close(store.gate)
		for _, result := range many {
			if err := <-result; err != nil {
				t.Error(err)
			}
		}
	})
}

// TestSmallCallsPassLargeOnes lets the store fall behind: a large call waits
// until it has caught up, and a small one does not.
func TestSmallCallsPassLargeOnes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &faultStore{backlog: 1}
		g := newIngester(t, store, ingest.Options{})
		large := appendLater(t.Context(), g, logsOfWorkspace(1, 1000)...)
		if err := g.Append(t.Context(), logsOfWorkspace(2, 1)...); err != nil {
			t.Fatal(err)
		}
		select {
		case <-large:
			t.Error("the large call was stored although the store is behind")
		default:
		}
		store.setBacklog(0.9)
		if err := <-large; err != nil {
			t.Error(err)
		}
	})
}
