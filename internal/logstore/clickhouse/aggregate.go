package clickhouse

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Aggregate implements chart.Analyser.
func (s *Store) Aggregate(ctx context.Context, aggregate chart.AggregateQuery) ([]chart.AggregateRow, error) {
	sel, err := s.selection(ctx, aggregate.Query)
	if err != nil {
		return nil, err
	}
	var found []chart.AggregateRow
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
func (s *Store) scan(ctx context.Context, q *sqlQuery, read func(logsql.Scan) error) error {
	return s.read(ctx, q, func(rows *rowReader) error { return read(rows.scan) })
}

func aggregateQuery(sel *selection, aggregate chart.AggregateQuery) *sqlQuery {
	return queryOf(func(q *sqlQuery) string {
		if aggregate.Level != query.LevelRequest {
			return sel.views(q).Aggregate(aggregate)
		}
		return q.writer().AggregateLogs(aggregate, selected{sel, q})
	})
}
