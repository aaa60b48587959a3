package clickhouse

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// traceViews writes queries over the traces and spans of one workspace. A view
// has the columns that are asked for, trace_key and start_time, and joins
// nothing else.
type traceViews struct {
	q         *query
	workspace string
	// among restricts the views to some traces: a list or query of keys, "" for all.
	among string
	// tree says that the views need the trees of the traces.
	tree bool
}

func newTraceViews(q *query, workspace int64) *traceViews {
	return &traceViews{q: q, workspace: q.bindInt(workspace)}
}

// spans writes the view of spans.
func (v *traceViews) spans(fields []reqlog.Field) string {
	columns, needed := []string{"s.trace_key AS trace_key", "s.start_time AS start_time"}, needs(0)
	for _, field := range unique(fields) {
		columns = append(columns, spanColumns[field].sql+" AS "+string(field))
		needed |= spanColumns[field].needs
	}
	return "(SELECT " + strings.Join(columns, ", ") + " FROM " + v.source(needed) + ")"
}

// traces writes the view of traces.
func (v *traceViews) traces(fields []reqlog.Field) string {
	columns, needed := []string{"s.trace_key AS trace_key", "min(s.start_time) AS start_time"}, needs(0)
	for _, field := range unique(fields) {
		columns = append(columns, traceColumns[field].sql+" AS "+string(field))
		needed |= traceColumns[field].needs
	}
	return "(SELECT " + strings.Join(columns, ", ") + " FROM " + v.source(needed) + " GROUP BY s.trace_key)"
}

func unique(fields []reqlog.Field) []reqlog.Field {
	return slices.Compact(slices.Sorted(slices.Values(fields)))
}

// all writes the spans of the workspace, or of some traces.
func (v *traceViews) all(columns string) string {
	text := "(SELECT " + columns + " FROM span FINAL WHERE workspace = " + v.workspace
	if v.among != "" {
		text += " AND trace_key IN " + v.among
	}
	return text + ")"
}

// logs writes the logs that have a span.
func (v *traceViews) logs(columns string) string {
	text := "SELECT " + columns + " FROM log WHERE workspace = " + v.workspace + " AND span_key <> 0"
	if v.among != "" {
		text += " AND span_key IN " + v.all("log_key")
	}
	return text
}

// source writes the spans with what is joined to them.
func (v *traceViews) source(needed needs) string {
	text := v.all("*") + " AS s"
	if needed&needsLog != 0 {
		text += " LEFT JOIN (" + v.logs("id, span_key, engine, price, total_tokens, input_tokens, output_tokens, prompt_id, prompt_version, variable_pairs") +
			" ORDER BY id LIMIT 1 BY span_key) AS l ON l.span_key = s.log_key"
	}
	if needed&needsSums != 0 {
		text += " LEFT JOIN (SELECT logged.trace_key AS trace_key, count() AS requests, sum(logs.price) AS price, sum(logs.total_tokens) AS total_tokens," +
			" sum(logs.input_tokens) AS input_tokens, sum(logs.output_tokens) AS output_tokens FROM " + v.all("DISTINCT trace_key, log_key") +
			" AS logged JOIN (" + v.logs("span_key, price, total_tokens, input_tokens, output_tokens") +
			") AS logs ON logs.span_key = logged.log_key GROUP BY logged.trace_key) AS sums ON sums.trace_key = s.trace_key"
	}
	if needed&needsDepth != 0 {
		v.tree = true
		text += " LEFT JOIN (SELECT key, max(depth) AS depth FROM tree GROUP BY key) AS tree ON tree.key = s.key"
	}
	if needed&needsChildren != 0 {
		v.tree = true
		text += " LEFT JOIN (SELECT trace_key, parent, toInt64(count()) AS spans FROM node WHERE parent IS NOT NULL GROUP BY trace_key, parent) AS below" +
			" ON below.trace_key = s.trace_key AND below.parent = " + padded("s.span_id")
	}
	return text
}

// padded writes an id with leading zeros. Some exporters drop those of the
// parent.
func padded(id string) string {
	return "if(lengthUTF8(" + id + ") < 16, leftPadUTF8(" + id + ", 16, '0'), " + id + ")"
}

// maxDepth is the number of levels of a tree that are counted. Spans in a circle
// have no level.
const maxDepth = "1000"

