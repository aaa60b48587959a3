package clickhouse

import (
	"cmp"
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// GroupTraces implements reqlog.Store. The groups are summed up for the page only.
func (s *Store) GroupTraces(ctx context.Context, wanted reqlog.TraceGroupQuery) (found reqlog.FoundTraceGroups, err error) {
	sel, err := s.selection(ctx, wanted.Query)
	if err != nil {
		return found, err
	}
	if found, err = s.groupPage(ctx, sel, wanted); err != nil {
		return found, s.explain(fmt.Errorf("group traces: %w", err))
	}
	return found, nil
}

func (s *Store) groupPage(ctx context.Context, sel *selection, wanted reqlog.TraceGroupQuery) (found reqlog.FoundTraceGroups, err error) {
	if _, err := s.readRow(ctx, groupCountQuery(sel, wanted), &found.Total); err != nil || found.Total <= wanted.Offset() {
		return found, err
	}
	var ids []string
	if err := s.read(ctx, groupPageQuery(sel, wanted), func(rows *rowReader) error {
		var id string
		err := rows.scan(&id)
		ids = append(ids, id)
		return err
	}); err != nil || len(ids) == 0 {
		return found, err
	}
	found.Items, err = s.groups(ctx, sel, wanted, ids)
	return found, err
}

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
	reqlog.GroupTraces:      {"count()", reqlog.FieldTraceStart},
	reqlog.GroupErrors:      {"sum(trace_errors)", traceErrors},
}

func groupCountQuery(sel *selection, wanted reqlog.TraceGroupQuery) *query {
	q := newQuery()
	views := newTraceViews(q, wanted.Workspace)
	view := views.traces(append(fieldsOf(sel.Filter, reqlog.LevelTrace), wanted.By))
	matching := views.matching(sel)
	q.write(views.trees(), "SELECT uniqExact(", string(wanted.By), ") FROM ", view, " WHERE ", string(wanted.By), " IS NOT NULL AND ", matching)
	return q
}

func groupPageQuery(sel *selection, wanted reqlog.TraceGroupQuery) *query {
	q := newQuery()
	views := newTraceViews(q, wanted.Workspace)
	sort, by, direction := groupSorts[cmp.Or(wanted.SortBy, reqlog.GroupLastSeen)], string(wanted.By), " DESC"
	if wanted.Ascending {
		direction = " ASC"
	}
	view := views.traces(append(fieldsOf(sel.Filter, reqlog.LevelTrace), wanted.By, sort.field))
	matching := views.matching(sel)
	q.write(views.trees(), "SELECT assumeNotNull(", by, ") FROM ", view, " WHERE ", by, " IS NOT NULL AND ", matching, " GROUP BY ", by,
		" ORDER BY ", sort.sql, direction, " NULLS LAST, ", by, direction, " LIMIT ", q.bindInt(int64(wanted.PerPage)), " OFFSET ", q.bindInt(wanted.Offset()))
	return q
}

// groups sums up groups, in the order of their ids.
func (s *Store) groups(ctx context.Context, sel *selection, wanted reqlog.TraceGroupQuery, ids []string) ([]reqlog.TraceGroup, error) {
	found := make(map[string]reqlog.TraceGroup, len(ids))
	err := s.read(ctx, groupsQuery(sel, wanted, ids), func(rows *rowReader) error {
		group, err := scanGroup(rows)
		found[group.ID] = group
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("sum up groups: %w", err)
	}
	items := make([]reqlog.TraceGroup, 0, len(ids))
	for _, id := range ids {
		items = append(items, found[id])
	}
	return items, nil
}

// groupsQuery reads only traces with a span of one of the groups.
func groupsQuery(sel *selection, wanted reqlog.TraceGroupQuery, ids []string) *query {
	q := newQuery()
	views := newTraceViews(q, wanted.Workspace)
	listed := " IN " + q.bindTexts(ids)
	column := map[reqlog.Field]string{reqlog.FieldTraceSession: "session_id", reqlog.FieldTraceUser: "user_id"}[wanted.By]
	views.among = "(SELECT trace_key FROM span FINAL WHERE workspace = " + views.workspace + " AND " + column + listed + ")"
	view := views.traces(append(fieldsOf(sel.Filter, reqlog.LevelTrace), "trace_end", "trace_total_cost_usd", "trace_total_tokens", "trace_input_tokens",
		"trace_output_tokens", "trace_span_count", traceRequests, traceErrors, reqlog.FieldTraceSession, reqlog.FieldTraceUser))
	matching := views.matching(sel)
	by := string(wanted.By)
	q.write(views.trees(), "SELECT assumeNotNull(", by, "), min(start_time), ", lastSeen, ", count(), sum(trace_span_count), sum(trace_requests), sum(trace_errors),",
		" sum(trace_total_cost_usd), sum(trace_total_tokens), sum(trace_input_tokens), sum(trace_output_tokens),",
		" uniqExact(trace_session_id), uniqExact(trace_run_by_user_id), ifNull(min(trace_run_by_user_id), '') FROM ", view,
		" WHERE ", by, listed, " AND ", matching, " GROUP BY ", by)
	return q
}

func scanGroup(rows *rowReader) (g reqlog.TraceGroup, err error) {
	var first, last int64
	err = rows.scan(&g.ID, &first, &last, &g.Traces, &g.Spans, &g.Requests, &g.Errors, &g.Cost, &g.TotalTokens, &g.InputTokens, &g.OutputTokens,
		&g.Sessions, &g.Users, &g.User)
	g.FirstSeen, g.LastSeen = reqlog.Micros(first), reqlog.Micros(last)
	if g.Users != 1 {
		g.User = ""
	}
	return g, err
}
