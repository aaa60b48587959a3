package table

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Analyze computes the analytics of the selection.
func (t *Table) Analyze(ctx context.Context, sel *Selection, analyze reqlog.AnalyzeQuery) (*reqlog.Analytics, error) {
	a := logsql.NewAnalysis(analyze)
	err := t.read(ctx, func(db *sql.DB) error {
		return a.Run(func(p logsql.Pass) error { return sel.passQuery(p).scan(ctx, db, p.Row) }, logsql.OneByOne)
	})
	if err != nil {
		return nil, fmt.Errorf("analyze logs: %w", err)
	}
	return a.Result, nil
}

func (s *Selection) passQuery(p logsql.Pass) *query {
	return queryOf(func(q *query) string { return p.SQL(q.writer(), selected{s, q}) })
}
