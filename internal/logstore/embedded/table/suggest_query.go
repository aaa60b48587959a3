package table

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Suggest returns values of a field in the selection, as chart.Analyser describes.
func (t *Table) Suggest(ctx context.Context, sel *Selection, suggest query.SuggestQuery) ([]string, error) {
	values := []string{}
	err := t.read(ctx, func(db *sql.DB) error {
		if err := sel.narrow(ctx, db, suggest.Field); err != nil {
			return err
		}
		return sel.suggestQuery(suggest).scan(ctx, db, func(scan logsql.Scan) error {
			var value string
			err := scan(&value)
			values = append(values, value)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("suggest values: %w", err)
	}
	return values, nil
}

// narrow restricts the selection to the newest logs, if there are enough.
func (s *Selection) narrow(ctx context.Context, db *sql.DB, field query.Field) error {
	if s.UpTo <= logsql.SuggestWindow || !logsql.IsList(field) {
		return nil
	}
	s.after = s.UpTo - logsql.SuggestWindow
	newest, err := s.count(ctx, db)
	if newest < logsql.EnoughLogs {
		s.after = 0
	}
	return err
}

func (s *Selection) suggestQuery(suggest query.SuggestQuery) *sqlQuery {
	return queryOf(func(q *sqlQuery) string { return q.writer().Suggest(suggest, selected{s, q}) })
}
