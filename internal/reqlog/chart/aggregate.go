package chart

import "github.com/promptuary/promptuary/internal/reqlog/query"

// AggregateQuery computes measures over the logs that a Query selects, or over
// traces or all of their spans.
type AggregateQuery struct {
	query.Query
	// Level is what the rows are computed over; all fields are of this level.
	Level    query.Level
	By       []Dimension
	Measures []Measure
	// Limit keeps the rows with the highest first measure, 0 keeps all.
	Limit int
}

// Dimension is one way to group logs. Exactly one of Field (with Key), MetadataKey,
// Bucket and BinWidth (with Field and Key) is used.
type Dimension struct {
	// Field is a string, identifier, numeric, score or array field. A log counts once
	// for each distinct element of an array.
	Field query.Field
	// Key is the name of the score of a score field.
	Key string
	// MetadataKey groups by the values under a flattened metadata key.
	MetadataKey string
	// Bucket groups by start time.
	Bucket *Bucket
	// BinWidth groups a numeric or score Field into bins of this width, aligned to 0.
	BinWidth float64
	// Only, if not nil, restricts the groups to these values.
	Only []string
}

// Metric is how a measure summarizes a field.
type Metric string

// The metrics. MetricCount takes no field, MetricDistinct a metadata key.
const (
	MetricCount      Metric = "count"
	MetricSum        Metric = "sum"
	MetricAvg        Metric = "avg"
	MetricMin        Metric = "min"
	MetricMax        Metric = "max"
	MetricPercentile Metric = "percentile"
	MetricDistinct   Metric = "distinct_count"
)

// Measure is one number to compute per group.
type Measure struct {
	Metric Metric
	// Field is a numeric or score field; latencies are in milliseconds.
	Field query.Field
	// Key is the name of the score of a score field.
	Key string
	// Percentile is 0 to 100, interpolated linearly.
	Percentile float64
	// MetadataKey is the key whose values MetricDistinct counts.
	MetadataKey string
}

// AggregateRow is one group. Keys are the values of the dimensions as text:
// numbers in shortest decimal form, buckets as the microseconds of their start,
// bins as their lower bound. A value is nil if there was nothing to summarize.
type AggregateRow struct {
	Keys   []string
	Values []*float64
}
