package clickhouse

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Aggregate implements reqlog.Store.
func (s *Store) Aggregate(ctx context.Context, aggregate reqlog.AggregateQuery) ([]reqlog.AggregateRow, error) {
	sel, err := s.selection(ctx, aggregate.Query)
	if err != nil {
		return nil, err
	}
	var found []reqlog.AggregateRow
	err = s.scan(ctx, aggregateQuery(sel, aggregate), func(scan logsql.Scan) error {
		row, err := logsql.ScanAggregate(scan, aggregate)
		found = append(found, row)
		return err
	})
	if err != nil {
		return nil, s.explain(fmt.Errorf("aggregate logs: %w", err))
	}
	return found, nil
}

// scan runs a query and calls read for each row.
func (s *Store) scan(ctx context.Context, q *query, read func(logsql.Scan) error) error {
	return s.read(ctx, q, func(rows *rowReader) error { return read(rows.scan) })
}

func aggregateQuery(sel *selection, aggregate reqlog.AggregateQuery) *query {
	return queryOf(func(q *query) string {
		if aggregate.Level != reqlog.LevelRequest {
			return sel.views(q).Aggregate(aggregate)
		}
		return q.writer().AggregateLogs(aggregate, selected{sel, q})
	})
}
