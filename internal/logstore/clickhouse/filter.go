package clickhouse

import (
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// selection is a query.Query whose free text has been resolved to words. Several
// queries can share it.
type selection struct {
	query.Query
	text freeText
	// upTo leaves out logs with higher ids; 0 means no limit.
	upTo int64
	// after restricts the selection to logs with higher ids.
	after int64
}

// where writes the condition that selects the logs.
func (s *selection) where(q *sqlQuery) string {
	text := "workspace = " + q.bindInt(s.Workspace)
	if s.upTo > 0 {
		text += " AND id <= " + q.bindInt(s.upTo)
	}
	if s.after > 0 {
		text += " AND id > " + q.bindInt(s.after)
	}
	if !s.text.none() {
		text += " AND " + s.text.matches(q, s.Workspace)
	}
	if s.Filter != nil {
		text += " AND " + s.filter(q)
	}
	return text
}

func (s *selection) filter(q *sqlQuery) string {
	return query.FilterWriter[string]{
		Cond: func(c query.Cond, negated bool) string { return logsql.Negatable(s.cond(q, c), negated) },
		Join: logsql.Join,
	}.Write(s.Filter)
}

// selected implements logsql.Logs.
type selected struct {
	*selection
	q *sqlQuery
}

// From implements logsql.Logs.
func (s selected) From() string { return "log WHERE " + s.where(s.q) }

// Traced implements logsql.Logs.
func (s selected) Traced() string { return s.traced(s.q, "") }

// textColumns have the texts in lower case.
var textColumns = map[query.Field]string{
	query.FieldInputText: "input_text", query.FieldOutputText: "output_text", query.FieldThinkingText: "thinking_text",
}

// cond writes a condition with a positive operator. For one on the id of the trace,
// the spans that may match are found first; if several traces have the span of a
// log, the lowest id counts.
func (s *selection) cond(q *sqlQuery, c query.Cond) string {
	w := q.writer()
	switch field := c.Field.Spec(); {
	case c.Field == query.FieldHasTrace:
		return s.traced(q, "")
	case field.OfTrace:
		return s.traced(q, " AND log_key IN ("+s.spans(q)+" AND "+w.StringCond("trace_id", c)+") GROUP BY log_key HAVING "+w.StringCond("min(trace_id)", c))
	case field.Type == query.TypeText:
		return w.Test(c.Op, textColumns[c.Field], q.bind(strings.ToLower(c.Texts[0])))
	default:
		return w.LogCond(c)
	}
}

// traced writes the condition that a log has a span, among those that meet another
// condition.
func (s *selection) traced(q *sqlQuery, condition string) string {
	return "span_key <> 0 AND span_key IN (" + s.spans(q) + condition + ")"
}

// spans writes the spans of the workspace.
func (s *selection) spans(q *sqlQuery) string {
	return "SELECT log_key FROM span FINAL WHERE workspace = " + q.bindInt(s.Workspace)
}
