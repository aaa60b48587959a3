package logs

import (
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

type analyticsResponse struct {
	Success         bool                   `json:"success" required:"true" description:"Always true."`
	ChartInterval   chartInterval          `json:"chartInterval" description:"Size of the time buckets."`
	AverageLatency  float64                `json:"averageLatency" description:"Average latency of all requests, in seconds."`
	TotalCost       float64                `json:"totalCost" description:"Total cost."`
	TotalTokens     int64                  `json:"totalTokens" description:"Input and output tokens."`
	TotalRequests   int64                  `json:"totalRequests" description:"Number of matching requests."`
	TotalCached     int64                  `json:"totalCachedTokens" description:"Number of tokens read from providers' caches."`
	TotalThinking   int64                  `json:"totalThinkingTokens" description:"Number of thinking tokens."`
	CacheTokenRatio *float64               `json:"cacheTokenRatio" description:"Ratio of cached tokens to input tokens; null if there are no input tokens."`
	Stats           []bucketStats          `json:"stats" description:"Totals of each bucket with requests."`
	MostUsedModels  []countPair            `json:"mostUsedModels" description:"Pairs of model and number of requests, most used first."`
	ModelRequests   map[string][]countPair `json:"modelRequestsByDay" description:"Pairs of date and number of requests, by model."`

	ProviderRequests map[string][]countPair   `json:"providerRequestsByDay" description:"Pairs of date and number of requests, by provider."`
	PromptRequests   map[string][]countPair   `json:"promptTemplateRequestsByDay" description:"Pairs of date and number of requests, by prompt id."`
	MostUsedPrompts  []promptUsage            `json:"mostUsedPromptTemplates" description:"Prompts by number of requests."`
	Latency          latencyMaps              `json:"latency" description:"Latency by date, in seconds."`
	ModelLatency     map[string]latencySeries `json:"latencyByModelByDay" description:"Latency series of each model."`
	PromptLatency    map[string]latencySeries `json:"latencyByPromptTemplateByDay" description:"Latency series of each prompt id."`
	ProviderLatency  map[string]latencySeries `json:"latencyByProviderByDay" description:"Latency series of each provider."`

	ErrorTypes        []errorTypeCount    `json:"errorTypes" description:"Error types by number of requests."`
	ProviderBreakdown []providerBreakdown `json:"providerBreakdown" description:"Providers by cost."`
	PromptBreakdown   []promptBreakdown   `json:"promptBreakdown" description:"Prompts by cost."`
	TagsBreakdown     []tagBreakdown      `json:"tagsBreakdown" description:"Tags by cost. A request counts for each of its tags."`
	MetadataKeysTop   []keyCount          `json:"metadataKeysTop" description:"Metadata keys by number of requests."`
	OutputKeysTop     []keyCount          `json:"outputKeysTop" description:"Keys of structured outputs by number of requests."`
	ToolsLatency      []toolLatency       `json:"toolsLatency" description:"Latency of the requests that called each tool."`
	ToolsUsageBars    []toolUsage         `json:"toolsUsageBars" description:"Tools by number of requests."`
	MetadataValues    []valueBreakdown    `json:"metadataValueBreakdown" description:"Metadata values by cost."`
}

type chartInterval struct {
	Interval      string `json:"interval" description:"Unit: second, minute, hour or day."`
	BucketSizeMS  int64  `json:"bucketSizeMs" description:"Size in milliseconds."`
	BucketMinutes *int   `json:"bucketMinutes" description:"Size in minutes if the interval is minute, otherwise null."`
}

type bucketStats struct {
	Date              string           `json:"date" description:"The bucket's key."`
	DateLabel         string           `json:"dateLabel" description:"The bucket's label for an axis."`
	Requests          int64            `json:"requests" description:"Number of requests."`
	Tokens            int64            `json:"tokens" description:"Input and output tokens."`
	InputTokens       int64            `json:"inputTokens" description:"Input tokens."`
	OutputTokens      int64            `json:"outputTokens" description:"Output tokens."`
	Cost              float64          `json:"cost" description:"Total cost."`
	Latency           float64          `json:"latency" description:"Average latency in seconds."`
	CachedTokens      int64            `json:"cachedTokens" description:"Cached tokens."`
	ThinkingTokens    int64            `json:"thinkingTokens" description:"Thinking tokens."`
	TraceShare        float64          `json:"traceShare" description:"Share of requests that belong to a trace."`
	StatusCounts      map[string]int64 `json:"statusCounts" description:"Number of requests by status."`
	OutputShapeCounts shapeCounts      `json:"outputShapeCounts" description:"Number of requests by shape of the output."`
	AvgTurnCount      float64          `json:"avgTurnCount" description:"Average number of assistant turns."`
	AvgToolCallCount  float64          `json:"avgToolCallCount" description:"Average number of tool calls."`
	ToolCallCountP95  *float64         `json:"toolCallCountP95" description:"95th percentile of tool calls."`
}

type shapeCounts struct {
	JSON      int64 `json:"json" description:"Number of outputs that are JSON objects."`
	ToolCall  int64 `json:"toolCall" description:"Number of outputs that are tool calls."`
	PlainText int64 `json:"plainText" description:"Number of outputs that are plain text."`
}

// countPair is a pair of name and number of requests.
type countPair [2]any

type promptUsage struct {
	PromptID   string  `json:"promptId" description:"The id of the template."`
	Requests   int64   `json:"requests" description:"Number of requests."`
	PromptName *string `json:"promptName" description:"Name of the template."`
}

// latencyMaps is latency by date.
type latencyMaps struct {
	Average map[string]float64 `json:"average_latency" description:"Averages."`
	P50     map[string]float64 `json:"p50_latency" description:"Medians."`
	P90     map[string]float64 `json:"p90_latency" description:"90th percentiles."`
	P95     map[string]float64 `json:"p95_latency" description:"95th percentiles."`
}

// latencySeries is latency as pairs of date and seconds.
type latencySeries struct {
	Average []countPair `json:"average_latency" description:"Averages."`
	P50     []countPair `json:"p50_latency" description:"Medians."`
	P90     []countPair `json:"p90_latency" description:"90th percentiles."`
	P95     []countPair `json:"p95_latency" description:"95th percentiles."`
}

type errorTypeCount struct {
	ErrorType string `json:"errorType" description:"The error type."`
	Requests  int64  `json:"requests" description:"Number of requests."`
}

// usage is what all breakdowns have in common.
type usage struct {
	Requests     int64   `json:"requests" description:"Number of requests."`
	Cost         float64 `json:"cost" description:"Total cost."`
	Tokens       int64   `json:"tokens" description:"Input and output tokens."`
	InputTokens  int64   `json:"inputTokens" description:"Input tokens."`
	OutputTokens int64   `json:"outputTokens" description:"Output tokens."`
}

type providerBreakdown struct {
	Provider string `json:"provider" description:"The provider."`
	usage
}

type promptBreakdown struct {
	PromptID string `json:"promptId" description:"The id of the template."`
	usage
}

type tagBreakdown struct {
	Tag string `json:"tag" description:"The tag."`
	usage
}

type keyCount struct {
	Key      string `json:"key" description:"The key."`
	Requests int64  `json:"requests" description:"Number of requests."`
}

type toolLatency struct {
	ToolName string  `json:"toolName" description:"The tool."`
	Requests int64   `json:"requests" description:"Number of requests."`
	Avg      float64 `json:"avgLatencySeconds" description:"Average latency in seconds."`
	Min      float64 `json:"minLatencySeconds" description:"Lowest latency."`
	Max      float64 `json:"maxLatencySeconds" description:"Highest latency."`
}

type toolUsage struct {
	Name     string `json:"name" description:"The tool."`
	Requests int64  `json:"requests" description:"Number of requests."`
}

type valueBreakdown struct {
	Key      string  `json:"key" description:"The metadata key."`
	Value    string  `json:"value" description:"The value."`
	Label    string  `json:"label" description:"The value, preceded by its key unless a single key was requested."`
	Requests int64   `json:"requests" description:"Number of requests."`
	Cost     float64 `json:"cost" description:"Total cost."`
}

func newAnalyticsResponse(a requests.Analysis, breakdownKey string) analyticsResponse {
	out := analyticsResponse{
		Success:        true,
		ChartInterval:  chartInterval{Interval: a.Bucket.Unit, BucketSizeMS: a.Bucket.MS, BucketMinutes: kit.OrNil(a.Bucket.Minutes)},
		AverageLatency: a.Latency, TotalCost: a.Cost, TotalTokens: a.InputTokens + a.OutputTokens, TotalRequests: a.Requests,
		TotalCached: a.CachedTokens, TotalThinking: a.ThinkingTokens,
		Stats: kit.Each(a.Buckets, func(b chart.BucketStats) bucketStats { return newBucketStats(a.Bucket, b) }), Latency: newLatencyMaps(a.Bucket, a.Buckets),
		MostUsedModels: kit.Each(a.Models, func(n chart.NamedCount) countPair { return countPair{n.Name, n.Requests} }),
		ModelRequests:  counts(a.Bucket, a.ByModel), ProviderRequests: counts(a.Bucket, a.ByProvider), PromptRequests: counts(a.Bucket, a.ByPrompt),
		ModelLatency: series(a.Bucket, a.ByModel), ProviderLatency: series(a.Bucket, a.ByProvider), PromptLatency: series(a.Bucket, a.ByPrompt),
		MostUsedPrompts: kit.Each(a.MostUsedPrompts, func(n chart.NamedCount) promptUsage {
			return promptUsage{PromptID: n.Name, Requests: n.Requests, PromptName: kit.OrNil(a.PromptNames[n.Name])}
		}),
		ErrorTypes:        kit.Each(a.ErrorTypes, func(n chart.NamedCount) errorTypeCount { return errorTypeCount{n.Name, n.Requests} }),
		ProviderBreakdown: kit.Each(a.Providers, func(b chart.Breakdown) providerBreakdown { return providerBreakdown{b.Name, newUsage(b)} }),
		PromptBreakdown:   kit.Each(a.Prompts, func(b chart.Breakdown) promptBreakdown { return promptBreakdown{b.Name, newUsage(b)} }),
		TagsBreakdown:     kit.Each(a.Tags, func(b chart.Breakdown) tagBreakdown { return tagBreakdown{b.Name, newUsage(b)} }),
		MetadataKeysTop:   kit.Each(a.MetadataKeys, func(n chart.NamedCount) keyCount { return keyCount{n.Name, n.Requests} }),
		OutputKeysTop:     kit.Each(a.OutputKeys, func(n chart.NamedCount) keyCount { return keyCount{n.Name, n.Requests} }),
		ToolsLatency:      kit.Each(a.Tools, func(t chart.ToolStats) toolLatency { return toolLatency{t.Name, t.Requests, t.Avg, t.Min, t.Max} }),
		ToolsUsageBars:    kit.Each(a.Tools, func(t chart.ToolStats) toolUsage { return toolUsage{t.Name, t.Requests} }),
		MetadataValues:    kit.Each(a.MetadataValues, func(v chart.ValueBreakdown) valueBreakdown { return newValueBreakdown(v, breakdownKey) }),
	}
	if a.InputTokens > 0 {
		out.CacheTokenRatio = new(float64(a.CachedTokens) / float64(a.InputTokens))
	}
	return out
}

func newUsage(b chart.Breakdown) usage {
	return usage{Requests: b.Requests, Cost: b.Cost, Tokens: b.InputTokens + b.OutputTokens, InputTokens: b.InputTokens, OutputTokens: b.OutputTokens}
}

func newValueBreakdown(v chart.ValueBreakdown, onlyKey string) valueBreakdown {
	label := v.Value
	if onlyKey == "" {
		label = v.Key + " = " + v.Value
	}
	return valueBreakdown{Key: v.Key, Value: v.Value, Label: label, Requests: v.Requests, Cost: v.Cost}
}

func newBucketStats(bucket chart.Bucket, b chart.BucketStats) bucketStats {
	statuses := map[string]int64{}
	for status, requests := range map[string]int64{
		reqlog.StatusSuccess: b.Success, reqlog.StatusWarning: b.Warning, reqlog.StatusError: b.Error,
	} {
		if requests > 0 {
			statuses[status] = requests
		}
	}
	return bucketStats{
		Date: bucket.Key(b.Start), DateLabel: bucket.Label(b.Start), Requests: b.Requests,
		Tokens: b.InputTokens + b.OutputTokens, InputTokens: b.InputTokens, OutputTokens: b.OutputTokens,
		Cost: b.Cost, Latency: b.Latency.Avg, CachedTokens: b.CachedTokens, ThinkingTokens: b.ThinkingTokens,
		TraceShare: b.TraceShare, StatusCounts: statuses,
		OutputShapeCounts: shapeCounts{JSON: b.JSON, ToolCall: b.ToolCall, PlainText: b.PlainText},
		AvgTurnCount:      b.AvgTurns, AvgToolCallCount: b.AvgToolCalls, ToolCallCountP95: &b.P95ToolCalls,
	}
}

func newLatencyMaps(bucket chart.Bucket, buckets []chart.BucketStats) latencyMaps {
	out := latencyMaps{map[string]float64{}, map[string]float64{}, map[string]float64{}, map[string]float64{}}
	for _, b := range buckets {
		key := bucket.Key(b.Start)
		out.Average[key], out.P50[key], out.P90[key], out.P95[key] = b.Latency.Avg, b.Latency.P50, b.Latency.P90, b.Latency.P95
	}
	return out
}

func counts(bucket chart.Bucket, by map[string][]chart.BucketLatency) map[string][]countPair {
	out := make(map[string][]countPair, len(by))
	for name, points := range by {
		out[name] = kit.Each(points, func(p chart.BucketLatency) countPair { return countPair{bucket.Key(p.Start), p.Requests} })
	}
	return out
}

func series(bucket chart.Bucket, by map[string][]chart.BucketLatency) map[string]latencySeries {
	out := make(map[string]latencySeries, len(by))
	for name, points := range by {
		pick := func(value func(chart.Latency) float64) []countPair {
			return kit.Each(points, func(p chart.BucketLatency) countPair { return countPair{bucket.Key(p.Start), value(p.Latency)} })
		}
		out[name] = latencySeries{
			Average: pick(func(l chart.Latency) float64 { return l.Avg }),
			P50:     pick(func(l chart.Latency) float64 { return l.P50 }),
			P90:     pick(func(l chart.Latency) float64 { return l.P90 }),
			P95:     pick(func(l chart.Latency) float64 { return l.P95 }),
		}
	}
	return out
}
