package requests

import (
	"context"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Count returns the number of matching logs.
func (s *Service) Count(ctx context.Context, workspace int64, in query.Input) (int64, error) {
	q, err := s.query(ctx, workspace, in)
	if err != nil {
		return 0, err
	}
	rows, err := s.store.Aggregate(ctx, chart.AggregateQuery{Query: q, Measures: []chart.Measure{{Metric: chart.MetricCount}}})
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	return whole(rows[0].Values[0]), nil
}

// Usages returns what the prices of matching logs depend on, in the order of
// their ids: those with ids greater than after, up to last, at most limit.
func (s *Service) Usages(ctx context.Context, workspace int64, in query.Input, after, last int64, limit int) ([]query.LogUsage, error) {
	q, err := s.query(ctx, workspace, in)
	if err != nil {
		return nil, err
	}
	return s.store.Usages(ctx, query.UsageQuery{Query: q, After: after, Last: last, Limit: limit})
}

// LastID returns the highest id of a log, 0 without logs.
func (s *Service) LastID() int64 { return s.store.LastID() }

// Reprice changes prices of logs. When it returns nil, the change is durable. The
// fault is Unavailable if there is too much to store already.
func (s *Service) Reprice(ctx context.Context, change reqlog.PriceChange) error {
	return s.ingest.Reprice(ctx, change)
}
