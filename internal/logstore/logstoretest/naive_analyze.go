package logstoretest

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Analyze implements chart.Analyser.
func (n *naive) Analyze(ctx context.Context, q chart.AnalyzeQuery) (*chart.Analytics, error) {
	logs, err := n.selected(ctx, q.Query)
	if err != nil {
		return nil, err
	}
	a := &chart.Analytics{Bucket: q.Bucket, Requests: int64(len(logs)), Latency: average(latencies(logs))}
	total := breakdown("", logs)
	a.Cost, a.InputTokens, a.OutputTokens = total.Cost, total.InputTokens, total.OutputTokens
	for _, l := range logs {
		a.CachedTokens += l.Usage.CacheRead.N
		a.ThinkingTokens += l.Usage.Reasoning.N
	}
	for _, group := range grouped(logs, bucketOf(q.Bucket)) {
		b := bucketStats(group.key, group.logs)
		b.TraceShare = n.tracedShare(group.logs)
		a.Buckets = append(a.Buckets, b)
	}
	models, providers, prompts := grouped(logs, modelOf), grouped(logs, providerOf), grouped(logs, promptOf)
	a.Models, a.Providers = mostRequests(models), highestCost(providers)
	a.Prompts, a.MostUsedPrompts = highestCost(prompts), mostRequests(prompts)
	a.ByModel = series(q.Bucket, models, namesOf(a.Models))
	a.ByProvider = series(q.Bucket, providers, breakdownNames(a.Providers))
	a.ByPrompt = series(q.Bucket, prompts, append(namesOf(a.MostUsedPrompts), breakdownNames(a.Prompts)...))
	a.ErrorTypes = mostRequests(grouped(logs, fieldOf(query.FieldErrorType)))
	a.Tags = highestCost(grouped(logs, fieldOf(query.FieldTags)))
	a.MetadataKeys = mostRequests(grouped(logs, fieldOf(query.FieldMetadataKeys)))
	a.OutputKeys = mostRequests(grouped(logs, fieldOf(query.FieldOutputKeys)))
	a.Tools = toolStats(grouped(logs, fieldOf(query.FieldToolNames)))
	a.MetadataValues = valueBreakdown(logs, q.BreakdownKey)
	return a, nil
}

// group is the logs that share a key.
type group[K cmp.Ordered] struct {
	key  K
	logs []*reqlog.Log
}

// grouped splits logs by their keys, in the order of the keys. A log is in the
// group of each of its keys.
func grouped[K cmp.Ordered](logs []*reqlog.Log, keys func(*reqlog.Log) []K) []group[K] {
	byKey := map[K][]*reqlog.Log{}
	for _, l := range logs {
		for _, key := range keys(l) {
			byKey[key] = append(byKey[key], l)
		}
	}
	var groups []group[K]
	for key, logs := range byKey {
		groups = append(groups, group[K]{key, logs})
	}
	slices.SortFunc(groups, func(a, b group[K]) int { return cmp.Compare(a.key, b.key) })
	return groups
}

func bucketOf(b chart.Bucket) func(*reqlog.Log) []reqlog.Micros {
	return func(l *reqlog.Log) []reqlog.Micros { return []reqlog.Micros{bucketStart(b, l.Start)} }
}

func fieldOf(field query.Field) func(*reqlog.Log) []string {
	return func(l *reqlog.Log) []string { return textsOf(l, field) }
}

func modelOf(l *reqlog.Log) []string { return []string{cmp.Or(l.Engine, "unknown")} }

func providerOf(l *reqlog.Log) []string {
	if l.Provider == "" {
		return nil
	}
	return []string{l.Provider}
}

func promptOf(l *reqlog.Log) []string {
	if l.Prompt == nil {
		return nil
	}
	return []string{strconv.FormatInt(l.Prompt.ID, 10)}
}

func latencies(logs []*reqlog.Log) []float64 {
	values := make([]float64, len(logs))
	for i, l := range logs {
		values[i] = latencyMS(l) / 1000
	}
	return values
}

func distribution(seconds []float64) chart.Latency {
	return chart.Latency{
		Avg: average(seconds), P50: percentile(seconds, 50), P90: percentile(seconds, 90), P95: percentile(seconds, 95),
	}
}

func bucketStats(start reqlog.Micros, logs []*reqlog.Log) chart.BucketStats {
	total := breakdown("", logs)
	b := chart.BucketStats{
		Start: start, Requests: total.Requests, Cost: total.Cost,
		InputTokens: total.InputTokens, OutputTokens: total.OutputTokens, Latency: distribution(latencies(logs)),
	}
	var turns, calls []float64
	for _, l := range logs {
		b.CachedTokens += l.Usage.CacheRead.N
		b.ThinkingTokens += l.Usage.Reasoning.N
		turns = append(turns, float64(l.Index.TurnCount))
		calls = append(calls, float64(l.Index.ToolCallCount))
		switch l.Status {
		case reqlog.StatusSuccess:
			b.Success++
		case reqlog.StatusWarning:
			b.Warning++
		case reqlog.StatusError:
			b.Error++
		}
		switch {
		case l.Index.IsJSON:
			b.JSON++
		case l.Index.IsToolCall:
			b.ToolCall++
		default:
			b.PlainText++
		}
	}
	b.AvgTurns, b.AvgToolCalls, b.P95ToolCalls = average(turns), average(calls), percentile(calls, 95)
	return b
}

// tracedShare returns the share of the logs that belong to a trace.
func (n *naive) tracedShare(logs []*reqlog.Log) float64 {
	traced := 0
	for _, l := range logs {
		if n.withTrace(l).TraceID != "" {
			traced++
		}
	}
	return float64(traced) / float64(len(logs))
}

func breakdown(name string, logs []*reqlog.Log) chart.Breakdown {
	b := chart.Breakdown{Name: name, Requests: int64(len(logs))}
	for _, l := range logs {
		b.Cost += l.Price.USD
		b.InputTokens += l.Usage.Input.N
		b.OutputTokens += l.Usage.Output.N
	}
	return b
}
