package chart

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/check"
)

// measuredStore answers each measure with a number of its own, so that a mixed up
// measure is noticed.
type measuredStore struct {
	mu    sync.Mutex
	asked []AggregateQuery
	fails func(AggregateQuery) error
}

func (s *measuredStore) aggregate(_ context.Context, q AggregateQuery) ([]AggregateRow, error) {
	s.mu.Lock()
	s.asked = append(s.asked, q)
	s.mu.Unlock()
	if s.fails != nil {
		if err := s.fails(q); err != nil {
			return nil, err
		}
	}
	row := AggregateRow{}
	for _, d := range q.By {
		key := "1767225600000000"
		if d.Bucket == nil {
			key = "group of " + string(d.Field)
		}
		row.Keys = append(row.Keys, key)
	}
	for _, m := range q.Measures {
		value := float64(len(fmt.Sprint(m)))
		row.Values = append(row.Values, &value)
	}
	return []AggregateRow{row}, nil
}

// dashboard are charts of which some can be computed together: totals, time
// series, and groups with the same first measure.
var dashboard = []string{
	`"chartType":"bar","metric":"count"`,
	`"chartType":"bar","metric":"sum","metricField":"cost"`,
	`"chartType":"line","metric":"count","timeSeries":true`,
	`"chartType":"line","metric":"percentile","percentile":95,"metricField":"latency_ms","timeSeries":true`,
	`"chartType":"line","metric":"avg","metricField":"cost","timeSeries":true,"timeBucket":"week"`,
	`"chartType":"bar","metric":"count","groupByField":"engine"`,
	`"chartType":"pie","metric":"count","groupByField":"engine"`,
	`"chartType":"bar","metric":"sum","metricField":"cost","groupByField":"engine"`,
	`"chartType":"bar","metric":"count","groupByField":"engine","limit":3`,
	`"chartType":"line","metric":"count","timeSeries":true,"groupByField":"engine"`,
	`"chartType":"heatmap","metric":"count","groupByField":"engine","secondaryGroupByField":"tags"`,
}

func dashboardCharts(t *testing.T) []Chart {
	t.Helper()
	charts := make([]Chart, len(dashboard))
	for i, members := range dashboard {
		chart, problems, err := parseChart(t, members)
		check.OK(t, errors.Join(err, problems.Err()))
		charts[i] = chart
	}
	return charts
}

// TestChartsShareAggregates builds charts together and one by one.
func TestChartsShareAggregates(t *testing.T) {
	t.Parallel()
	charts := dashboardCharts(t)
	store := &measuredStore{}
	together, err := Build(t.Context(), charts, store.aggregate, Names{Prompts: twoNames, Keys: noKeys}, chartQuery, chartNow)
	check.OK(t, err)
	for i, chart := range charts {
		alone, err := Build(t.Context(), []Chart{chart}, (&measuredStore{}).aggregate, Names{Prompts: twoNames, Keys: noKeys}, chartQuery, chartNow)
		check.OK(t, err)
		if diff := cmp.Diff(alone[0], together[i]); diff != "" {
			t.Errorf("%s: -alone +together:\n%s", dashboard[i], diff)
		}
	}
	// Totals, two time series, three of engines, one of tags, the grouped time
	// series, and the cells of the heatmap.
	check.Equal(t, "aggregates", len(store.asked), 9)
}

// TestChartsFailTogether lets one of the aggregates fail: no chart may wait forever.
func TestChartsFailTogether(t *testing.T) {
	t.Parallel()
	down := errors.New("engine is down")
	for name, fails := range map[string]func(AggregateQuery) error{
		"first round":  func(q AggregateQuery) error { return map[bool]error{true: down}[len(q.By) == 0] },
		"second round": func(q AggregateQuery) error { return map[bool]error{true: down}[len(q.By) == 2] },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Build(t.Context(), dashboardCharts(t), (&measuredStore{fails: fails}).aggregate, Names{Prompts: twoNames, Keys: noKeys}, chartQuery, chartNow)
			if !errors.Is(err, down) {
				t.Errorf("got %v, want %v", err, down)
			}
		})
	}
	panics := func(q AggregateQuery) error {
		if len(q.By) == 1 {
			panic("a bug")
		}
		return nil
	}
	if _, err := Build(t.Context(), dashboardCharts(t), (&measuredStore{fails: panics}).aggregate, Names{Prompts: twoNames, Keys: noKeys}, chartQuery, chartNow); err == nil {
		t.Error("a panic was not reported")
	}
}
