package table

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Aggregate groups the logs of the selection, as reqlog.Store describes.
func (t *Table) Aggregate(ctx context.Context, sel *Selection, aggregate reqlog.AggregateQuery) ([]reqlog.AggregateRow, error) {
	var found []reqlog.AggregateRow
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

func aggregateQuery(sel *Selection, aggregate reqlog.AggregateQuery) *query {
	return queryOf(func(q *query) string {
		if aggregate.Level != reqlog.LevelRequest {
			return sel.views(q).Aggregate(aggregate)
		}
		return q.writer().AggregateLogs(aggregate, selected{sel, q})
	})
}
