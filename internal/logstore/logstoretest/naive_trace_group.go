package logstoretest

import (
	"cmp"
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// GroupTraces implements query.Reader.
func (n *naive) GroupTraces(ctx context.Context, q query.TraceGroupQuery) (query.FoundTraceGroups, error) {
	traces, err := n.selectedTraces(ctx, q.Query)
	if err != nil {
		return query.FoundTraceGroups{}, err
	}
	members := map[string][]*traceRow{}
	for _, t := range traces {
		for _, id := range t.values[q.By].texts {
			members[id] = append(members[id], t)
		}
	}
	var groups []query.TraceGroup
	for id, traces := range members {
		groups = append(groups, n.groupOf(id, traces))
	}
	slices.SortFunc(groups, func(a, b query.TraceGroup) int {
		return compareGroups(&a, &b, cmp.Or(q.SortBy, query.GroupLastSeen), q.Ascending)
	})
	total := int64(len(groups))
	from := min(q.Offset(), total)
	return query.FoundTraceGroups{Items: groups[from:min(from+int64(q.PerPage), total)], Total: total}, nil
}

func (n *naive) groupOf(id string, traces []*traceRow) query.TraceGroup {
	g := query.TraceGroup{ID: id, Traces: int64(len(traces)), FirstSeen: traces[0].values["trace_start"].at, LastSeen: traces[0].values["trace_start"].at}
	sessions, users := map[string]bool{}, map[string]bool{}
	for _, t := range traces {
		facts := n.factsOf(t)
		g.FirstSeen, g.LastSeen = min(g.FirstSeen, facts.Start), max(g.LastSeen, facts.Start, facts.End)
		g.Spans += facts.Spans
		g.Errors += facts.Errors
		g.Requests += int64(len(t.logs))
		g.Cost = plus(g.Cost, facts.Cost)
		g.TotalTokens, g.InputTokens = plus(g.TotalTokens, facts.TotalTokens), plus(g.InputTokens, facts.InputTokens)
		g.OutputTokens = plus(g.OutputTokens, facts.OutputTokens)
		if facts.Session != "" {
			sessions[facts.Session] = true
		}
		if facts.User != "" {
			users[facts.User] = true
			g.User = facts.User
		}
	}
	g.Sessions, g.Users = int64(len(sessions)), int64(len(users))
	if g.Users != 1 {
		g.User = ""
	}
	return g
}

// plus adds numbers, of which either may be unknown.
func plus[N int64 | float64](a, b *N) *N {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	sum := *a + *b
	return &sum
}

// compareGroups compares by a sort key, unknown values last, then by id.
func compareGroups(a, b *query.TraceGroup, by query.Field, ascending bool) int {
	x, knownX := sortValue(a, by)
	y, knownY := sortValue(b, by)
	if knownX != knownY {
		return compareBools(knownY, knownX)
	}
	order := cmp.Or(cmp.Compare(x, y), cmp.Compare(a.ID, b.ID))
	if ascending {
		return order
	}
	return -order
}

func sortValue(g *query.TraceGroup, by query.Field) (value float64, known bool) {
	switch by {
	case query.GroupLastSeen:
		return float64(g.LastSeen), true
	case query.GroupFirstSeen:
		return float64(g.FirstSeen), true
	case query.GroupTraces:
		return float64(g.Traces), true
	case query.GroupErrors:
		return float64(g.Errors), true
	case query.GroupCost:
		if g.Cost != nil {
			return *g.Cost, true
		}
	case query.GroupTotalTokens:
		if g.TotalTokens != nil {
			return float64(*g.TotalTokens), true
		}
	}
	return 0, false
}
