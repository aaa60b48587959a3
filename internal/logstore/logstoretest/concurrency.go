package logstoretest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/ingest"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// together runs n calls at once and returns what went wrong.
func together(n int, call func(i int) error) error {
	errs := make([]error, n)
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			errs[i] = call(i)
		})
	}
	close(start)
	all.Wait()
	return errors.Join(errs...)
}

func testConcurrentAnnotations(s *suite) {
	const crowd = 32
	s.append(plain(1, "refund"), plain(2, "another"))
	ingester := ingest.New(s.Store, noSequence{}, time.Now, ingest.Options{})
	annotate := func(change reqlog.Annotation) error {
		return ingester.Annotate(s.ctx, reqlog.Change{Workspace: Home, ID: 1, Annotation: change})
	}
	s.ok(together(crowd, func(i int) error {
		change := members(fmt.Sprintf("key %d", i), fmt.Sprint(i), "shared", fmt.Sprint(i))
		if err := annotate(change); err != nil {
			return err
		}
		if err := annotate(score(fmt.Sprintf("score %d", i), int64(i))); err != nil {
			return err
		}
		own := query.Cond{Field: query.FieldMetadata, Op: query.OpKeyEquals, Key: fmt.Sprintf("key %d", i), Texts: []string{fmt.Sprint(i)}}
		found, err := s.Store.Search(s.ctx, query.SearchQuery{Query: home(own, ""), Page: 1, PerPage: 10})
		if err == nil && (found.Total != 1 || found.Items[0].ID != 1) {
			err = fmt.Errorf("annotation %d is not seen by its writer", i)
		}
		return err
	}))
	s.ok(ingester.Drain(s.ctx))
	s.crowdSeen(crowd)
	s.Store = s.Reopen()
	s.crowdSeen(crowd)
}

// noSequence is for an ingester that stores annotations only.
type noSequence struct{}

func (noSequence) ReserveIDs(context.Context, string, int64) (int64, error) {
	return 0, errors.New("annotations need no ids")
}

// crowdSeen checks that every annotation counts.
func (s *suite) crowdSeen(crowd int) {
	s.t.Helper()
	l, err := s.Store.Get(s.ctx, Home, 1)
	s.ok(err)
	if len(l.Metadata) != crowd+1 || len(l.Scores) != crowd {
		s.t.Errorf("%d keys and %d scores, want %d and %d", len(l.Metadata), len(l.Scores), crowd+1, crowd)
	}
	for i := range crowd {
		if !slices.Contains(l.Scores, reqlog.Score{Name: fmt.Sprintf("score %d", i), Value: int64(i)}) {
			s.t.Errorf("score %d is lost", i)
		}
	}
	keys, err := s.Store.Suggest(s.ctx, query.SuggestQuery{Query: home(nil, ""), Field: query.FieldMetadataKeys, Limit: 100})
	s.ok(err)
	if len(keys) != crowd+1 {
		s.t.Errorf("%d keys are suggested, want %d", len(keys), crowd+1)
	}
}

// writer hands out ids and appends, one call at a time.
type writer struct {
	mu    sync.Mutex
	store requests.Store
	id    int64
}

func (w *writer) append(ctx context.Context, text string, tags ...string) (int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.id++
	l := plain(w.id, text)
	l.Tags = tags
	return l.ID, w.store.Write(ctx, reqlog.Batch{Logs: []*reqlog.Log{l}})
}

// testReadYourWrites has writers who look for their log as soon as it is
// written: by its tag, by its text, by its absence elsewhere.
func testReadYourWrites(s *suite) {
	w := &writer{store: s.Store}
	s.ok(together(16, func(i int) error {
		for round := range 5 {
			word := fmt.Sprintf("writer%dround%d", i, round)
			id, err := w.append(s.ctx, "text of "+word, word)
			if err != nil {
				return err
			}
			tag := query.Cond{Field: query.FieldTags, Op: query.OpContains, Texts: []string{word}}
			part := query.Cond{Field: query.FieldInputText, Op: query.OpEndsWith, Texts: []string{word}}
			q := []query.Query{home(tag, ""), home(nil, word), home(part, "")}[round%3]
			found, err := s.Store.Search(s.ctx, query.SearchQuery{Query: q, Page: 1, PerPage: 10})
			if err != nil {
				return err
			}
			if found.Total != 1 || len(found.Items) != 1 || found.Items[0].ID != id {
				return fmt.Errorf("log %d is not seen by its writer: %d found", id, found.Total)
			}
			if _, err := s.Store.Get(s.ctx, Home, id); err != nil {
				return err
			}
		}
		return nil
	}))
}

// testConsistentAnswers asks while logs come in: an answer need not have the
// newest, but what it has must be right and fit together. It takes 350 logs, or
// fewer if they come in so slowly that 100 answers are enough.
func testConsistentAnswers(s *suite) {
	w := &writer{store: s.Store}
	var answers atomic.Int64
	stop := make(chan struct{})
	s.ok(together(5, func(i int) error {
		if i > 0 {
			return s.watch(stop, &answers)
		}
		defer close(stop)
		for written := 0; written < 350 && (written < 50 || answers.Load() < 100); written++ {
			if _, err := w.append(s.ctx, "a zebra", "zebra"); err != nil {
				return err
			}
		}
		return nil
	}))
}

// watch asks until it is stopped for logs that all contain a word.
func (s *suite) watch(stop <-chan struct{}, answers *atomic.Int64) error {
	zebra := []string{"zebra"}
	without := home(query.Cond{Field: query.FieldInputText, Op: query.OpNotContains, Texts: zebra}, "")
	with := home(query.Cond{Field: query.FieldTags, Op: query.OpContains, Texts: zebra}, "")
	for last := int64(0); ; {
		select {
		case <-stop:
			return nil
		default:
		}
		found, err := s.Store.Search(s.ctx, query.SearchQuery{Query: without, Page: 1, PerPage: 1})
		if err != nil {
			return err
		}
		if found.Total > 0 {
			return fmt.Errorf("%d logs are said not to contain what all contain", found.Total)
		}
		if found, err = s.Store.Search(s.ctx, query.SearchQuery{Query: with, Page: 1, PerPage: 10_000}); err != nil {
			return err
		}
		if found.Total < last || int64(len(found.Items)) != found.Total {
			return fmt.Errorf("%d items of %d, after %d before", len(found.Items), found.Total, last)
		}
		last = found.Total
		answers.Add(1)
	}
}
