package clickhouse

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
)

// Analyze implements chart.Analyser. Logs that arrive after the first pass are left
// out of the others, which run two at a time: much of a query is work that the
// server does on one core.
func (s *Store) Analyze(ctx context.Context, analyze chart.AnalyzeQuery) (*chart.Analytics, error) {
	sel, err := s.selection(ctx, analyze.Query)
	if err != nil {
		return nil, err
	}
	a := logsql.NewAnalysis(analyze)
	a.Last = &sel.upTo
	group, ctx := errgroup.WithContext(ctx)
	together := func(steps ...func() error) error {
		for _, step := range steps {
			group.Go(guard.Task("analytics", step))
		}
		return group.Wait()
	}
	if err := a.Run(func(p logsql.Pass) error { return s.scan(ctx, sel.passQuery(p), p.Row) }, together); err != nil {
		return nil, s.explain(fmt.Errorf("analyze logs: %w", err))
	}
	return a.Result, nil
}

func (s *selection) passQuery(p logsql.Pass) *sqlQuery {
	return queryOf(func(q *sqlQuery) string { return p.SQL(q.writer(), selected{s, q}) })
}
