package clickhouse

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Suggest implements chart.Analyser.
func (s *Store) Suggest(ctx context.Context, suggest query.SuggestQuery) ([]string, error) {
	sel, err := s.selection(ctx, suggest.Query)
	if err != nil {
		return nil, err
	}
	values := []string{}
	if err = s.narrow(ctx, sel, suggest.Field); err == nil {
		err = s.read(ctx, suggestQuery(sel, suggest), func(rows *rowReader) error {
			var value string
			err := rows.scan(&value)
			values = append(values, value)
			return err
		})
	}
	if err != nil {
		return nil, s.explain(fmt.Errorf("suggest values: %w", err))
	}
	return values, nil
}

// narrow restricts the selection to the newest logs, if there are enough.
func (s *Store) narrow(ctx context.Context, sel *selection, field query.Field) error {
	last := s.lastID.Load()
	if last <= logsql.SuggestWindow || !logsql.IsList(field) {
		return nil
	}
	sel.after = last - logsql.SuggestWindow
	newest, err := s.count(ctx, sel)
	if newest < logsql.EnoughLogs {
		sel.after = 0
	}
	return err
}

func suggestQuery(sel *selection, suggest query.SuggestQuery) *sqlQuery {
	return queryOf(func(q *sqlQuery) string { return q.writer().Suggest(suggest, selected{sel, q}) })
}
