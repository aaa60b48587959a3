package repricing_test

import (
	"fmt"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/repricing"
)

// crowd writes logs without a price, in several parts.
func crowd(w *world) (ids []int64) {
	for range 10 {
		ids = append(ids, w.log(w.home, "a", nil))
	}
	w.price(w.home, "a", noon.Add(-day), 2)
	return ids
}

// repriced counts the logs whose price is from a re-pricing.
func (w *world) repriced(ids []int64, id int64) (count int) {
	for _, price := range w.pricesOf(w.home, ids) {
		if price == by(id, 2) {
			count++
		}
	}
	return count
}

// TestLostProcess loses the process before and after each write. The next process
// completes the work, and every log is counted once.
func TestLostProcess(t *testing.T) {
	t.Parallel()
	const missing = `{"filter_group":{"filters":[{"field":"cost","operator":"is_null"}]}}`
	for _, query := range []string{everything, missing} {
		for _, failAt := range []int{1, 3} {
			for _, after := range []bool{false, true} {
				t.Run(fmt.Sprint(query, failAt, after), func(t *testing.T) {
					t.Parallel()
					w := newWorld(t, catalogtest.SQLite(t))
					ids := crowd(w)
					w.begin(&shaky{failAt: failAt, after: after})
					id := w.start(repricing.Input{Query: query}).ID
					w.lose(failAt)
					r := check.Must(w.service.Get(w.ctx, w.home, id))(t)
					check.Equal(t, "state in between", r.State, repricing.Running)
					w.begin(&shaky{})
					r = w.ended(id)
					check.Equal(t, "state", r.State, repricing.Done)
					check.Equal(t, "counts", r.Tally, repricing.Tally{Logs: 10, Changed: 10, NewUSD: 20})
					check.Equal(t, "logs", w.repriced(ids, id), 10)
				})
			}
		}
	}
}

// lose waits for the write that fails and ends the process.
func (w *world) lose(failAt int) {
	w.t.Helper()
	check.Eventually(w.t, "the loss of the process", func() bool {
		w.shaky.mu.Lock()
		defer w.shaky.mu.Unlock()
		return w.shaky.writes >= failAt
	})
	w.stop()
}

// TestLostRevert loses the process while it reverts. The next one completes it.
func TestLostRevert(t *testing.T) {
	t.Parallel()
	for _, failAt := range []int{2} {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprint(failAt, after), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, catalogtest.SQLite(t))
				ids := crowd(w)
				w.begin(&shaky{})
				id := w.start(repricing.Input{Query: everything}).ID
				w.ended(id)
				w.stop()
				w.begin(&shaky{failAt: failAt, after: after})
				check.Must(w.service.Revert(w.ctx, w.home, id))(t)
				w.lose(failAt)
				check.Equal(t, "state in between", check.Must(w.service.Get(w.ctx, w.home, id))(t).State, repricing.Reverting)
				w.begin(&shaky{})
				check.Equal(t, "state", w.ended(id).State, repricing.Reverted)
				check.Equal(t, "logs", w.repriced(ids, id), 0)
			})
		}
	}
}

// TestCancel ends a re-pricing after its second part. What it has counted is
// changed, and can be reverted.
func TestCancel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	ids := crowd(w)
	at, goOn := make(chan struct{}), make(chan struct{})
	w.begin(&shaky{reached: func(write int) {
		if write == 2 {
			close(at)
			<-goOn
		}
	}})
	id := w.start(repricing.Input{Query: everything}).ID
	<-at
	check.Fault(t, check.Failure(w.service.Start(w.ctx, w.home, repricing.Input{Query: everything}, nil)), fault.Conflict)
	check.Fault(t, check.Failure(w.service.Revert(w.ctx, w.home, id)), fault.Conflict)
	check.Must(w.service.Cancel(w.ctx, w.home, id))(t)
	close(goOn)
	r := w.ended(id)
	check.Equal(t, "state", r.State, repricing.Cancelled)
	check.Equal(t, "counts", r.Tally, repricing.Tally{Logs: 6, Changed: 6, NewUSD: 12})
	check.Equal(t, "logs", w.repriced(ids, id), 6)
	check.Must(w.service.Revert(w.ctx, w.home, id))(t)
	w.ended(id)
	check.Equal(t, "logs", w.repriced(ids, id), 0)
}
