package chart

import (
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// AnalyzeQuery requests the fixed analytics payload.
type AnalyzeQuery struct {
	query.Query
	Bucket Bucket
	// BreakdownKey restricts the metadata value breakdown to one key.
	BreakdownKey string
}

// TopRows is the maximum length of the ranked lists of Analytics.
const TopRows = 50

// UnknownModel is the name for logs without a model.
const UnknownModel = "unknown"

// Analytics is the aggregated view of a set of logs. Latencies are in seconds.
// Series are in chronological order and have only buckets with logs. Ranked
// lists are sorted by requests in descending order, then by name, unless stated
// otherwise.
type Analytics struct {
	Bucket         Bucket
	Requests       int64
	Cost           float64
	Latency        float64
	InputTokens    int64
	OutputTokens   int64
	CachedTokens   int64
	ThinkingTokens int64

	Buckets []BucketStats

	// Models is the ranked list; the By maps have a series for each entry of the
	// ranked lists.
	Models    []NamedCount
	Providers []Breakdown
	Prompts   []Breakdown
	// MostUsedPrompts is sorted by requests; names are prompt ids.
	MostUsedPrompts []NamedCount

	ByModel    map[string][]BucketLatency
	ByProvider map[string][]BucketLatency
	ByPrompt   map[string][]BucketLatency

	ErrorTypes     []NamedCount
	Tags           []Breakdown
	MetadataKeys   []NamedCount
	OutputKeys     []NamedCount
	Tools          []ToolStats
	MetadataValues []ValueBreakdown
}

// BucketStats summarizes the logs that started in one bucket.
type BucketStats struct {
	Start          reqlog.Micros
	Requests       int64
	Cost           float64
	InputTokens    int64
	OutputTokens   int64
	CachedTokens   int64
	ThinkingTokens int64
	Latency        Latency

	Success, Warning, Error   int64
	JSON, ToolCall, PlainText int64
	// TraceShare is the share of logs with a trace, 0 to 1.
	TraceShare   float64
	AvgTurns     float64
	AvgToolCalls float64
	P95ToolCalls float64
}

// Latency describes a distribution of latencies in seconds; percentiles are
// interpolated linearly.
type Latency struct{ Avg, P50, P90, P95 float64 }

// BucketLatency is one point of a series.
type BucketLatency struct {
	Start    reqlog.Micros
	Requests int64
	Latency  Latency
}

// NamedCount is one entry of a ranked list.
type NamedCount struct {
	Name     string
	Requests int64
}

// Breakdown summarizes the logs of one provider, prompt or tag. Lists are
// sorted by cost in descending order, then by requests, then by name.
type Breakdown struct {
	Name         string
	Requests     int64
	Cost         float64
	InputTokens  int64
	OutputTokens int64
}

// ToolStats describes the requests that called a tool.
type ToolStats struct {
	Name          string
	Requests      int64
	Avg, Min, Max float64
}

// ValueBreakdown summarizes the logs with one metadata value. The list is
// sorted by cost in descending order, then by requests, then by key and value.
type ValueBreakdown struct {
	Key, Value string
	Requests   int64
	Cost       float64
}
