package logstoretest

import (
	"cmp"
	"slices"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
)

// top is where ranked lists are cut.
const top = 50

func cut[T any](list []T) []T { return list[:min(len(list), top)] }

// mostRequests ranks groups by how many logs they have, then by name.
func mostRequests(groups []group[string]) []chart.NamedCount {
	var ranked []chart.NamedCount
	for _, g := range groups {
		ranked = append(ranked, chart.NamedCount{Name: g.key, Requests: int64(len(g.logs))})
	}
	slices.SortFunc(ranked, func(a, b chart.NamedCount) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Name, b.Name))
	})
	return cut(ranked)
}

// highestCost ranks groups by cost, then by requests, then by name.
func highestCost(groups []group[string]) []chart.Breakdown {
	var ranked []chart.Breakdown
	for _, g := range groups {
		ranked = append(ranked, breakdown(g.key, g.logs))
	}
	slices.SortFunc(ranked, func(a, b chart.Breakdown) int {
		return cmp.Or(cmp.Compare(b.Cost, a.Cost), cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Name, b.Name))
	})
	return cut(ranked)
}

func toolStats(groups []group[string]) []chart.ToolStats {
	var ranked []chart.ToolStats
	for _, g := range groups {
		seconds := latencies(g.logs)
		ranked = append(ranked, chart.ToolStats{
			Name: g.key, Requests: int64(len(g.logs)),
			Avg: average(seconds), Min: slices.Min(seconds), Max: slices.Max(seconds),
		})
	}
	slices.SortFunc(ranked, func(a, b chart.ToolStats) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Name, b.Name))
	})
	return cut(ranked)
}

func valueBreakdown(logs []*reqlog.Log, only string) []chart.ValueBreakdown {
	byPair := map[reqlog.Pair]*chart.ValueBreakdown{}
	for _, l := range logs {
		seen := map[reqlog.Pair]bool{}
		for _, p := range l.Index.Metadata {
			if p.Empty || seen[p] || only != "" && p.Key != only {
				continue
			}
			seen[p] = true
			if byPair[p] == nil {
				byPair[p] = &chart.ValueBreakdown{Key: p.Key, Value: p.Value}
			}
			byPair[p].Requests++
			byPair[p].Cost += l.Price.USD
		}
	}
	var ranked []chart.ValueBreakdown
	for _, b := range byPair {
		ranked = append(ranked, *b)
	}
	slices.SortFunc(ranked, func(a, b chart.ValueBreakdown) int {
		return cmp.Or(cmp.Compare(b.Cost, a.Cost), cmp.Compare(b.Requests, a.Requests),
			cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value))
	})
	return cut(ranked)
}

// series returns how the named groups went over time.
func series(bucket chart.Bucket, groups []group[string], names []string) map[string][]chart.BucketLatency {
	all := map[string][]chart.BucketLatency{}
	for _, g := range groups {
		if !slices.Contains(names, g.key) {
			continue
		}
		for _, b := range grouped(g.logs, bucketOf(bucket)) {
			all[g.key] = append(all[g.key], chart.BucketLatency{
				Start: b.key, Requests: int64(len(b.logs)), Latency: distribution(latencies(b.logs)),
			})
		}
	}
	return all
}

func namesOf(ranked []chart.NamedCount) []string {
	var names []string
	for _, r := range ranked {
		names = append(names, r.Name)
	}
	return names
}

func breakdownNames(ranked []chart.Breakdown) []string {
	var names []string
	for _, r := range ranked {
		names = append(names, r.Name)
	}
	return names
}
