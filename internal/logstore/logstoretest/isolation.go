package logstoretest

import (
	"context"
	"errors"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// testIsolation asks in one workspace for exactly what another one has.
func testIsolation(s *suite) {
	var foreign []int64
	for _, l := range s.want.logs {
		if l.Workspace == Away {
			foreign = append(foreign, l.ID)
		}
	}
	for _, workspace := range []int64{Home, 0, -1, 3} {
		for _, id := range foreign[:10] {
			_, err := s.Store.Get(s.ctx, workspace, id)
			s.fails(err, fault.NotFound)
			s.fails(s.Store.Exists(s.ctx, workspace, id), fault.NotFound)
			for _, change := range changes(1) {
				s.ok(s.Store.Write(s.ctx, Annotating(workspace, id, change)))
			}
		}
		q := query.Query{Workspace: workspace, Filter: query.Cond{Field: query.FieldID, Op: query.OpIn, IDs: foreign}}
		s.nothing(q)
	}
	s.nothing(query.Query{Workspace: 3})
	s.nothing(query.Query{Workspace: 3, Text: "refund"})
	for _, id := range foreign[:10] { // annotations from elsewhere left no trace
		want, err := s.want.Get(s.ctx, Away, id)
		s.ok(err)
		got, err := s.Store.Get(s.ctx, Away, id)
		s.ok(err)
		s.equal("a foreign log", got.Notes, want.Notes, exact)
	}
}

// nothing checks that no answer to the query holds anything.
func (s *suite) nothing(q query.Query) {
	s.t.Helper()
	found, err := s.Store.Search(s.ctx, query.SearchQuery{Query: q, Page: 1, PerPage: 10})
	s.ok(err)
	s.equal("a search", found, query.Found{}, exact)
	analytics, err := s.Store.Analyze(s.ctx, chart.AnalyzeQuery{Query: q, Bucket: chart.BucketDay})
	s.ok(err)
	s.equal("analytics", analytics, &chart.Analytics{Bucket: chart.BucketDay}, exact)
	for _, field := range suggestible {
		values, err := s.Store.Suggest(s.ctx, query.SuggestQuery{Query: q, Field: field, Key: someKey(field), Limit: 10})
		s.ok(err)
		s.equal("suggestions", values, []string{}, exact)
	}
	rows, err := s.Store.Aggregate(s.ctx, chart.AggregateQuery{Query: q, By: []chart.Dimension{{Field: query.FieldEngine}}, Measures: []chart.Measure{count}})
	s.ok(err)
	s.equal("an aggregate", rows, []chart.AggregateRow{}, exact)
}

// patience is how long an abandoned question may take. It is far more than any
// of them needs, and far less than forever.
const patience = 10 * time.Second

// testCancelled checks that nobody waits for an answer that nobody wants.
func testCancelled(s *suite) {
	q := home(nil, "refund")
	for name, ask := range map[string]func(context.Context) error{
		"search": func(ctx context.Context) error {
			_, err := s.Store.Search(ctx, query.SearchQuery{Query: q, Page: 1, PerPage: 10})
			return err
		},
		"suggest": func(ctx context.Context) error {
			_, err := s.Store.Suggest(ctx, query.SuggestQuery{Query: q, Field: query.FieldTags, Limit: 10})
			return err
		},
		"analyze": func(ctx context.Context) error {
			_, err := s.Store.Analyze(ctx, chart.AnalyzeQuery{Query: q, Bucket: chart.BucketSecond})
			return err
		},
		"scan": func(ctx context.Context) error {
			_, err := s.Store.ScanLogs(ctx, query.ScanQuery{Query: q, Last: everything, Limit: 10_000})
			return err
		},
		"aggregate": func(ctx context.Context) error {
			_, err := s.Store.Aggregate(ctx, chart.AggregateQuery{Query: q, By: []chart.Dimension{{Field: query.FieldTags}}, Measures: []chart.Measure{slow}})
			return err
		},
	} {
		s.sub(name, func(s *suite) {
			cancelled, cancel := context.WithCancel(s.ctx)
			cancel()
			if err := ask(cancelled); !errors.Is(err, context.Canceled) {
				s.t.Errorf("a cancelled question fails with %v", err)
			}
			for pause := range 5 {
				s.abandon(ask, time.Duration(pause)*time.Millisecond)
			}
			s.ok(ask(s.ctx)) // nothing was broken by it
		})
	}
}

// abandon cancels a question while it runs. It may be answered all the same.
func (s *suite) abandon(ask func(context.Context) error, after time.Duration) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, after)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- ask(ctx) }()
	select {
	case err := <-done:
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			s.t.Errorf("an abandoned question fails with %v", err)
		}
	case <-time.After(patience):
		s.t.Error("an abandoned question is still being answered")
	}
}
