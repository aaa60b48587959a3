package table

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Aggregate groups the logs of the selection, as chart.Analyser describes.
func (t *Table) Aggregate(ctx context.Context, sel *Selection, aggregate chart.AggregateQuery) ([]chart.AggregateRow, error) {
	var found []chart.AggregateRow
	err := t.read(ctx, func(db *sql.DB) error {
		return aggregateQuery(sel, aggregate).scan(ctx, db, func(scan logsql.Scan) error {
			row, err := logsql.ScanAggregate(scan, aggregate)
			found = append(found, row)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("aggregate logs: %w", err)
	}
	return found, nil
}

func aggregateQuery(sel *Selection, aggregate chart.AggregateQuery) *sqlQuery {
	return queryOf(func(q *sqlQuery) string {
		if aggregate.Level != query.LevelRequest {
			return sel.views(q).Aggregate(aggregate)
		}
		return q.writer().AggregateLogs(aggregate, selected{sel, q})
	})
}