// trees writes the common tables that the views refer to: each span with its
// parent, and the levels from the roots down.
func (v *traceViews) trees() string {
	if !v.tree {
		return ""
	}
	return "WITH RECURSIVE node AS (SELECT trace_key, key, " + padded("span_id") + " AS id, " + padded("parent_id") + " AS parent FROM " + v.all("trace_key, key, span_id, parent_id") + "), " +
		"tree AS (SELECT trace_key, key, id, toInt64(1) AS depth FROM node WHERE parent IS NULL OR (trace_key, assumeNotNull(parent)) NOT IN (SELECT trace_key, id FROM node) " +
		"UNION ALL SELECT node.trace_key, node.key, node.id, tree.depth + 1 FROM tree JOIN node ON node.trace_key = tree.trace_key AND node.parent = tree.id WHERE tree.depth < " + maxDepth + ") "
}

// matching writes the condition that selects rows of the view of traces.
func (v *traceViews) matching(sel *selection) string {
	text := v.filter(sel.Filter)
	if !sel.text.none() {
		text += " AND trace_key IN (SELECT trace_key FROM span FINAL WHERE workspace = " + v.workspace + " AND log_key IN (" +
			v.logs("span_key") + " AND " + sel.text.matches(v.q, sel.Workspace) + "))"
	}
	return text
}

// selected writes the rows that an aggregate is computed over.
func (v *traceViews) selected(sel *selection, aggregate reqlog.AggregateQuery) string {
	var fields []reqlog.Field
	for _, d := range aggregate.By {
		if d.Field != "" {
			fields = append(fields, d.Field)
		}
	}
	for _, m := range aggregate.Measures {
		if m.Field != "" {
			fields = append(fields, m.Field)
		}
	}
	conditions := fieldsOf(sel.Filter, reqlog.LevelTrace)
	if aggregate.Level == reqlog.LevelTrace {
		return "(SELECT * FROM " + v.traces(append(fields, conditions...)) + " WHERE " + v.matching(sel) + ")"
	}
	if sel.Filter == nil && sel.text.none() {
		return v.spans(fields)
	}
	return "(SELECT * FROM " + v.spans(fields) + " WHERE trace_key IN (SELECT trace_key FROM " + v.traces(conditions) + " WHERE " + v.matching(sel) + "))"
}

// filter writes the condition that a row of the view of traces matches.
func (v *traceViews) filter(node reqlog.Node) string {
	switch n := node.(type) {
	case nil:
		return "TRUE"
	case reqlog.Group:
		if !n.Span {
			return joinConds(n.Any, writeEach(n.Nodes, v.filter))
		}
	case reqlog.Cond:
		if reqlog.TraceSpec(n.Field).Level == reqlog.LevelTrace {
			return v.row(n)
		}
	}
	return "trace_key IN (SELECT trace_key FROM " + v.spans(fieldsOf(node, reqlog.LevelSpan)) + " WHERE " + v.row(node) + ")"
}

// row writes the condition that one row has all columns for.
func (v *traceViews) row(node reqlog.Node) string {
	switch n := node.(type) {
	case reqlog.Group:
		return joinConds(n.Any, writeEach(n.Nodes, v.row))
	case reqlog.Cond:
		positive, negated := n.Positive()
		return negatable(v.cond(positive), negated)
	}
	panic("unknown filter node")
}

func writeEach(nodes []reqlog.Node, write func(reqlog.Node) string) []string {
	parts := make([]string, len(nodes))
	for i, node := range nodes {
		parts[i] = write(node)
	}
	return parts
}

// fieldsOf returns the fields of a level that a filter uses.
func fieldsOf(node reqlog.Node, level reqlog.Level) (fields []reqlog.Field) {
	for c := range reqlog.Conds(node) {
		if reqlog.TraceSpec(c.Field).Level == level {
			fields = append(fields, c.Field)
		}
	}
	return fields
}

// cond writes a condition with a positive operator.
func (v *traceViews) cond(c reqlog.Cond) string {
	field := reqlog.TraceSpec(c.Field)
	switch field.Type {
	case reqlog.TypeText:
		return textTest(c.Op, lowered(field.Column), lowered(v.q.bind(c.Texts[0])))
	case reqlog.TypeNested:
		lacks := ""
		if c.Op == reqlog.OpIsEmpty {
			lacks = "NOT arrayExists(x -> startsWith(x, " + v.q.bind(document.PairText(c.Key, "")) + "), " + field.Column + ")"
		}
		return nestedCond(v.q, field.Column, lacks, c)
	default:
		return columnCond(v.q, field, c)
	}
}
