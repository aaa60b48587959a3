package table

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// GroupTraces returns one page of the sessions or users of the traces, as
// reqlog.Store describes. The groups are summed up for the page only.
func (t *Table) GroupTraces(ctx context.Context, sel *Selection, wanted reqlog.TraceGroupQuery) (reqlog.FoundTraceGroups, error) {
	var found reqlog.FoundTraceGroups
	err := t.read(ctx, func(db *sql.DB) error {
		ids, total, err := readGroupPage(ctx, db, sel, wanted)
		found.Total = total
		if err != nil || len(ids) == 0 {
			return err
		}
		found.Items, err = readGroups(ctx, db, sel, wanted, ids)
		return err
	})
	if err != nil {
		return found, fmt.Errorf("group traces: %w", err)
	}
	return found, nil
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
	reqlog.GroupTraces:      {"count(*)", reqlog.FieldTraceStart},
	reqlog.GroupErrors:      {"sum(trace_errors)", traceErrors},
}

// readGroupPage returns the ids of the groups on the page and the number of all.
func readGroupPage(ctx context.Context, db *sql.DB, sel *Selection, wanted reqlog.TraceGroupQuery) (ids []string, total int64, err error) {
	err = groupPageQuery(sel, wanted).rows(ctx, db, func(rows *sql.Rows) error {
		var id sql.NullString
		err := rows.Scan(&total, &id)
		if id.Valid {
			ids = append(ids, id.String)
		}
		return err
	})
	return ids, total, err
}

// groupPageQuery has a row with the number of groups even if the page is empty.
func groupPageQuery(sel *Selection, wanted reqlog.TraceGroupQuery) *query {
	q := newQuery()
	views := newTraceViews(q, wanted.Workspace)
	sort, by, direction := groupSorts[cmp.Or(wanted.SortBy, reqlog.GroupLastSeen)], string(wanted.By), " DESC"
	if wanted.Ascending {
		direction = " ASC"
	}
	order := " ORDER BY sort" + direction + " NULLS LAST, id" + direction
	view := views.traces(append(fieldsOf(sel.Query.Filter, reqlog.LevelTrace), wanted.By, sort.field))
	matching := views.matching(sel)
	q.write(views.with(), "grouped AS MATERIALIZED (SELECT ", by, " AS id, ", sort.sql, " AS sort FROM ", view, " WHERE ", by, " IS NOT NULL AND ", matching,
		" GROUP BY id) SELECT total.groups, id FROM (SELECT count(*) AS groups FROM grouped) AS total LEFT JOIN (SELECT id, sort FROM grouped", order,
		" LIMIT ", q.bind(wanted.PerPage), " OFFSET ", q.bind(wanted.Offset()), ") AS page ON TRUE", order)
	return q
}

// readGroups sums up groups, in the order of their ids.
func readGroups(ctx context.Context, db *sql.DB, sel *Selection, wanted reqlog.TraceGroupQuery, ids []string) ([]reqlog.TraceGroup, error) {
	found := make(map[string]reqlog.TraceGroup, len(ids))
	err := groupsQuery(sel, wanted, ids).rows(ctx, db, func(rows *sql.Rows) error {
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
func groupsQuery(sel *Selection, wanted reqlog.TraceGroupQuery, ids []string) *query {
	q := newQuery()
	views := newTraceViews(q, wanted.Workspace)
	listed := " IN (" + q.bindList(ids) + ")"
	column := map[reqlog.Field]string{reqlog.FieldTraceSession: "session_id", reqlog.FieldTraceUser: "user_id"}[wanted.By]
	views.among = "(SELECT trace_key FROM span WHERE workspace = " + views.workspace + " AND " + column + listed + ")"
	view := views.traces(append(fieldsOf(sel.Query.Filter, reqlog.LevelTrace), "trace_end", "trace_total_cost_usd", "trace_total_tokens", "trace_input_tokens",
		"trace_output_tokens", "trace_span_count", traceRequests, traceErrors, reqlog.FieldTraceSession, reqlog.FieldTraceUser))
	matching := views.matching(sel)
	q.write(views.trees(), "SELECT ", string(wanted.By), " AS id, min(start_time), ", lastSeen, ", count(*), sum(trace_span_count)::BIGINT, sum(trace_requests)::BIGINT,",
		" sum(trace_errors)::BIGINT, sum(trace_total_cost_usd), sum(trace_total_tokens)::BIGINT, sum(trace_input_tokens)::BIGINT, sum(trace_output_tokens)::BIGINT,",
		" count(DISTINCT trace_session_id), count(DISTINCT trace_run_by_user_id), coalesce(min(trace_run_by_user_id), '') FROM ", view,
		" WHERE ", string(wanted.By), listed, " AND ", matching, " GROUP BY id")
	return q
}

func scanGroup(rows *sql.Rows) (g reqlog.TraceGroup, err error) {
	err = rows.Scan(&g.ID, &g.FirstSeen, &g.LastSeen, &g.Traces, &g.Spans, &g.Requests, &g.Errors, &g.Cost, &g.TotalTokens, &g.InputTokens, &g.OutputTokens,
		&g.Sessions, &g.Users, &g.User)
	if g.Users != 1 {
		g.User = ""
	}
	return g, err
}
