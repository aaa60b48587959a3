package ingest_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/promptuary/promptuary/internal/reqlog/ingest"
)

func TestIngestFetchesIDsAhead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, sequence := &faultStore{}, &faultSequence{gate: make(chan struct{})}
		g := ingest.New(store, sequence, time.Now, ingest.Options{IDBlock: 10})
		defer drained(t, g)
		sequence.gate <- struct{}{}
		// The second block is requested when less than half of the first is left; it
		// is delayed, which has no effect until the first is used up.
		for i := range 10 {
			if err := g.Append(t.Context(), logsOf("a")...); err != nil {
				t.Fatalf("log %d: %v", i, err)
			}
		}
		synctest.Wait()
		select {
		case sequence.gate <- struct{}{}:
		default:
			t.Fatal("the second block was not asked for ahead")
		}
		if err := g.Append(t.Context(), logsOf("a", "b", "c")...); err != nil {
			t.Fatal(err)
		}
	})
}

func TestIngestTakesMoreIDsThanABlock(t *testing.T) {
	t.Parallel()
	store := &faultStore{}
	g := newIngester(t, store, ingest.Options{IDBlock: 4})
	for range 3 {
		if err := g.Append(t.Context(), logsOf(make([]string, 11)...)...); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(store.logs()); got != 33 {
		t.Errorf("stored %d logs, want 33", got)
	}
	wantRising(t, store)
}

func TestIngestWithoutIDsStoresNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		away := errors.New("the catalog is away")
		store, sequence := &faultStore{}, &faultSequence{fail: away}
		g := ingest.New(store, sequence, time.Now, ingest.Options{IDBlock: 10})
		defer drained(t, g)
		err := g.Append(t.Context(), logsOf("a")...)
		wantBusy(t, "without ids", err)
		if !errors.Is(err, away) {
			t.Errorf("error = %v, want its cause kept", err)
		}
		if len(store.attempts) != 0 {
			t.Error("a log was handed to the store without an id")
		}
		sequence.setFail(nil)
		if err := g.Append(t.Context(), logsOf("a")...); err != nil {
			t.Errorf("the catalog is back: %v", err)
		}
		// A failed prefetch has no effect while ids are left.
		sequence.setFail(away)
		if err := g.Append(t.Context(), logsOf(make([]string, 8)...)...); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		sequence.setFail(nil)
		if err := g.Append(t.Context(), logsOf(make([]string, 5)...)...); err != nil {
			t.Errorf("the catalog is back again: %v", err)
		}
		wantRising(t, store)
	})
}

// TestIngestDropsOldIDs expects that ids in the second half of their life are not used.
func TestIngestDropsOldIDs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, sequence := &faultStore{}, &faultSequence{}
		g := ingest.New(store, sequence, time.Now, ingest.Options{IDBlock: 10, IDLife: 10 * time.Minute})
		defer drained(t, g)
		append1 := func() {
			if err := g.Append(t.Context(), logsOf("a")...); err != nil {
				t.Fatal(err)
			}
		}
		append1()
		time.Sleep(4 * time.Minute)
		append1()
		time.Sleep(2 * time.Minute)
		append1()
		var ids []int64
		for _, l := range store.logs() {
			ids = append(ids, l.ID)
		}
		if want := []int64{1, 2, 111}; !slices.Equal(ids, want) {
			t.Errorf("ids = %v, want %v: the third is from a new block", ids, want)
		}
	})
}

// TestIngestGivesUpBeforeIDsAreTooOld lets the store hang: nothing is written after the
// life of its ids.
func TestIngestGivesUpBeforeIDsAreTooOld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, sequence := &faultStore{gate: make(chan struct{})}, &faultSequence{}
		g := ingest.New(store, sequence, time.Now, ingest.Options{IDBlock: 10, IDLife: 10 * time.Minute})
		defer drained(t, g)
		began := time.Now()
		wantBusy(t, "while the store hangs", g.Append(t.Context(), logsOf("a")...))
		if took := time.Since(began); took != 10*time.Minute {
			t.Errorf("gave up after %s", took)
		}
		close(store.gate)
		if err := g.Append(t.Context(), logsOf("b")...); err != nil {
			t.Errorf("the store is back: %v", err)
		}
		wantRising(t, store)
	})
}
