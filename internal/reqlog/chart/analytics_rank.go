package chart

import (
	"cmp"
	"slices"
)

// MostRequests sorts by requests, then by name, and truncates the list to
// TopRows.
func MostRequests(found []Breakdown) []NamedCount {
	ranked := slices.SortedFunc(slices.Values(found), func(a, b Breakdown) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Name, b.Name))
	})
	counts := make([]NamedCount, 0, min(len(ranked), TopRows))
	for _, b := range ranked[:min(len(ranked), TopRows)] {
		counts = append(counts, NamedCount{Name: b.Name, Requests: b.Requests})
	}
	return counts
}

// HighestCost sorts by cost, then by requests, then by name, and truncates the
// list to TopRows.
func HighestCost(found []Breakdown) []Breakdown {
	ranked := slices.SortedFunc(slices.Values(found), func(a, b Breakdown) int {
		return cmp.Or(cmp.Compare(b.Cost, a.Cost), cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Name, b.Name))
	})
	return ranked[:min(len(ranked), TopRows)]
}

// SumBuckets computes the totals from the buckets.
func (a *Analytics) SumBuckets() {
	latency := 0.0
	for _, b := range a.Buckets {
		a.Requests += b.Requests
		a.Cost += b.Cost
		a.InputTokens += b.InputTokens
		a.OutputTokens += b.OutputTokens
		a.CachedTokens += b.CachedTokens
		a.ThinkingTokens += b.ThinkingTokens
		latency += b.Latency.Avg * float64(b.Requests)
	}
	if a.Requests > 0 {
		a.Latency = latency / float64(a.Requests)
	}
}

// RankedNames returns the names of the ranked models, providers and prompts,
// which are the keys of the By maps.
func (a *Analytics) RankedNames() (models, providers, prompts map[string]bool) {
	models, providers, prompts = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, n := range a.Models {
		models[n.Name] = true
	}
	for _, b := range a.Providers {
		providers[b.Name] = true
	}
	for _, b := range a.Prompts {
		prompts[b.Name] = true
	}
	for _, n := range a.MostUsedPrompts {
		prompts[n.Name] = true
	}
	return models, providers, prompts
}
