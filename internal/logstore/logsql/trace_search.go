package logsql

import (
	"cmp"

	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// CountTraces writes the query of the number of traces that match a filter.
func (v *Views) CountTraces(filter query.Node) string {
	rows, matching := v.traceRows(fieldsOf(filter, query.LevelTrace)), v.matching(filter)
	return v.with() + "SELECT count(*) FROM " + rows + " WHERE " + matching
}

// TracePage writes the query of the keys of the traces on a page. Nulls are last in
// either direction; ties are broken by id.
func (v *Views) TracePage(search query.SearchQuery) string {
	sort, direction := cmp.Or(search.SortBy, query.FieldTraceStart), Direction(search.Ascending)
	rows := v.traceRows(append(fieldsOf(search.Filter, query.LevelTrace), sort, query.FieldTraceID))
	matching := v.matching(search.Filter)
	return v.with() + "SELECT trace_key FROM " + rows + " WHERE " + matching + " ORDER BY " + string(sort) + direction + " NULLS LAST, trace_id" + direction +
		v.page(search)
}

func (v *Views) page(search query.SearchQuery) string {
	return " LIMIT " + v.Int(int64(search.PerPage)) + " OFFSET " + v.Int(search.Offset())
}

// Facts writes the query that sums up traces.
func (v *Views) Facts(keys []int64) string {
	v.Among = v.InInts(keys)
	rows := v.traceRows([]query.Field{
		"trace_id", "trace_name", "trace_status", "trace_start", "trace_end", "trace_total_cost_usd", "trace_total_tokens", "trace_input_tokens",
		"trace_output_tokens", "trace_span_count", traceErrors, "trace_models_used", "trace_tool_names", "trace_run_by_user_id", "trace_session_id",
	})
	return "SELECT trace_key, trace_id, trace_name, trace_status, trace_start, trace_end, trace_total_cost_usd, trace_total_tokens, trace_input_tokens," +
		" trace_output_tokens, trace_span_count, trace_errors, trace_models_used, trace_tool_names, coalesce(trace_run_by_user_id, ''), coalesce(trace_session_id, '')," +
		" trace_key IN (SELECT trace_key FROM closure WHERE trace_key IN " + v.Among + ") FROM " + rows
}

// scanFacts reads a row of Facts.
func scanFacts(scan Scan) (key int64, facts query.TraceFacts, err error) {
	var models, tools any
	err = scan(&key, &facts.ID, &facts.Name, &facts.Status, (*int64)(&facts.Start), (*int64)(&facts.End), &facts.Cost,
		&facts.TotalTokens, &facts.InputTokens, &facts.OutputTokens, &facts.Spans, &facts.Errors, &models, &tools, &facts.User, &facts.Session, &facts.Closed)
	facts.Models, facts.Tools = listOf[string](models), listOf[string](tools)
	return key, facts, err
}

// Ask runs a query over the views that write writes, and calls row for each row.
type Ask func(write func(*Views) string, row func(Scan) error) error

// SearchTraces returns one page of the traces, as query.Reader describes. Traces are
// summed up for the page only.
func SearchTraces(ask Ask, search query.SearchQuery, read Paging[int64]) (found query.FoundTraces, err error) {
	count := func(v *Views) string { return v.CountTraces(search.Filter) }
	keys, total, err := read(ask, search, func(v *Views) string { return v.TracePage(search) }, count)
	found.Total = total
	if err != nil || len(keys) == 0 {
		return found, err
	}
	found.Items, err = readFacts(ask, keys)
	return found, err
}

// LastOffset is where no page is any more.
const LastOffset = 1 << 40

// Paging returns the first column of the rows on a page, and the number of all rows.
// There are two queries: a window function in the query of the page makes DuckDB 1.5
// fail now and then.
type Paging[K any] func(ask Ask, search query.SearchQuery, page, count func(*Views) string) (keys []K, total int64, err error)

// CountFirst reads no page if there is none, for engines that count in less time than
// they find a page.
func CountFirst[K any](ask Ask, search query.SearchQuery, page, count func(*Views) string) (keys []K, total int64, err error) {
	err = ask(count, func(scan Scan) error { return scan(&total) })
	if err != nil || total <= search.Offset() {
		return nil, total, err
	}
	keys, err = readKeys[K](ask, page)
	return keys, total, err
}

// PageFirst counts only if the page does not tell the number, for engines in which
// every query takes a while.
func PageFirst[K any](ask Ask, search query.SearchQuery, page, count func(*Views) string) (keys []K, total int64, err error) {
	if search.Offset() <= LastOffset {
		keys, err = readKeys[K](ask, page)
	}
	seen, last := len(keys), search.Offset()+int64(len(keys))
	if err != nil || seen < search.PerPage && (seen > 0 || last == 0) {
		return keys, last, err
	}
	err = ask(count, func(scan Scan) error { return scan(&total) })
	if seen > 0 {
		total = max(total, last)
	}
	return keys, total, err
}

func readKeys[K any](ask Ask, page func(*Views) string) (keys []K, err error) {
	err = ask(page, func(scan Scan) error {
		var key K
		err := scan(&key)
		keys = append(keys, key)
		return err
	})
	return keys, err
}

// readFacts sums up traces, in the order of their keys.
func readFacts(ask Ask, keys []int64) ([]query.TraceFacts, error) {
	found := make(map[int64]query.TraceFacts, len(keys))
	err := ask(func(v *Views) string { return v.Facts(keys) }, func(scan Scan) error {
		key, facts, err := scanFacts(scan)
		found[key] = facts
		return err
	})
	return inOrder(keys, found), err
}

// inOrder returns the values of the keys, in their order.
func inOrder[K comparable, V any](keys []K, found map[K]V) []V {
	items := make([]V, 0, len(keys))
	for _, key := range keys {
		items = append(items, found[key])
	}
	return items
}
