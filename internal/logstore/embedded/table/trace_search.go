package table

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// SearchTraces returns one page of the traces, as reqlog.Store describes. The
// facts are computed for the traces of the page only.
func (t *Table) SearchTraces(ctx context.Context, sel *Selection, wanted reqlog.SearchQuery) (reqlog.FoundTraces, error) {
	var found reqlog.FoundTraces
	err := t.read(ctx, func(db *sql.DB) error {
		keys, total, err := readPage(ctx, db, sel, wanted)
		found.Total = total
		if err != nil || len(keys) == 0 {
			return err
		}
		found.Items, err = readFacts(ctx, db, wanted.Workspace, keys)
		return err
	})
	if err != nil {
		return found, fmt.Errorf("search traces: %w", err)
	}
	return found, nil
}

// readPage returns the keys of the traces on the page and the number of all. Two
// queries are needed: counting with a window function in the query of the page
// makes DuckDB 1.5 fail now and then.
func readPage(ctx context.Context, db *sql.DB, sel *Selection, wanted reqlog.SearchQuery) (keys []int64, total int64, err error) {
	q := newQuery()
	views := newTraceViews(q, wanted.Workspace)
	view, matching := views.traces(fieldsOf(sel.Query.Filter, reqlog.LevelTrace)), views.matching(sel)
	q.write(views.trees(), "SELECT count(*) FROM ", view, " WHERE ", matching)
	if err := db.QueryRowContext(ctx, q.text(), q.args...).Scan(&total); err != nil || total <= wanted.Offset() {
		return nil, total, err
	}
	err = tracePageQuery(sel, wanted).rows(ctx, db, func(rows *sql.Rows) error {
		var key int64
		err := rows.Scan(&key)
		keys = append(keys, key)
		return err
	})
	return keys, total, err
}

func tracePageQuery(sel *Selection, wanted reqlog.SearchQuery) *query {
	q := newQuery()
	views := newTraceViews(q, wanted.Workspace)
	sort, direction := cmp.Or(wanted.SortBy, reqlog.FieldTraceStart), " DESC"
	if wanted.Ascending {
		direction = " ASC"
	}
	view := views.traces(append(fieldsOf(sel.Query.Filter, reqlog.LevelTrace), sort, reqlog.FieldTraceID))
	matching := views.matching(sel)
	q.write(views.trees(), "SELECT trace_key FROM ", view, " WHERE ", matching, " ORDER BY ", string(sort), direction, " NULLS LAST, trace_id", direction,
		" LIMIT ", q.bind(wanted.PerPage), " OFFSET ", q.bind(wanted.Offset()))
	return q
}

// readFacts sums up traces, in the order of their keys.
func readFacts(ctx context.Context, db *sql.DB, workspace int64, keys []int64) ([]reqlog.TraceFacts, error) {
	found := make(map[int64]reqlog.TraceFacts, len(keys))
	err := factsQuery(workspace, keys).rows(ctx, db, func(rows *sql.Rows) error {
		key, facts, err := scanFacts(rows)
		found[key] = facts
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("sum up traces: %w", err)
	}
	items := make([]reqlog.TraceFacts, 0, len(keys))
	for _, key := range keys {
		items = append(items, found[key])
	}
	return items, nil
}

func factsQuery(workspace int64, keys []int64) *query {
	q := newQuery()
	views := newTraceViews(q, workspace)
	views.among = q.list(keys)
	view := views.traces([]reqlog.Field{
		"trace_id", "trace_name", "trace_status", "trace_start", "trace_end", "trace_total_cost_usd", "trace_total_tokens", "trace_input_tokens",
		"trace_output_tokens", "trace_span_count", "trace_models_used", "trace_tool_names", "trace_run_by_user_id", "trace_session_id",
	})
	q.write("SELECT traces.trace_key, trace_id, trace_name, trace_status, trace_start, trace_end, trace_total_cost_usd, trace_total_tokens, trace_input_tokens,",
		" trace_output_tokens, trace_span_count, failed.spans, trace_models_used, trace_tool_names, coalesce(trace_run_by_user_id, ''), coalesce(trace_session_id, ''),",
		" traces.trace_key IN (SELECT trace_key FROM closure) FROM ", view, " AS traces LEFT JOIN (SELECT trace_key, count(*) AS spans FROM span WHERE ",
		views.restricted("span"), " AND status = 'ERROR' GROUP BY trace_key) AS failed ON failed.trace_key = traces.trace_key")
	return q
}

func scanFacts(rows *sql.Rows) (key int64, facts reqlog.TraceFacts, err error) {
	var errors sql.NullInt64
	var models, tools duckdb.Composite[[]string]
	err = rows.Scan(&key, &facts.ID, &facts.Name, &facts.Status, &facts.Start, &facts.End, &facts.Cost, &facts.TotalTokens, &facts.InputTokens, &facts.OutputTokens,
		&facts.Spans, &errors, &models, &tools, &facts.User, &facts.Session, &facts.Closed)
	facts.Errors, facts.Models, facts.Tools = errors.Int64, models.Get(), tools.Get()
	return key, facts, err
}
