package e2e

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
)

// worker is one of many clients that write concurrently. It works until a call
// gets no response, because the server was killed, or until stop is closed.
type worker struct {
	*client
	ledger *ledger
	random *rand.Rand
	groups []int64
	stop   <-chan struct{}
	// acknowledged is called with the number of known logs after each response.
	acknowledged func(total int)

	own []*record // annotated only by this worker
}

// run returns the first problem, or nil if the server was only killed.
func (w *worker) run() error {
	for {
		select {
		case <-w.stop:
			return nil
		default:
		}
		err := w.step()
		if errors.Is(err, errNoAnswer) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// step makes one call.
func (w *worker) step() error {
	switch chance := w.random.IntN(10); {
	case chance < 5 || len(w.own) == 0:
		return w.logOne()
	case chance < 7:
		return w.logMany(2 + w.random.IntN(7))
	case chance < 8:
		return w.look(w.own[len(w.own)-1])
	default:
		return w.annotate(w.own[w.random.IntN(len(w.own))])
	}
}

// padding returns up to 8 KB, so that some batches fill several blocks.
func (w *worker) padding() string {
	return strings.Repeat("pad ", w.random.IntN(1+w.random.IntN(2000)))
}

func (w *worker) logOne() error {
	r := w.ledger.draw(w.padding())
	a, err := w.call(http.MethodPost, "/log-request", r.body())
	if err != nil {
		return err
	}
	if a.status != http.StatusCreated {
		return fmt.Errorf("log %s: status %d: %s", r.word, a.status, clip(a.body))
	}
	answer, err := decode[created](a)
	if err != nil {
		return err
	}
	return w.keep([]*record{r}, []int64{answer.ID})
}

func (w *worker) logMany(count int) error {
	var records []*record
	var bodies []object
	for range count {
		r := w.ledger.draw(w.padding())
		records, bodies = append(records, r), append(bodies, r.body())
	}
	a, err := w.call(http.MethodPost, "/log-requests", object{"requests": bodies})
	if err != nil {
		return err
	}
	answer, err := decode[struct{ Results []created }](a)
	if err != nil || a.status != http.StatusCreated || len(answer.Results) != count {
		return fmt.Errorf("batch of %d logs: status %d: %s", count, a.status, clip(a.body))
	}
	ids := make([]int64, count)
	for i, result := range answer.Results {
		ids[i] = result.ID
	}
	return w.keep(records, ids)
}

// keep records acknowledged logs. Later logs of a worker must get higher IDs.
func (w *worker) keep(records []*record, ids []int64) error {
	for i, r := range records {
		if n := len(w.own); n > 0 && ids[i] <= w.own[n-1].id {
			return fmt.Errorf("log %s got id %d after %d", r.word, ids[i], w.own[n-1].id)
		}
		w.own = append(w.own, r)
		w.acknowledged(w.ledger.acknowledge(r, ids[i]))
	}
	return nil
}

func (w *worker) annotate(r *record) error {
	path, body, changed := "", object{"request_id": r.id}, r.noted
	switch w.random.IntN(3) {
	case 0:
		changed.Step++
		path, body["metadata"] = "/rest/track-metadata", object{"step": changed.Step}
	case 1:
		changed.Score = 1 + w.random.Int64N(100)
		path, body["score"] = "/rest/track-score", changed.Score
	case 2:
		changed.Group = w.groups[w.random.IntN(len(w.groups))]
		path, body["group_id"] = "/rest/track-group", changed.Group
	}
	r.sending = &changed
	a, err := w.call(http.MethodPost, path, body)
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return fmt.Errorf("%s of log %d: status %d: %s", path, r.id, a.status, clip(a.body))
	}
	r.noted, r.sending = changed, nil
	return nil
}

// look returns an error unless a search finds an acknowledged log immediately.
func (w *worker) look(r *record) error {
	_, err := w.find(r.entry, r.id)
	return err
}
