package logstoretest

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Aggregate implements chart.Analyser.
func (n *naive) Aggregate(ctx context.Context, q chart.AggregateQuery) ([]chart.AggregateRow, error) {
	if q.Level != query.LevelRequest {
		return n.aggregateTraces(ctx, q)
	}
	logs, err := n.selected(ctx, q.Query)
	if err != nil {
		return nil, err
	}
	groups := map[string][]*reqlog.Log{}
	keys := map[string][]string{}
	if len(q.By) == 0 {
		groups[""], keys[""] = logs, nil
	}
	for _, l := range logs {
		for _, path := range paths(q.By, l) {
			name := strings.Join(quoteAll(path), ",")
			groups[name], keys[name] = append(groups[name], l), path
		}
	}
	var rows []chart.AggregateRow
	for name, group := range groups {
		row := chart.AggregateRow{Keys: keys[name]}
		for _, m := range q.Measures {
			row.Values = append(row.Values, measured(m, group))
		}
		rows = append(rows, row)
	}
	return limited(rows, q.Limit), nil
}

// limited returns the highest rows.
func limited(rows []chart.AggregateRow, limit int) []chart.AggregateRow {
	sortRows(rows)
	if limit > 0 && len(rows) > limit {
		rows = rows[:limit]
	}
	return rows
}

// quoteAll makes different paths different when they are joined.
func quoteAll(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = strconv.Quote(text)
	}
	return quoted
}

// sortRows puts the highest first measure first, rows without one last.
func sortRows(rows []chart.AggregateRow) {
	slices.SortFunc(rows, func(a, b chart.AggregateRow) int {
		if len(a.Values) == 0 || a.Values[0] == nil && b.Values[0] == nil {
			return slices.Compare(a.Keys, b.Keys)
		}
		if a.Values[0] == nil || b.Values[0] == nil {
			return compareBools(a.Values[0] == nil, b.Values[0] == nil)
		}
		return cmp.Or(cmp.Compare(*b.Values[0], *a.Values[0]), slices.Compare(a.Keys, b.Keys))
	})
}

// paths returns every combination of the log's values for the dimensions.
func paths(by []chart.Dimension, l *reqlog.Log) [][]string {
	if len(by) == 0 {
		return nil
	}
	all := [][]string{nil}
	for _, d := range by {
		var longer [][]string
		for _, path := range all {
			for _, key := range dimensionKeys(d, l) {
				if d.Only == nil || slices.Contains(d.Only, key) {
					longer = append(longer, append(slices.Clone(path), key))
				}
			}
		}
		all = longer
	}
	return all
}

// dimensionKeys returns the log's values for a dimension, as text.
func dimensionKeys(d chart.Dimension, l *reqlog.Log) []string {
	switch {
	case d.Bucket != nil:
		return []string{strconv.FormatInt(int64(bucketStart(*d.Bucket, l.Start)), 10)}
	case d.MetadataKey != "":
		return valuesUnder(l.Index.Metadata, d.MetadataKey)
	}
	switch d.Field.Type() {
	case query.TypeNumeric, query.TypeScore:
		return numericKeys(d, l)
	case query.TypeIdentifier:
		id, ok := wholeOf(l, d.Field)
		if !ok {
			return nil
		}
		return []string{strconv.FormatInt(id, 10)}
	case query.TypeArray:
		return textsOf(l, d.Field)
	}
	// In the other fields the empty text is what a client left out.
	return slices.DeleteFunc(slices.Clone(textsOf(l, d.Field)), func(text string) bool { return text == "" })
}

func numericKeys(d chart.Dimension, l *reqlog.Log) []string {
	n, ok := numberOf(l, d.Field, d.Key)
	if !ok {
		return nil
	}
	if d.BinWidth == 0 && d.Field.Type() == query.TypeNumeric && !fractional(d.Field) {
		whole, _ := wholeOf(l, d.Field)
		return []string{strconv.FormatInt(whole, 10)}
	}
	if d.BinWidth > 0 {
		n = math.Floor(n/d.BinWidth) * d.BinWidth
	}
	if n == 0 {
		n = 0 // also the negative zero
	}
	return []string{strconv.FormatFloat(n, 'f', -1, 64)}
}

// bucketStart returns the start of the bucket that holds an instant.
func bucketStart(b chart.Bucket, at reqlog.Micros) reqlog.Micros {
	day := at.Time().Truncate(24 * time.Hour)
	switch b.Unit {
	case "week":
		sinceMonday := (int(day.Weekday()) + 6) % 7
		return reqlog.At(day.AddDate(0, 0, -sinceMonday))
	case "month":
		return reqlog.At(day.AddDate(0, 0, 1-day.Day()))
	}
	start := at - at%reqlog.Micros(b.MS*1000)
	if start > at {
		start -= reqlog.Micros(b.MS * 1000)
	}
	return start
}

// measured computes one number over a group, nil when there is nothing to
// compute it from.
func measured(m chart.Measure, logs []*reqlog.Log) *float64 {
	if m.Metric == chart.MetricCount {
		return number(float64(len(logs)))
	}
	if m.Metric == chart.MetricDistinct {
		return distinctValues(m.MetadataKey, logs)
	}
	var values []float64
	for _, l := range logs {
		if v, ok := numberOf(l, m.Field, m.Key); ok {
			values = append(values, v)
		}
	}
	return summary(m, values)
}

// summary computes one number from values.
func summary(m chart.Measure, values []float64) *float64 {
	if m.Metric == chart.MetricSum {
		return number(sum(values))
	}
	if len(values) == 0 {
		return nil
	}
	switch m.Metric {
	case chart.MetricAvg:
		return number(average(values))
	case chart.MetricMin:
		return number(slices.Min(values))
	case chart.MetricMax:
		return number(slices.Max(values))
	case chart.MetricPercentile:
		return number(percentile(values, m.Percentile))
	}
	panic("unknown metric: " + string(m.Metric))
}

func number(f float64) *float64 { return &f }

func distinctValues(key string, logs []*reqlog.Log) *float64 {
	if len(logs) == 0 {
		return nil
	}
	seen := map[string]bool{}
	for _, l := range logs {
		for _, value := range valuesUnder(l.Index.Metadata, key) {
			seen[value] = true
		}
	}
	return number(float64(len(seen)))
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

func average(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return sum(values) / float64(len(values))
}

// percentile interpolates linearly between the two values around the rank.
func percentile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := p / 100 * float64(len(sorted)-1)
	low := int(math.Floor(rank))
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (sorted[high]-sorted[low])*(rank-float64(low))
}
