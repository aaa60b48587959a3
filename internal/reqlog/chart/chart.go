// Package chart computes over the request logs or traces that a query selects:
// custom charts, the fixed analytics, and the contract of a store that computes.
package chart

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Chart is one validated custom chart over the logs that a query selects.
type Chart struct {
	ID    string
	Title string
	// Type is how the chart is drawn; histogram, heatmap, treemap and sunburst
	// also determine its rows.
	Type string
	// Series are the measured numbers, at least one.
	Series []Series
	// Multi distinguishes a chart with a list of series from one with a single
	// metric.
	Multi  bool
	Ratios []Ratio
	// By is empty for totals, else one group, the two axes of a heatmap, the
	// levels of a hierarchy from the root, or the bins of a histogram.
	By         []Dimension
	TimeSeries bool
	// Bucket is the interval of a time series, nil to choose it from the time
	// range of the query.
	Bucket *Bucket
	// Limit is the maximum number of groups.
	Limit int
	// Level is what the chart counts.
	Level query.Level
}

// Series is one measure of a chart.
type Series struct {
	Key     string
	Label   string
	Measure Measure
}

// Ratio is the quotient of the totals of two series.
type Ratio struct {
	Label       string
	Numerator   string
	Denominator string
}

// Result is a chart with its data, in its wire format.
type Result struct {
	ID     string       `json:"id"`
	Title  string       `json:"title"`
	Type   string       `json:"chartType"`
	Series []SeriesInfo `json:"series"`
	Data   []Row        `json:"data"`
	// Ratios is nil for a chart with a single metric.
	Ratios []RatioResult `json:"derivedInsights,omitzero"`
}

// SeriesInfo describes the numbers under one key of the rows.
type SeriesInfo struct {
	Key   string `json:"key"`
	Label string `json:"label"`
	Unit  string `json:"unit"`
}

// RatioResult is a computed quotient; Value is nil if the divisor is zero or
// unknown.
type RatioResult struct {
	Type        string   `json:"type"`
	Label       string   `json:"label"`
	Numerator   string   `json:"numeratorSeriesKey"`
	Denominator string   `json:"denominatorSeriesKey"`
	Value       *float64 `json:"value"`
}

// Row is one row of a chart's data: an object whose keys depend on the
// chart, in a stable order.
type Row []Cell

// Cell is one key of a row. Its value is a string, a list of strings, a
// number, or a nil *float64 if there was nothing to measure.
type Cell struct {
	Key   string
	Value any
}

// MarshalJSON returns the row as an object with its cells in order. It joins
// the members by hand because encoding/json marshals the cells: their values
// are of several Go types, and maps would lose the order.
func (r Row) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, cell := range r {
		if i > 0 {
			out.WriteByte(',')
		}
		key, err := json.Marshal(cell.Key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(cell.Value)
		if err != nil {
			return nil, err
		}
		out.Write(key)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// The keys of rows that are not series.
const (
	cellLabel        = "label"
	cellGroup        = "groupKey"
	cellSecondary    = "secondaryLabel"
	cellSecondaryKey = "secondaryGroupKey"
	cellBucket       = "bucketKey"
	cellPath         = "path"
	cellStart        = "bucketStart"
	cellEnd          = "bucketEnd"
)

var reservedCells = []string{
	cellLabel, cellGroup, cellSecondary, cellSecondaryKey, cellBucket, cellPath, cellStart, cellEnd,
}

// levelNouns are what charts of each level count.
var levelNouns = map[query.Level]string{query.LevelRequest: "Requests", query.LevelTrace: "Traces", query.LevelSpan: "Spans"}

// label returns the label of the measure in a legend.
func (m Measure) label(level query.Level) string {
	switch m.Metric {
	case MetricCount:
		return levelNouns[level]
	case MetricDistinct:
		return "Distinct " + m.MetadataKey
	}
	name := m.Field.Spec().Title()
	if m.Key != "" {
		name += " " + m.Key
	}
	switch m.Metric {
	case MetricAvg:
		return "Avg " + name
	case MetricMin:
		return "Min " + name
	case MetricMax:
		return "Max " + name
	case MetricPercentile:
		return "P" + strconv.FormatFloat(m.Percentile, 'f', -1, 64) + " " + name
	}
	return name
}

// unit returns the unit of the displayed numbers.
func (m Measure) unit() string {
	if m.Metric == MetricCount || m.Metric == MetricDistinct {
		return "count"
	}
	return chartUnits[m.Field.Spec().Unit].name
}

// additive reports whether the measure of no logs is 0 rather than unknown.
func (m Measure) additive() bool {
	return m.Metric == MetricCount || m.Metric == MetricDistinct || m.Metric == MetricSum
}
