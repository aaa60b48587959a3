package alert

import (
	"context"
	"math"
	"time"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Logs computes measures of request logs.
type Logs interface {
	// Measure returns rows of the logs that the input selects and that started from
	// a time until another, which is excluded.
	Measure(ctx context.Context, workspace int64, in query.Input, from, until time.Time, by []chart.Dimension, measures ...chart.Measure) ([]chart.AggregateRow, error)
}

// span returns the window of a content at a time, or the n-th before it. The window
// of a budget is its whole period.
func (c *Content) span(now time.Time, before int) (from, until time.Time) {
	now = now.UTC()
	switch c.Period {
	case Day:
		from = time.Date(now.Year(), now.Month(), now.Day()-before, 0, 0, 0, 0, time.UTC)
		return from, from.AddDate(0, 0, 1)
	case Month:
		from = time.Date(now.Year(), now.Month()-time.Month(before), 1, 0, 0, 0, 0, time.UTC)
		return from, from.AddDate(0, 1, 0)
	}
	until = now.Add(-time.Duration(before) * c.Window)
	return until.Add(-c.Window), until
}

var (
	counted = chart.Measure{Metric: chart.MetricCount}
	latency = chart.Measure{Metric: chart.MetricPercentile, Field: query.FieldLatency}
)

// measure returns how logs compute the value. The error rate has its own query.
func (c *Content) measure() chart.Measure {
	percentile := func(p float64) chart.Measure {
		m := latency
		m.Percentile = p
		return m
	}
	switch c.Measure {
	case Cost:
		return chart.Measure{Metric: chart.MetricSum, Field: query.FieldCost}
	case Tokens:
		return chart.Measure{Metric: chart.MetricSum, Field: query.FieldTotalTokens}
	case LatencyMean:
		return chart.Measure{Metric: chart.MetricAvg, Field: query.FieldLatency}
	case LatencyP50:
		return percentile(50)
	case LatencyP90:
		return percentile(90)
	case LatencyP95:
		return percentile(95)
	case LatencyP99:
		return percentile(99)
	case ScoreMean:
		return chart.Measure{Metric: chart.MetricAvg, Field: query.FieldScores, Key: c.ScoreName}
	}
	return counted
}

// read computes the value in the window of a time, or the n-th before it.
func (s *Service) read(ctx context.Context, workspace int64, c *Content, now time.Time, before int) (Reading, error) {
	from, until := c.span(now, before)
	r := Reading{From: from, Until: until}
	q, err := query.Read(c.Query)
	if err != nil {
		return r, err
	}
	if c.Measure == ErrorRate {
		rows, err := s.options.Logs.Measure(ctx, workspace, q, from, until, []chart.Dimension{{Field: query.FieldStatus}}, counted)
		r.Value, r.Requests = errorRate(rows)
		return r, err
	}
	rows, err := s.options.Logs.Measure(ctx, workspace, q, from, until, nil, counted, c.measure())
	if err != nil || len(rows) == 0 {
		return r, err
	}
	if n := rows[0].Values[0]; n != nil {
		r.Requests = int64(*n)
	}
	r.Value = finite(rows[0].Values[1])
	if before == 0 {
		r.Forecast = c.forecast(&r, now)
	}
	return r, nil
}

// errorRate returns the share of requests with the status ERROR, nil without any, and
// the number of all.
func errorRate(rows []chart.AggregateRow) (*float64, int64) {
	var failed, all float64
	for _, row := range rows {
		n := row.Values[0]
		if n == nil {
			continue
		}
		all += *n
		if row.Keys[0] == reqlog.StatusError {
			failed += *n
		}
	}
	if all == 0 {
		return nil, 0
	}
	return new(failed / all), int64(all)
}

// finite returns a value that JSON can represent: a sum may be too large.
func finite(v *float64) *float64 {
	if v == nil || math.IsNaN(*v) {
		return nil
	}
	return new(max(-math.MaxFloat64, min(*v, math.MaxFloat64)))
}

// forecast returns what the value of a budget will be at the end of its period if
// costs go on as they did in the part of it that has passed. It is nil in the first
// twentieth of a period, when a single request would decide it.
func (c *Content) forecast(r *Reading, now time.Time) *float64 {
	passed, all := now.Sub(r.From), r.Until.Sub(r.From)
	if !c.IsBudget() || r.Value == nil || passed < all/20 {
		return nil
	}
	return finite(new(*r.Value * (float64(all) / float64(min(passed, all)))))
}
