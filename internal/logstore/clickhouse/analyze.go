package clickhouse

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Analyze implements reqlog.Store. Logs that arrive after the first pass are left
// out of the others.
func (s *Store) Analyze(ctx context.Context, analyze reqlog.AnalyzeQuery) (*reqlog.Analytics, error) {
	sel, err := s.selection(ctx, analyze.Query)
	if err != nil {
		return nil, err
	}
	a := logsql.NewAnalysis(analyze)
	a.Last = &sel.upTo
	if err := a.Run(func(p logsql.Pass) error { return s.scan(ctx, sel.passQuery(p), p.Row) }); err != nil {
		return nil, s.explain(fmt.Errorf("analyze logs: %w", err))
	}
	return a.Result, nil
}

func (s *selection) passQuery(p logsql.Pass) *query {
	return queryOf(func(q *query) string { return p.SQL(q.writer(), selected{s, q}) })
}
