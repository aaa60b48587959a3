package logsql

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Views writes queries over the traces and spans of one workspace. A view has the
// columns that are asked for, trace_key and start_time, and joins nothing else: a
// join over a million spans costs more than most questions.
type Views struct {
	Writer
	Engine
	// Workspace is the workspace, bound.
	Workspace string
	// Among restricts the views to some traces: a list or query of keys, "" for all.
	Among string
	// Found writes the condition that a row is of a trace with a log that has the
	// free text. It is nil without free text.
	Found func() string
	// tree says that the views need the trees of the traces.
	tree bool
}

// Engine is how an engine reads the tables of spans and logs.
type Engine interface {
	// Table is the table of spans, as it follows FROM.
	Table() string
	// HasSpan writes the condition that a log has the key of a span.
	HasSpan() string
	// FirstLogs writes a query of columns of the first log of each span.
	FirstLogs(v *Views, columns string) string
	// Padded writes an id with leading zeros. Some exporters drop those of the
	// parent.
	Padded(id string) string
	// Attribute writes a condition with a positive operator on attributes.
	Attribute(w Writer, column string, c query.Cond) string
}

// view writes the columns of fields, and says what they need.
func view(all map[query.Field]viewColumn, fields []query.Field) (text string, needed Needs) {
	var list strings.Builder
	for _, field := range slices.Compact(slices.Sorted(slices.Values(fields))) {
		list.WriteString(", " + all[field].sql + " AS " + string(field))
		needed |= all[field].needs
	}
	return list.String(), needed
}

// spanRows writes the view of spans.
func (v *Views) spanRows(fields []query.Field) string {
	columns, needed := view(v.spans, fields)
	return "(SELECT s.trace_key AS trace_key, s.start_time AS start_time" + columns + " FROM " + v.source(needed) + ")"
}

// traceRows writes the view of traces.
func (v *Views) traceRows(fields []query.Field) string {
	columns, needed := view(v.traces, fields)
	return "(SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time" + columns + " FROM " + v.source(needed) + " GROUP BY s.trace_key)"
}

// matching writes the condition that selects rows of the view of traces.
func (v *Views) matching(filter query.Node) string {
	text := v.filter(filter)
	if v.Found != nil {
		text += " AND " + v.Found()
	}
	return text
}

// Aggregate writes an aggregate over traces or spans.
func (v *Views) Aggregate(aggregate chart.AggregateQuery) string {
	rows := v.selected(aggregate)
	return v.with() + v.Writer.Aggregate(aggregate, func() string { return rows })
}

// selected writes the rows that an aggregate is computed over.
func (v *Views) selected(aggregate chart.AggregateQuery) string {
	var fields []query.Field
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
	conditions := fieldsOf(aggregate.Filter, query.LevelTrace)
	if aggregate.Level == query.LevelTrace {
		return "(SELECT * FROM " + v.traceRows(append(fields, conditions...)) + " WHERE " + v.matching(aggregate.Filter) + ")"
	}
	rows := v.spanRows(fields)
	if aggregate.Filter == nil && v.Found == nil {
		return rows
	}
	return "(SELECT * FROM " + rows + " WHERE trace_key IN (SELECT trace_key FROM " + v.traceRows(conditions) + " WHERE " + v.matching(aggregate.Filter) + "))"
}

// filter writes the condition that a row of the view of traces matches. A
// condition on spans, or a group of them, is met by a trace with such a span.
func (v *Views) filter(node query.Node) string {
	switch n := node.(type) {
	case nil:
		return "TRUE"
	case query.Group:
		if !n.Span {
			return Join(n.Any, writeEach(n.Nodes, v.filter))
		}
	case query.Cond:
		if query.TraceSpec(n.Field).Level == query.LevelTrace {
			return v.row(n)
		}
	}
	return "trace_key IN (SELECT trace_key FROM " + v.spanRows(fieldsOf(node, query.LevelSpan)) + " WHERE " + v.row(node) + ")"
}

// row writes the condition that one row has all columns for.
func (v *Views) row(node query.Node) string {
	switch n := node.(type) {
	case query.Group:
		return Join(n.Any, writeEach(n.Nodes, v.row))
	case query.Cond:
		positive, negated := n.Positive()
		return Negatable(v.cond(positive), negated)
	}
	panic("unknown filter node")
}

func writeEach(nodes []query.Node, write func(query.Node) string) []string {
	parts := make([]string, len(nodes))
	for i, node := range nodes {
		parts[i] = write(node)
	}
	return parts
}

// fieldsOf returns the fields of a level that a filter uses.
func fieldsOf(node query.Node, level query.Level) (fields []query.Field) {
	for c := range query.Conds(node) {
		if query.TraceSpec(c.Field).Level == level {
			fields = append(fields, c.Field)
		}
	}
	return fields
}

// cond writes a condition with a positive operator.
func (v *Views) cond(c query.Cond) string {
	column := string(c.Field)
	if c.Field == "span_attributes" || c.Field == "span_resource" {
		return v.Attribute(v.Writer, column, c)
	}
	return v.columnCond(query.TraceSpec(c.Field).Type, column, c)
}
