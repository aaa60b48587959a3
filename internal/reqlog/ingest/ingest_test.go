package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/ingest"
)

func newIngester(t *testing.T, store *faultStore, options ingest.Options) *ingest.Ingester {
	t.Helper()
	g := ingest.New(store, &faultSequence{}, time.Now, options)
	t.Cleanup(func() { drained(t, g) })
	return g
}

func drained(t *testing.T, g *ingest.Ingester) {
	t.Helper()
	if err := g.Drain(context.Background()); err != nil {
		t.Errorf("drain: %v", err)
	}
}

// logsOf returns one log per engine.
func logsOf(engines ...string) []*reqlog.Log {
	var logs []*reqlog.Log
	for _, engine := range engines {
		logs = append(logs, &reqlog.Log{Engine: engine})
	}
	return logs
}

// appendLater submits the logs without waiting; the result arrives later. The
// call is queued, or rejected, when appendLater returns.
func appendLater(ctx context.Context, g *ingest.Ingester, logs ...*reqlog.Log) <-chan error {
	result := make(chan error, 1)
	go func() { result <- g.Append(ctx, logs...) }()
	synctest.Wait()
	return result
}

func wantBusy(t *testing.T, what string, err error) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != fault.Unavailable || f.RetryAfter != time.Second {
		t.Errorf("%s: error = %#v, want Unavailable, to be retried after 1s", what, err)
	}
}

func TestIngestCommitsSingleCallImmediately(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &faultStore{}
		g := newIngester(t, store, ingest.Options{})
		start := time.Now()
		logs := logsOf("a", "b")
		if err := g.Append(t.Context(), logs...); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited != 0 {
			t.Errorf("a lone call waited %v", waited)
		}
		want := []*reqlog.Log{
			{ID: 1, CreatedAt: reqlog.At(start), Engine: "a"},
			{ID: 2, CreatedAt: reqlog.At(start), Engine: "b"},
		}
		if diff := cmp.Diff(want, logs); diff != "" {
			t.Errorf("the caller's logs (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(want, store.logs()); diff != "" {
			t.Errorf("stored (-want +got):\n%s", diff)
		}
		if store.logs()[0] == logs[0] {
			t.Error("the store owns a log that the caller still uses")
		}
	})
}

func TestIngestWithoutLogsDoesNothing(t *testing.T) {
	t.Parallel()
	store := &faultStore{}
	g := newIngester(t, store, ingest.Options{})
	if err := g.Append(t.Context()); err != nil {
		t.Fatal(err)
	}
	drained(t, g)
	if len(store.attempts) != 0 {
		t.Errorf("attempts = %d, want none", len(store.attempts))
	}
}

