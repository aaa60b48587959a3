package clickhouse

import (
	"cmp"
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// SearchTraces implements reqlog.Store. The facts are computed for the traces of
// the page only.
func (s *Store) SearchTraces(ctx context.Context, search reqlog.SearchQuery) (found reqlog.FoundTraces, err error) {
	sel, err := s.selection(ctx, search.Query)
	if err != nil {
		return found, err
	}
	if found, err = s.tracePage(ctx, sel, search); err != nil {
		return found, s.explain(fmt.Errorf("search traces: %w", err))
	}
	return found, nil
}

func (s *Store) tracePage(ctx context.Context, sel *selection, search reqlog.SearchQuery) (found reqlog.FoundTraces, err error) {
	if _, err := s.readRow(ctx, traceCountQuery(sel), &found.Total); err != nil || found.Total <= search.Offset() {
		return found, err
	}
	var keys []int64
	if err := s.read(ctx, tracePageQuery(sel, search), func(rows *rowReader) error {
		var key int64
		err := rows.scan(&key)
		keys = append(keys, key)
		return err
	}); err != nil || len(keys) == 0 {
		return found, err
	}
	found.Items, err = s.facts(ctx, search.Workspace, keys)
	return found, err
}

func traceCountQuery(sel *selection) *query {
	q := newQuery()
	views := newTraceViews(q, sel.Workspace)
	view, matching := views.traces(fieldsOf(sel.Filter, reqlog.LevelTrace)), views.matching(sel)
	q.write(views.trees(), "SELECT count() FROM ", view, " WHERE ", matching)
	return q
}

func tracePageQuery(sel *selection, search reqlog.SearchQuery) *query {
	q := newQuery()
	views := newTraceViews(q, sel.Workspace)
	sort, direction := cmp.Or(search.SortBy, reqlog.FieldTraceStart), " DESC"
	if search.Ascending {
		direction = " ASC"
	}
	view := views.traces(append(fieldsOf(sel.Filter, reqlog.LevelTrace), sort, reqlog.FieldTraceID))
	matching := views.matching(sel)
	q.write(views.trees(), "SELECT trace_key FROM ", view, " WHERE ", matching, " ORDER BY ", string(sort), direction, " NULLS LAST, trace_id", direction,
		" LIMIT ", q.bindInt(int64(search.PerPage)), " OFFSET ", q.bindInt(search.Offset()))
	return q
}

// facts sums up traces, in the order of their keys.
func (s *Store) facts(ctx context.Context, workspace int64, keys []int64) ([]reqlog.TraceFacts, error) {
	found := make(map[int64]reqlog.TraceFacts, len(keys))
	err := s.read(ctx, factsQuery(workspace, keys), func(rows *rowReader) error {
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
	views.among = q.bindInts(keys)
	view := views.traces([]reqlog.Field{
		"trace_id", "trace_name", "trace_status", "trace_start", "trace_end", "trace_total_cost_usd", "trace_total_tokens", "trace_input_tokens",
		"trace_output_tokens", "trace_span_count", traceErrors, "trace_models_used", "trace_tool_names", "trace_run_by_user_id", "trace_session_id",
	})
	q.write("SELECT trace_key, trace_id, trace_name, trace_status, trace_start, trace_end, trace_total_cost_usd, trace_total_tokens, trace_input_tokens,",
		" trace_output_tokens, trace_span_count, trace_errors, trace_models_used, trace_tool_names, ifNull(trace_run_by_user_id, ''), ifNull(trace_session_id, ''),",
		" trace_key IN (SELECT trace_key FROM closure WHERE trace_key IN ", views.among, ") FROM ", view)
	return q
}

func scanFacts(rows *rowReader) (key int64, facts reqlog.TraceFacts, err error) {
	var start, end int64
	err = rows.scan(&key, &facts.ID, &facts.Name, &facts.Status, &start, &end, &facts.Cost, &facts.TotalTokens, &facts.InputTokens, &facts.OutputTokens,
		&facts.Spans, &facts.Errors, &facts.Models, &facts.Tools, &facts.User, &facts.Session, &facts.Closed)
	facts.Start, facts.End = reqlog.Micros(start), reqlog.Micros(end)
	return key, facts, err
}
