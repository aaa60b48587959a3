package reqlog

// AggregateQuery asks for measures over the logs that a Query selects.
type AggregateQuery struct {
	Query
	By       []Dimension
	Measures []Measure
	// Limit keeps the rows with the highest first measure, 0 keeps all.
	Limit int
}

// Dimension is one way to split logs into groups. Exactly one of Field,
// MetadataKey, Bucket and BinWidth (with Field) decides.
type Dimension struct {
	// Field is a string, identifier, numeric or array field. A log counts once
	// for each distinct element of an array.
	Field Field
	// MetadataKey groups by the values under a flattened metadata key.
	MetadataKey string
	// Bucket groups by start time.
	Bucket *Bucket
	// BinWidth groups a numeric Field into bins of this width, aligned to 0.
	BinWidth float64
	// Only, when not nil, restricts to these values.
	Only []string
}

// Metric is how a measure summarises a field.
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
	// Field is a numeric field; latency stays in milliseconds.
	Field Field
	// Percentile is 0 to 100, interpolated linearly.
	Percentile float64
	// MetadataKey is whose values MetricDistinct counts.
	MetadataKey string
}

// AggregateRow is one group. Keys are the dimensions' values as text: numbers
// in shortest decimal, buckets as the microseconds of their start, bins as the
// number of their lower bound. A value is nil where there was nothing to
// summarise.
type AggregateRow struct {
	Keys   []string
	Values []*float64
}