func TestIngestSharesCommits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		options ingest.Options
		calls   []int // logs per call; the first is being written as the others arrive
		want    []int
	}{
		{"all that wait go together", ingest.Options{}, []int{1, 1, 1, 1, 1}, []int{1, 4}},
		{"a batch is bounded by logs", ingest.Options{BatchLogs: 4}, []int{1, 1, 1, 1, 1, 1}, []int{1, 4, 1}},
		{"a batch is bounded by bytes", ingest.Options{BatchBytes: 2500}, []int{1, 1, 1, 1}, []int{1, 2, 1}},
		{"a call is not split to fill a batch", ingest.Options{BatchLogs: 4}, []int{1, 3, 3, 1}, []int{1, 3, 4}},
		{"a call above the bounds goes alone", ingest.Options{BatchLogs: 4, BatchBytes: 10}, []int{1, 9, 1}, []int{1, 9, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := &faultStore{gate: make(chan struct{})}
				g := newIngester(t, store, test.options)
				var results []<-chan error
				for _, n := range test.calls {
					results = append(results, appendLater(t.Context(), g, logsOf(make([]string, n)...)...))
				}
				close(store.gate)
				for i, result := range results {
					if err := <-result; err != nil {
						t.Errorf("call %d: %v", i, err)
					}
				}
				if diff := cmp.Diff(test.want, store.batchSizes()); diff != "" {
					t.Errorf("logs per commit (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// TestIngestIDs checks that concurrent callers get distinct ids, that each gets
// the id of its log, and that ids increase in commit order.
func TestIngestIDs(t *testing.T) {
	t.Parallel()
	const callers, calls = 64, 50
	store, sequence := &faultStore{}, &faultSequence{}
	g := ingest.New(store, sequence, time.Now, ingest.Options{BatchLogs: 20, IDBlock: 7})
	defer drained(t, g)
	returned := make([]map[string]int64, callers)
	var group sync.WaitGroup
	for c := range callers {
		returned[c] = map[string]int64{}
		group.Go(func() {
			for i := range calls {
				logs := logsOf(fmt.Sprintf("%d/%d/a", c, i), fmt.Sprintf("%d/%d/b", c, i))[:1+rand.IntN(2)]
				if err := g.Append(t.Context(), logs...); err != nil {
					t.Errorf("append: %v", err)
				}
				for _, l := range logs {
					returned[c][l.Engine] = l.ID
				}
			}
		})
	}
	group.Wait()
	want := map[string]int64{}
	for _, ids := range returned {
		for engine, id := range ids {
			want[engine] = id
		}
	}
	got, last := map[string]int64{}, int64(0)
	for _, l := range store.logs() {
		if l.ID <= last || !sequence.gave(l.ID) {
			t.Fatalf("id %d was stored after %d; reserved: %v", l.ID, last, sequence.gave(l.ID))
		}
		last, got[l.Engine] = l.ID, l.ID
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ids returned (-) and stored (+):\n%s", diff)
	}
	if stats := g.Stats(); stats.Committed != int64(len(want)) || stats.Queued != 0 || stats.QueuedBytes != 0 {
		t.Errorf("stats = %+v, want %d committed and none queued", stats, len(want))
	}
}

func TestIngestRejectsWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	small := ingest.EstimateSize(&reqlog.Log{})
	tests := []struct {
		name    string
		options ingest.Options
	}{
		{"logs", ingest.Options{MaxLogs: 3}},
		{"bytes", ingest.Options{MaxBytes: 25 * small / 7}}, // an eighth is reserved
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := &faultStore{gate: make(chan struct{})}
				g := newIngester(t, store, test.options)
				writing := appendLater(t.Context(), g, logsOf("")...)
				waiting := appendLater(t.Context(), g, logsOf("")...)
				wantBusy(t, "two more", g.Append(t.Context(), logsOf("", "")...))
				last := appendLater(t.Context(), g, logsOf("")...)
				wantBusy(t, "one more", g.Append(t.Context(), logsOf("")...))
				wantKind(t, "more than ever fits", g.Append(t.Context(), logsOf("", "", "", "")...), fault.TooLarge)
				wantStats(t, g, ingest.Stats{Queued: 3, QueuedBytes: 3 * small, Refused: 7})
				close(store.gate)
				for _, result := range []<-chan error{writing, waiting, last} {
					if err := <-result; err != nil {
						t.Errorf("accepted, then %v", err)
					}
				}
				if err := g.Append(t.Context(), logsOf("", "", "")...); err != nil {
					t.Errorf("append to the empty queue: %v", err)
				}
				wantStats(t, g, ingest.Stats{Committed: 6, Refused: 7, Batches: 3, LastBatch: 3})
			})
		})
	}
}

func wantStats(t *testing.T, g *ingest.Ingester, want ingest.Stats) {
	t.Helper()
	if diff := cmp.Diff(want, g.Stats()); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
}

func TestIngestIsolatesBadLog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bad := errors.New("cannot encode")
		store := &faultStore{gate: make(chan struct{}), refuse: func(logs []*reqlog.Log) error {
			if slices.ContainsFunc(logs, func(l *reqlog.Log) bool { return l.Engine == "bad" }) {
				return bad
			}
			return nil
		}}
		g := newIngester(t, store, ingest.Options{})
		engines := []string{"first", "a", "b", "bad", "c", "d", "e", "f"}
		var results []<-chan error
		for _, engine := range engines {
			results = append(results, appendLater(t.Context(), g, logsOf(engine)...))
		}
		mixed := appendLater(t.Context(), g, logsOf("with bad", "bad")...)
		close(store.gate)
		for i, engine := range engines {
			if err := <-results[i]; (err != nil) != (engine == "bad") || err != nil && !errors.Is(err, bad) {
				t.Errorf("%s: error = %v", engine, err)
			}
		}
		if err := <-mixed; !errors.Is(err, bad) {
			t.Errorf("a call with one bad log: error = %v, want %v", err, bad)
		}
		var got []string
		for _, l := range store.logs() {
			got = append(got, l.Engine)
		}
		if diff := cmp.Diff([]string{"first", "a", "b", "c", "d", "e", "f"}, got); diff != "" {
			t.Errorf("stored (-want +got):\n%s", diff)
		}
		wantRising(t, store)
		if stats := g.Stats(); stats.Committed != 7 || stats.Failed != 3 {
			t.Errorf("stats = %+v, want 7 committed and 3 failed", stats)
		}
	})
}

