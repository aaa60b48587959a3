package embedded

import (
	"cmp"
	"slices"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// mostRequests ranks by requests, then by name.
func mostRequests(found []reqlog.Breakdown) []reqlog.NamedCount {
	slices.SortFunc(found, func(a, b reqlog.Breakdown) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Name, b.Name))
	})
	ranked := make([]reqlog.NamedCount, 0, min(len(found), reqlog.TopRows))
	for _, b := range found[:min(len(found), reqlog.TopRows)] {
		ranked = append(ranked, reqlog.NamedCount{Name: b.Name, Requests: b.Requests})
	}
	return ranked
}

// highestCost ranks by cost, then by requests, then by name.
func highestCost(found []reqlog.Breakdown) []reqlog.Breakdown {
	ranked := slices.SortedFunc(slices.Values(found), func(a, b reqlog.Breakdown) int {
		return cmp.Or(cmp.Compare(b.Cost, a.Cost), cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Name, b.Name))
	})
	return ranked[:min(len(ranked), reqlog.TopRows)]
}

func names(ranked []reqlog.NamedCount) map[string]bool {
	set := make(map[string]bool, len(ranked))
	for _, n := range ranked {
		set[n.Name] = true
	}
	return set
}

func breakdownNames(ranked []reqlog.Breakdown) map[string]bool {
	set := make(map[string]bool, len(ranked))
	for _, b := range ranked {
		set[b.Name] = true
	}
	return set
}
