package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// ledger records the logs sent to a server and those it acknowledged, across
// restarts on one data folder.
type ledger struct {
	mu      sync.Mutex
	next    int64
	known   []*record // acknowledged, or found after a crash
	open    []*record // sent, without a response
	checked int       // number of checked logs in known
	highest int64     // highest ID of the checked logs
}

// record is a log that was sent.
type record struct {
	entry
	id int64
	// noted is the acknowledged state of the annotations. While an annotation
	// is being sent, the server has either noted or sending.
	noted   notes
	sending *notes
}

// notes is the state of the annotations of a log; 0 means not set.
type notes struct{ Step, Score, Group int64 }

// draw returns a new log that counts as sent.
func (l *ledger) draw(padding string) *record {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next++
	// Words of equal length with digits: none is a prefix or a misspelling of
	// another.
	r := &record{entry: entry{word: fmt.Sprintf("zq%07d", l.next), tokens: l.next, padding: padding}}
	l.open = append(l.open, r)
	return r
}

// acknowledge records that the server has acknowledged the log with an ID.
func (l *ledger) acknowledge(r *record, id int64) (total int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.adopt(r, id)
	return len(l.known)
}

// adopt moves a log to the known ones. The caller holds mu.
func (l *ledger) adopt(r *record, id int64) {
	r.id = id
	l.open = slices.DeleteFunc(l.open, func(o *record) bool { return o == r })
	l.known = append(l.known, r)
}

// drop removes a log that the server has refused.
func (l *ledger) drop(r *record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = slices.DeleteFunc(l.open, func(o *record) bool { return o == r })
}

// verify returns the first problem with the stored logs. It checks new ones in
// detail, and counts all.
func (l *ledger) verify(c *client) error {
	if err := l.settle(c); err != nil {
		return err
	}
	fresh := l.known[l.checked:]
	if err := forEach(fresh, func(r *record) error { return r.check(c) }); err != nil {
		return err
	}
	if err := l.checkIDs(fresh); err != nil {
		return err
	}
	l.checked = len(l.known)
	return l.checkTotals(c)
}

// settle finds out which of the unacknowledged logs were stored; each may be
// stored once.
func (l *ledger) settle(c *client) error {
	unanswered := slices.Clone(l.open)
	err := forEach(unanswered, func(r *record) error {
		found, err := c.searchWord(r.word)
		if err != nil || found.Total == 0 {
			return err
		}
		if found.Total > 1 || len(found.Items) != 1 {
			return fmt.Errorf("%s, whose call was interrupted, is stored %d times", r.word, found.Total)
		}
		l.acknowledge(r, found.Items[0].ID)
		return nil
	})
	l.open = nil
	return err
}

// checkIDs returns an error unless the IDs of the new logs are unique and
// higher than all checked before.
func (l *ledger) checkIDs(fresh []*record) error {
	ids := make([]int64, len(fresh))
	for i, r := range fresh {
		ids[i] = r.id
	}
	slices.Sort(ids)
	if distinct := len(slices.Compact(slices.Clone(ids))); distinct != len(ids) {
		return fmt.Errorf("%d logs share %d ids", len(ids), distinct)
	}
	if len(ids) == 0 {
		return nil
	}
	if ids[0] <= l.highest {
		return fmt.Errorf("id %d was given out after %d", ids[0], l.highest)
	}
	l.highest = ids[len(ids)-1]
	return nil
}

// checkTotals compares the totals of search and analytics. Each log has a
// different number of tokens, so a missing log cannot compensate for one that
// is counted twice.
func (l *ledger) checkTotals(c *client) error {
	want := totals{Requests: int64(len(l.known))}
	for _, r := range l.known {
		want.Tokens += r.tokens
	}
	a, err := c.call(http.MethodPost, analyticsPath, object{})
	if err != nil {
		return err
	}
	got, err := decode[totals](a)
	if err != nil || a.status != http.StatusOK || got != want {
		return fmt.Errorf("analytics: status %d, %s, want %+v", a.status, clip(a.body), want)
	}
	found, err := c.searchWord("")
	if err != nil {
		return err
	}
	if found.Total != want.Requests {
		return fmt.Errorf("search counts %d logs, want %d", found.Total, want.Requests)
	}
	return nil
}

// check returns an error unless the log is stored correctly.
func (r *record) check(c *client) error {
	if err := c.checkDetail(r.entry, r.id); err != nil {
		return err
	}
	found, err := c.find(r.entry, r.id)
	if err != nil {
		return err
	}
	got, err := notesOf(found)
	if err != nil {
		return err
	}
	if got != r.noted && (r.sending == nil || got != *r.sending) {
		return fmt.Errorf("log %d has the annotations %+v, want %+v (or %+v)", r.id, got, r.noted, r.sending)
	}
	r.noted, r.sending = got, nil
	return nil
}

func notesOf(i item) (notes, error) {
	n := notes{Group: i.GroupID}
	for _, s := range i.Scores {
		n.Score = s.Score
	}
	if step, ok := i.metadata()["step"]; ok {
		if err := json.Unmarshal([]byte(step), &n.Step); err != nil {
			return n, err
		}
	}
	return n, nil
}

// forEach calls work for each element, a few at a time.
func forEach[T any](all []T, work func(T) error) error {
	var group errgroup.Group
	group.SetLimit(8)
	for _, one := range all {
		group.Go(func() error { return work(one) })
	}
	return group.Wait()
}

// try logs the record and reports whether it was stored. A record that was
// refused with a valid response is dropped.
func (l *ledger) try(c *client, r *record) (stored bool, err error) {
	a, err := c.call(http.MethodPost, "/log-request", r.body())
	if err != nil {
		return false, err
	}
	if a.status != http.StatusCreated {
		l.drop(r)
		return false, checkBusy(a)
	}
	answer, err := decode[created](a)
	if err == nil {
		l.acknowledge(r, answer.ID)
	}
	return true, err
}
