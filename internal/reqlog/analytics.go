package reqlog

// AnalyzeQuery asks for the fixed analytics payload.
type AnalyzeQuery struct {
	Query
	Bucket Bucket
	// BreakdownKey restricts the metadata value breakdown to one key.
	BreakdownKey string
}

// TopRows is the length at which the ranked lists of Analytics are cut.
const TopRows = 50

// UnknownModel stands for the model of logs that name none.
const UnknownModel = "unknown"

// Analytics is the aggregated view of a set of logs. Latencies are in seconds.
// Series are in order of time and hold only buckets with logs. Ranked lists
// have the most requests first, then go by name, unless said otherwise.
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

	// Models is the ranked list; the By maps hold a series for each entry of
	// the ranked lists.
	Models    []NamedCount
	Providers []Breakdown
	Prompts   []Breakdown
	// MostUsedPrompts has the most requests first; names are prompt ids.
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

// BucketStats sums up the logs that started in one bucket.
type BucketStats struct {
	Start          Micros
	Requests       int64
	Cost           float64
	InputTokens    int64
	OutputTokens   int64
	CachedTokens   int64
	ThinkingTokens int64
	Latency        Latency

	Success, Warning, Error   int64
	JSON, ToolCall, PlainText int64
	// TraceShare is the share of logs that belong to a trace, 0 to 1.
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
	Start    Micros
	Requests int64
	Latency  Latency
}

// NamedCount is one entry of a ranked list.
type NamedCount struct {
	Name     string
	Requests int64
}

// Breakdown is what one provider, prompt or tag stands for; lists of it have
// the highest cost first, then the most requests, then go by name.
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

// ValueBreakdown is what one metadata value stands for; the list has the
// highest cost first, then the most requests, then goes by key and value.
type ValueBreakdown struct {
	Key, Value string
	Requests   int64
	Cost       float64
}
