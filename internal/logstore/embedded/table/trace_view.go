package table

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// traceViews writes queries over the traces and spans of one workspace. A view
// has the columns that are asked for, trace_key and start_time, and joins
// nothing else: a join over a million spans costs more than most questions.
type traceViews struct {
	q         *query
	workspace string
	// among restricts the views to some traces: a list or query of keys, "" for all.
	among string
	// tree says that the views need the trees of the traces.
	tree bool
}

func newTraceViews(q *query, workspace int64) *traceViews {
	return &traceViews{q: q, workspace: q.bind(workspace)}
}

// spans writes the view of spans.
func (v *traceViews) spans(fields []reqlog.Field) string {
	columns, needed := []string{"s.trace_key", "s.start_time"}, needs(0)
	for _, field := range unique(fields) {
		columns = append(columns, spanColumns[field].sql+" AS "+string(field))
		needed |= spanColumns[field].needs
	}
	return "(SELECT " + strings.Join(columns, ", ") + " FROM " + v.source(needed) + ")"
}

// traces writes the view of traces.
func (v *traceViews) traces(fields []reqlog.Field) string {
	columns, needed := []string{"s.trace_key", "min(s.start_time) AS start_time"}, needs(0)
	for _, field := range unique(fields) {
		columns = append(columns, traceColumns[field].sql+" AS "+string(field))
		needed |= traceColumns[field].needs
	}
	return "(SELECT " + strings.Join(columns, ", ") + " FROM " + v.source(needed) + " GROUP BY s.trace_key)"
}

func unique(fields []reqlog.Field) []reqlog.Field {
	return slices.Compact(slices.Sorted(slices.Values(fields)))
}

// source writes the spans with what is joined to them.
func (v *traceViews) source(needed needs) string {
	text := "span AS s"
	if needed&needsLog != 0 {
		text += " LEFT JOIN (SELECT * FROM log WHERE id IN (SELECT min(id) FROM log WHERE workspace = " + v.workspace +
			" AND span_key IS NOT NULL GROUP BY span_key)) AS l ON l.span_key = s.log_key"
	}
	if needed&needsSums != 0 {
		text += " LEFT JOIN (SELECT logged.trace_key, count(*) AS requests, sum(price) AS price, sum(total_tokens)::BIGINT AS total_tokens, sum(input_tokens)::BIGINT AS input_tokens," +
			" sum(output_tokens)::BIGINT AS output_tokens FROM (SELECT DISTINCT trace_key, log_key FROM span WHERE " + v.restricted("span") +
			") AS logged JOIN log ON log.span_key = logged.log_key GROUP BY logged.trace_key) AS sums ON sums.trace_key = s.trace_key"
	}
	if needed&needsDepth != 0 {
		v.tree = true
		text += " LEFT JOIN tree ON tree.key = s.key"
	}
	if needed&needsChildren != 0 {
		v.tree = true
		text += " LEFT JOIN (SELECT trace_key, parent, count(*) AS spans FROM node WHERE parent IS NOT NULL GROUP BY trace_key, parent) AS below" +
			" ON below.trace_key = s.trace_key AND below.parent = " + padded("s.span_id")
	}
	return text + " WHERE " + v.restricted("s")
}

// restricted writes the condition on the spans of a table.
func (v *traceViews) restricted(table string) string {
	text := table + ".workspace = " + v.workspace
	if v.among != "" {
		text += " AND " + table + ".trace_key IN " + v.among
	}
	return text
}

// padded writes an id with leading zeros. Some exporters drop those of the
// parent.
func padded(id string) string {
	return "CASE WHEN length(" + id + ") < 16 THEN lpad(" + id + ", 16, '0') ELSE " + id + " END"
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
	return "WITH RECURSIVE node AS (SELECT trace_key, key, " + padded("span_id") + " AS id, " + padded("parent_id") + " AS parent FROM span WHERE " + v.restricted("span") + "), " +
		"tree AS (SELECT trace_key, key, id, 1 AS depth FROM node WHERE NOT EXISTS (SELECT 1 FROM node AS up WHERE up.trace_key = node.trace_key AND up.id = node.parent) " +
		"UNION ALL SELECT node.trace_key, node.key, node.id, tree.depth + 1 FROM tree JOIN node ON node.trace_key = tree.trace_key AND node.parent = tree.id WHERE tree.depth < " + maxDepth + ") "
}

// with begins a query with one more common table.
func (v *traceViews) with() string {
	if trees := v.trees(); trees != "" {
		return trees + ", "
	}
	return "WITH "
}

// matching writes the condition that selects rows of the view of traces.
func (v *traceViews) matching(sel *Selection) string {
	text := v.filter(sel.Query.Filter)
	if sel.Matches != nil {
		text += " AND trace_key IN (SELECT trace_key FROM span WHERE " + v.restricted("span") + " AND log_key IN (SELECT span_key FROM log WHERE workspace = " +
			v.workspace + " AND span_key IS NOT NULL AND " + sel.inSet(v.q, sel.Matches) + "))"
	}
	return text
}

// selected writes the rows that an aggregate is computed over.
func (v *traceViews) selected(sel *Selection, aggregate reqlog.AggregateQuery) string {
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
	conditions := fieldsOf(sel.Query.Filter, reqlog.LevelTrace)
	if aggregate.Level == reqlog.LevelTrace {
		return "(SELECT * FROM " + v.traces(append(fields, conditions...)) + " WHERE " + v.matching(sel) + ")"
	}
	if sel.Query.Filter == nil && sel.Matches == nil {
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
		if negated {
			return "(NOT coalesce(" + v.cond(positive) + ", FALSE))"
		}
		return "(" + v.cond(positive) + ")"
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
	column := string(c.Field)
	switch typ := reqlog.TraceSpec(c.Field).Type; {
	case typ == reqlog.TypeText, typ == reqlog.TypeName && !slices.Contains(reqlog.TypeString.Operators(), c.Op):
		return textCond(v.q, column, c)
	case c.Field == "span_attributes", c.Field == "span_resource":
		return attributeCond(v.q, column, c)
	case typ == reqlog.TypeNested:
		return pairCond(v.q, column, c)
	default:
		return columnCond(v.q, typ, column, c)
	}
}

var textTests = map[reqlog.Op]string{reqlog.OpContains: "contains", reqlog.OpStartsWith: "starts_with", reqlog.OpEndsWith: "ends_with"}

func textCond(q *query, column string, c reqlog.Cond) string {
	return textTests[c.Op] + "(lower(" + column + "), lower(" + q.bind(c.Texts[0]) + "))"
}

// pairCond writes a condition on the pairs of a nested field without a column
// for its keys.
func pairCond(q *query, column string, c reqlog.Cond) string {
	if c.Op == reqlog.OpIsEmpty {
		return "len(list_filter(" + column + ", x -> starts_with(x, " + q.bind(document.PairText(c.Key, "")) + "))) = 0"
	}
	return nestedCond(q, column, "", c)
}
