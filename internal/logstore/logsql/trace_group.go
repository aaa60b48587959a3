package logsql

import (
	"cmp"

	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// groupSort is how the value that groups are sorted by is computed.
type groupSort struct {
	sql   string
	field query.Field // of traces
}

const lastSeen = "max(greatest(start_time, trace_end))"

var groupSorts = map[query.Field]groupSort{
	query.GroupLastSeen:    {lastSeen, "trace_end"},
	query.GroupFirstSeen:   {"min(start_time)", query.FieldTraceStart},
	query.GroupCost:        {"sum(trace_total_cost_usd)", "trace_total_cost_usd"},
	query.GroupTotalTokens: {"sum(trace_total_tokens)", "trace_total_tokens"},
	query.GroupTraces:      {"count(*)", query.FieldTraceStart},
	query.GroupErrors:      {"sum(trace_errors)", traceErrors},
}

// GroupPage is what an engine writes the page of groups from.
type GroupPage struct {
	// With has the common tables that Groups refers to, "" for none.
	With string
	// Groups is a query with a row per group: its id and what it is sorted by, as
	// sort.
	Groups string
	// Order and Limit are those of the page.
	Order, Limit string
}

// Groups returns the sessions or users of the traces that match.
func (v *Views) Groups(wanted query.TraceGroupQuery) GroupPage {
	sort, by, direction := groupSorts[cmp.Or(wanted.SortBy, query.GroupLastSeen)], string(wanted.By), Direction(wanted.Ascending)
	rows := v.traceRows(append(fieldsOf(wanted.Filter, query.LevelTrace), wanted.By, sort.field))
	matching := v.matching(wanted.Filter)
	return GroupPage{
		With:   v.with(),
		Groups: "SELECT " + by + " AS id, " + sort.sql + " AS sort FROM " + rows + " WHERE " + by + " IS NOT NULL AND " + matching + " GROUP BY id",
		Order:  " ORDER BY sort" + direction + " NULLS LAST, id" + direction,
		Limit:  v.page(wanted.SearchQuery),
	}
}

// CountGroups writes the query of the number of groups.
func (v *Views) CountGroups(wanted query.TraceGroupQuery) string {
	by := string(wanted.By)
	rows, matching := v.traceRows(append(fieldsOf(wanted.Filter, query.LevelTrace), wanted.By)), v.matching(wanted.Filter)
	return v.with() + "SELECT count(DISTINCT " + by + ") FROM " + rows + " WHERE " + by + " IS NOT NULL AND " + matching
}

// Totals writes the query that sums up groups; it reads only traces with a span of
// one of them.
func (v *Views) Totals(wanted query.TraceGroupQuery, ids []string) string {
	listed, by := " IN "+v.InTexts(ids), string(wanted.By)
	column := map[query.Field]string{query.FieldTraceSession: "session_id", query.FieldTraceUser: "user_id"}[wanted.By]
	v.Among = "(SELECT trace_key FROM " + v.Table() + " WHERE workspace = " + v.Workspace + " AND " + column + listed + ")"
	rows := v.traceRows(append(fieldsOf(wanted.Filter, query.LevelTrace), "trace_end", "trace_total_cost_usd", "trace_total_tokens", "trace_input_tokens",
		"trace_output_tokens", "trace_span_count", traceRequests, traceErrors, query.FieldTraceSession, query.FieldTraceUser))
	matching := v.matching(wanted.Filter)
	return v.with() + "SELECT " + by + " AS id, min(start_time), " + lastSeen + ", count(*), sum(trace_span_count)::BIGINT, sum(trace_requests)::BIGINT," +
		" sum(trace_errors)::BIGINT, sum(trace_total_cost_usd), sum(trace_total_tokens)::BIGINT, sum(trace_input_tokens)::BIGINT, sum(trace_output_tokens)::BIGINT," +
		" count(DISTINCT trace_session_id), count(DISTINCT trace_run_by_user_id), coalesce(min(trace_run_by_user_id), '') FROM " + rows +
		" WHERE " + by + listed + " AND " + matching + " GROUP BY id"
}

// SumUpGroups returns groups, in the order of their ids.
func SumUpGroups(ask Ask, wanted query.TraceGroupQuery, ids []string) ([]query.TraceGroup, error) {
	found := make(map[string]query.TraceGroup, len(ids))
	err := ask(func(v *Views) string { return v.Totals(wanted, ids) }, func(scan Scan) error {
		group, err := scanGroup(scan)
		found[group.ID] = group
		return err
	})
	return inOrder(ids, found), err
}

func scanGroup(scan Scan) (g query.TraceGroup, err error) {
	err = scan(&g.ID, (*int64)(&g.FirstSeen), (*int64)(&g.LastSeen), &g.Traces, &g.Spans, &g.Requests, &g.Errors, &g.Cost,
		&g.TotalTokens, &g.InputTokens, &g.OutputTokens, &g.Sessions, &g.Users, &g.User)
	if g.Users != 1 {
		g.User = ""
	}
	return g, err
}