// wantRising checks that ids of each attempt are above earlier ones.
func wantRising(t *testing.T, store *faultStore) {
	t.Helper()
	last := int64(0)
	for _, l := range slices.Concat(store.attempts...) {
		if l.ID <= last {
			t.Errorf("id %d was tried after %d", l.ID, last)
		}
		last = l.ID
	}
}

func TestIngestDoesNotRetryUnavailableStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		full := true
		store := &faultStore{gate: make(chan struct{}), refuse: func([]*reqlog.Log) error {
			if full {
				return fault.New(fault.Unavailable, "disk full")
			}
			return nil
		}}
		g := newIngester(t, store, ingest.Options{})
		var results []<-chan error
		for range 4 {
			results = append(results, appendLater(t.Context(), g, logsOf("a")...))
		}
		close(store.gate)
		for _, result := range results {
			wantKind(t, "store unavailable", <-result, fault.Unavailable)
		}
		if len(store.attempts) != 2 {
			t.Errorf("attempts = %d, want one per batch, 2", len(store.attempts))
		}
		full = false
		if err := g.Append(t.Context(), logsOf("a")...); err != nil {
			t.Errorf("store available again: %v", err)
		}
	})
}

func TestIngestCallerMayCancel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &faultStore{gate: make(chan struct{})}
		g := newIngester(t, store, ingest.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		log := &reqlog.Log{Engine: "a"}
		result := appendLater(ctx, g, log)
		cancel()
		err := <-result
		wantKind(t, "given up", err, fault.Unavailable)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error = %v, want the cause kept", err)
		}
		wantKind(t, "given up before it began", g.Append(ctx, logsOf("b")...), fault.Unavailable)
		close(store.gate)
		drained(t, g)
		if got := store.logs(); len(got) != 1 || got[0].Engine != "a" {
			t.Errorf("stored %v, want the log whose caller gave up", got)
		}
		if log.ID != 0 {
			t.Error("the log of a caller that gave up was changed")
		}
	})
}

func TestIngestDrainAnswersAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &faultStore{gate: make(chan struct{})}
		g := newIngester(t, store, ingest.Options{BatchLogs: 2})
		var results []<-chan error
		for range 7 {
			results = append(results, appendLater(t.Context(), g, logsOf("a")...))
		}
		finished := make(chan error, 1)
		go func() { finished <- g.Drain(t.Context()) }()
		synctest.Wait()
		wantBusy(t, "append while draining", g.Append(t.Context(), logsOf("late")...))
		select {
		case <-finished:
			t.Fatal("drain returned before the queue was written")
		default:
		}
		close(store.gate)
		if err := <-finished; err != nil {
			t.Fatal(err)
		}
		for i, result := range results {
			if err := <-result; err != nil {
				t.Errorf("call %d: %v", i, err)
			}
		}
		if got := len(store.logs()); got != 7 {
			t.Errorf("stored %d logs, want 7", got)
		}
		wantBusy(t, "append after the drain", g.Append(t.Context(), logsOf("late")...))
	})
}

func TestIngestDrainTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &faultStore{gate: make(chan struct{})}
		g := newIngester(t, store, ingest.Options{})
		var results []<-chan error
		for range 3 {
			results = append(results, appendLater(t.Context(), g, logsOf("a")...))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := g.Drain(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("drain: %v, want the deadline", err)
		}
		for i, result := range results {
			wantBusy(t, fmt.Sprintf("call %d", i), <-result)
		}
		if got := store.logs(); len(got) != 0 {
			t.Errorf("stored %v", got)
		}
	})
}
