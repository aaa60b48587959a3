package clickhouse

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// ask runs queries over the views of traces.
func (s *Store) ask(ctx context.Context, sel *selection) logsql.Ask {
	return func(write func(*logsql.Views) string, row func(logsql.Scan) error) error {
		return s.scan(ctx, sel.traceQuery(write), row)
	}
}

func (s *selection) traceQuery(write func(*logsql.Views) string) *sqlQuery {
	return queryOf(func(q *sqlQuery) string { return write(s.views(q)) })
}

// SearchTraces implements query.Reader.
func (s *Store) SearchTraces(ctx context.Context, search query.SearchQuery) (found query.FoundTraces, err error) {
	sel, err := s.selection(ctx, search.Query)
	if err != nil {
		return found, err
	}
	if found, err = logsql.SearchTraces(s.ask(ctx, sel), search, logsql.PageFirst[int64]); err != nil {
		return found, s.explain(fmt.Errorf("search traces: %w", err))
	}
	return found, nil
}

// GroupTraces implements query.Reader. The groups are summed up for the page only.
func (s *Store) GroupTraces(ctx context.Context, wanted query.TraceGroupQuery) (found query.FoundTraceGroups, err error) {
	sel, err := s.selection(ctx, wanted.Query)
	if err != nil {
		return found, err
	}
	if found, err = readGroups(s.ask(ctx, sel), wanted); err != nil {
		return found, s.explain(fmt.Errorf("group traces: %w", err))
	}
	return found, nil
}

func readGroups(ask logsql.Ask, wanted query.TraceGroupQuery) (found query.FoundTraceGroups, err error) {
	count := func(v *logsql.Views) string { return v.CountGroups(wanted) }
	ids, total, err := logsql.PageFirst[string](ask, wanted.SearchQuery, groupPage(wanted), count)
	found.Total = total
	if err != nil || len(ids) == 0 {
		return found, err
	}
	found.Items, err = logsql.SumUpGroups(ask, wanted, ids)
	return found, err
}

func groupPage(wanted query.TraceGroupQuery) func(*logsql.Views) string {
	return func(v *logsql.Views) string {
		page := v.Groups(wanted)
		return page.With + "SELECT id FROM (" + page.Groups + ")" + page.Order + page.Limit
	}
}
