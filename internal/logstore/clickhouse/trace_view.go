package clickhouse

import (
	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// spans implements logsql.Spans.
type spans struct{}

// views returns the views of the traces that the selection asks about.
func (s *selection) views(q *query) *logsql.Views {
	v := &logsql.Views{Writer: q.writer(), Spans: spans{}, Workspace: q.bindInt(s.Workspace)}
	if !s.text.none() {
		v.Found = func() string {
			return "trace_key IN (SELECT trace_key FROM span FINAL WHERE workspace = " + v.Workspace + " AND log_key IN (" +
				logsOf(v, "span_key") + " AND " + s.text.matches(q, s.Workspace) + "))"
		}
	}
	return v
}

// Table implements logsql.Spans.
func (spans) Table() string { return "span FINAL" }

// Attribute implements logsql.Spans: attributes are lists of pairs.
func (spans) Attribute(w logsql.Writer, column string, c reqlog.Cond) string {
	return w.NestedCond(column, c)
}

// all writes the spans of the workspace, or of some traces.
func all(v *logsql.Views, columns string) string {
	text := "(SELECT " + columns + " FROM span FINAL WHERE workspace = " + v.Workspace
	if v.Among != "" {
		text += " AND trace_key IN " + v.Among
	}
	return text + ")"
}

// logsOf writes the logs that have a span.
func logsOf(v *logsql.Views, columns string) string {
	text := "SELECT " + columns + " FROM log WHERE workspace = " + v.Workspace + " AND span_key <> 0"
	if v.Among != "" {
		text += " AND span_key IN " + all(v, "log_key")
	}
	return text
}

// Source implements logsql.Spans.
func (spans) Source(v *logsql.Views, needed logsql.Needs) string {
	text := all(v, "*") + " AS s"
	if needed&logsql.NeedsLog != 0 {
		text += " LEFT JOIN (" + logsOf(v, "id, span_key, engine, price, total_tokens, input_tokens, output_tokens, prompt_id, prompt_version, variable_pairs") +
			" ORDER BY id LIMIT 1 BY span_key) AS l ON l.span_key = s.log_key"
	}
	if needed&logsql.NeedsSums != 0 {
		text += " LEFT JOIN (SELECT logged.trace_key AS trace_key, count() AS requests, sum(logs.price) AS price, sum(logs.total_tokens) AS total_tokens," +
			" sum(logs.input_tokens) AS input_tokens, sum(logs.output_tokens) AS output_tokens FROM " + all(v, "DISTINCT trace_key, log_key") +
			" AS logged JOIN (" + logsOf(v, "span_key, price, total_tokens, input_tokens, output_tokens") +
			") AS logs ON logs.span_key = logged.log_key GROUP BY logged.trace_key) AS sums ON sums.trace_key = s.trace_key"
	}
	if needed&logsql.NeedsDepth != 0 {
		v.Tree = true
		text += " LEFT JOIN (SELECT key, max(depth) AS depth FROM tree GROUP BY key) AS tree ON tree.key = s.key"
	}
	if needed&logsql.NeedsChildren != 0 {
		v.Tree = true
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

// Trees implements logsql.Spans: each span with its parent, and the levels from the
// roots down.
func (spans) Trees(v *logsql.Views) string {
	return "WITH RECURSIVE node AS (SELECT trace_key, key, " + padded("span_id") + " AS id, " + padded("parent_id") + " AS parent FROM " + all(v, "trace_key, key, span_id, parent_id") + "), " +
		"tree AS (SELECT trace_key, key, id, toInt64(1) AS depth FROM node WHERE parent IS NULL OR (trace_key, assumeNotNull(parent)) NOT IN (SELECT trace_key, id FROM node) " +
		"UNION ALL SELECT node.trace_key, node.key, node.id, tree.depth + 1 FROM tree JOIN node ON node.trace_key = tree.trace_key AND node.parent = tree.id WHERE tree.depth < " + maxDepth + ") "
}
