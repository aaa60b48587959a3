package logsql

import (
	"cmp"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// groupSort is how the value that groups are sorted by is computed.
type groupSort struct {
	sql   string
	field reqlog.Field // of traces
}

const lastSeen = "max(greatest(start_time, trace_end))"

var groupSorts = map[reqlog.Field]groupSort{
	reqlog.GroupLastSeen:    {lastSeen, "trace_end"},
	reqlog.GroupFirstSeen:   {"min(start_time)", reqlog.FieldTraceStart},
	reqlog.GroupCost:        {"sum(trace_total_cost_usd)", "trace_total_cost_usd"},
	reqlog.GroupTotalTokens: {"sum(trace_total_tokens)", "trace_total_tokens"},
	reqlog.GroupTraces:      {"count(*)", reqlog.FieldTraceStart},
	reqlog.GroupErrors:      {"sum(trace_errors)", traceErrors},
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
func (v *Views) Groups(wanted reqlog.TraceGroupQuery) GroupPage {
	sort, by, direction := groupSorts[cmp.Or(wanted.SortBy, reqlog.GroupLastSeen)], string(wanted.By), Direction(wanted.Ascending)
	rows := v.traceRows(append(fieldsOf(wanted.Filter, reqlog.LevelTrace), wanted.By, sort.field))
	matching := v.matching(wanted.Filter)
	return GroupPage{
		With:   v.with(),
		Groups: "SELECT " + by + " AS id, " + sort.sql + " AS sort FROM " + rows + " WHERE " + by + " IS NOT NULL AND " + matching + " GROUP BY id",
		Order:  " ORDER BY sort" + direction + " NULLS LAST, id" + direction,
		Limit:  v.page(wanted.SearchQuery),
	}
}

// CountGroups writes the query of the number of groups.
func (v *Views) CountGroups(wanted reqlog.TraceGroupQuery) string {
	by := string(wanted.By)
	rows, matching := v.traceRows(append(fieldsOf(wanted.Filter, reqlog.LevelTrace), wanted.By)), v.matching(wanted.Filter)
	return v.with() + "SELECT count(DISTINCT " + by + ") FROM " + rows + " WHERE " + by + " IS NOT NULL AND " + matching
}

// Totals writes the query that sums up groups; it reads only traces with a span of
// one of them.
func (v *Views) Totals(wanted reqlog.TraceGroupQuery, ids []string) string {
	listed, by := " IN "+v.InTexts(ids), string(wanted.By)
	column := map[reqlog.Field]string{reqlog.FieldTraceSession: "session_id", reqlog.FieldTraceUser: "user_id"}[wanted.By]
	v.Among = "(SELECT trace_key FROM " + v.Table() + " WHERE workspace = " + v.Workspace + " AND " + column + listed + ")"
	rows := v.traceRows(append(fieldsOf(wanted.Filter, reqlog.LevelTrace), "trace_end", "trace_total_cost_usd", "trace_total_tokens", "trace_input_tokens",
		"trace_output_tokens", "trace_span_count", traceRequests, traceErrors, reqlog.FieldTraceSession, reqlog.FieldTraceUser))
	matching := v.matching(wanted.Filter)
	return v.with() + "SELECT " + by + " AS id, min(start_time), " + lastSeen + ", count(*), sum(trace_span_count)::BIGINT, sum(trace_requests)::BIGINT," +
		" sum(trace_errors)::BIGINT, sum(trace_total_cost_usd), sum(trace_total_tokens)::BIGINT, sum(trace_input_tokens)::BIGINT, sum(trace_output_tokens)::BIGINT," +
		" count(DISTINCT trace_session_id), count(DISTINCT trace_run_by_user_id), coalesce(min(trace_run_by_user_id), '') FROM " + rows +
		" WHERE " + by + listed + " AND " + matching + " GROUP BY id"
}

// SumUpGroups returns groups, in the order of their ids.
func SumUpGroups(ask Ask, wanted reqlog.TraceGroupQuery, ids []string) ([]reqlog.TraceGroup, error) {
	found := make(map[string]reqlog.TraceGroup, len(ids))
	err := ask(func(v *Views) string { return v.Totals(wanted, ids) }, func(scan Scan) error {
		group, err := scanGroup(scan)
		found[group.ID] = group
		return err
	})
	return inOrder(ids, found), err
}

func scanGroup(scan Scan) (g reqlog.TraceGroup, err error) {
	err = scan(&g.ID, (*int64)(&g.FirstSeen), (*int64)(&g.LastSeen), &g.Traces, &g.Spans, &g.Requests, &g.Errors, &g.Cost,
		&g.TotalTokens, &g.InputTokens, &g.OutputTokens, &g.Sessions, &g.Users, &g.User)
	if g.Users != 1 {
		g.User = ""
	}
	return g, err
}
