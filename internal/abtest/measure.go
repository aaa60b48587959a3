package abtest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// measurement reads the numbers of the arms from the logs.
type measurement struct {
	service   *Service
	ctx       context.Context
	workspace int64
	results   *Results
	arms      map[int64]*Arm
	priced    map[int64]int64 // the number of requests with a known cost, by version
}

// maxScores is the number of scores that are compared: those that most requests have.
const maxScores = 10

var (
	counted   = chart.Measure{Metric: chart.MetricCount}
	byVersion = chart.Dimension{Field: query.FieldPromptVersion}
)

func (m *measurement) measure() error {
	for _, step := range []func() error{m.requests, m.medians, m.scores} {
		if err := step(); err != nil {
			return fmt.Errorf("compare the versions of A/B test %d: %w", m.results.Test.Entity.ID, err)
		}
	}
	return nil
}

// ask groups the requests of the arms by version and by other dimensions.
func (m *measurement) ask(by []chart.Dimension, measures []chart.Measure, also ...query.Node) ([]chart.AggregateRow, error) {
	filter := query.Group{Nodes: []query.Node{
		query.Cond{Field: query.FieldPromptID, Op: query.OpIs, IDs: []int64{m.results.Test.PromptID}},
		// Anyone who tries a version chooses it, so the label had no part in it.
		query.Cond{Field: query.FieldSource, Op: query.OpNotIn, Texts: []string{string(reqlog.SourcePlayground), string(reqlog.SourceEvaluation)}},
	}}
	filter.Nodes = append(filter.Nodes, also...)
	by = append([]chart.Dimension{byVersion}, by...)
	return m.service.logs.Measure(m.ctx, m.workspace, query.Input{Filter: filter}, m.results.From, m.results.Until, by, measures...)
}

// arm returns the arm of a row, nil if its version is not part of the test.
func (m *measurement) arm(row chart.AggregateRow) *Arm {
	version, err := strconv.ParseInt(row.Keys[0], 10, 64)
	if err != nil {
		return nil
	}
	return m.arms[version]
}

// requests counts requests and errors, and sums up costs.
func (m *measurement) requests() error {
	cost := chart.Measure{Metric: chart.MetricSum, Field: query.FieldCost}
	rows, err := m.ask([]chart.Dimension{{Field: query.FieldStatus}}, []chart.Measure{counted, cost})
	if err != nil {
		return err
	}
	failed := map[int64]int64{}
	for _, row := range rows {
		arm := m.arm(row)
		if arm == nil {
			continue
		}
		arm.Requests += whole(row.Values[0])
		arm.TotalCost += finite(row.Values[1])
		if row.Keys[1] == reqlog.StatusError {
			failed[arm.Version] += whole(row.Values[0])
		}
	}
	for _, arm := range m.arms {
		if arm.Requests > 0 {
			rate := share(failed[arm.Version], arm.Requests)
			arm.Errors = &rate
		}
	}
	return m.countPriced()
}

// countPriced counts the requests with a known cost.
func (m *measurement) countPriced() error {
	rows, err := m.ask(nil, []chart.Measure{counted}, query.Cond{Field: query.FieldCost, Op: query.OpIsNotNull})
	for _, row := range rows {
		if arm := m.arm(row); arm != nil {
			m.priced[arm.Version] = whole(row.Values[0])
		}
	}
	return err
}

// medians reads the medians of costs and latencies with their intervals, whose
// percentiles depend on the number of requests of each arm.
func (m *measurement) medians() error {
	for _, arm := range m.arms {
		if arm.Requests == 0 {
			continue
		}
		priced := max(m.priced[arm.Version], 1)
		measures := append(medianMeasures(query.FieldCost, priced), medianMeasures(query.FieldLatency, arm.Requests)...)
		measures = append(measures, chart.Measure{Metric: chart.MetricPercentile, Field: query.FieldLatency, Percentile: 95})
		rows, err := m.ask(nil, measures, query.Cond{Field: query.FieldPromptVersion, Op: query.OpEq, Numbers: []float64{float64(arm.Version)}})
		if err != nil {
			return err
		}
		for _, row := range rows {
			if m.arm(row) == arm {
				arm.Cost, arm.Latency = median(row.Values[:3], priced), median(row.Values[3:6], arm.Requests)
				arm.LatencyP95 = row.Values[6]
			}
		}
	}
	return nil
}

// medianMeasures are a median and the bounds of its interval.
func medianMeasures(field query.Field, count int64) (measures []chart.Measure) {
	low, high := medianPercentiles(count)
	for _, p := range []float64{50, low, high} {
		measures = append(measures, chart.Measure{Metric: chart.MetricPercentile, Field: field, Percentile: p})
	}
	return measures
}

// median returns the estimate from the values of medianMeasures.
func median(values []*float64, count int64) *Estimate {
	if slices.Contains(values, nil) {
		return nil
	}
	return &Estimate{Count: count, Value: *values[0], Low: *values[1], High: *values[2]}
}

// scores reads how often each value of a score was given.
func (m *measurement) scores() error {
	names, err := m.scoreNames()
	if err != nil {
		return err
	}
	for _, name := range names {
		rows, err := m.ask([]chart.Dimension{{Field: query.FieldScores, Key: name}}, []chart.Measure{counted})
		if err != nil {
			return err
		}
		counts := map[int64]map[float64]int64{}
		for _, row := range rows {
			value, err := strconv.ParseFloat(row.Keys[1], 64)
			arm := m.arm(row)
			if err != nil || arm == nil {
				continue
			}
			if counts[arm.Version] == nil {
				counts[arm.Version] = map[float64]int64{}
			}
			counts[arm.Version][value] += whole(row.Values[0])
		}
		for version, given := range counts {
			m.arms[version].Scores[name] = mean(given)
		}
	}
	return nil
}

// scoreNames returns the names of the scores that most requests have.
func (m *measurement) scoreNames() ([]string, error) {
	rows, err := m.ask([]chart.Dimension{{Field: query.FieldScoreNames}}, []chart.Measure{counted})
	if err != nil {
		return nil, err
	}
	counts := map[string]int64{}
	for _, row := range rows {
		if m.arm(row) != nil {
			counts[row.Keys[1]] += whole(row.Values[0])
		}
	}
	return mostFrequent(counts, maxScores), nil
}

func whole(value *float64) int64 {
	if value == nil {
		return 0
	}
	return int64(*value)
}

func finite(value *float64) float64 {
	if value == nil || math.IsNaN(*value) || math.IsInf(*value, 0) {
		return 0
	}
	return *value
}
