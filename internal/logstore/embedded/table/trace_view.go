package table

import (
	"github.com/promptuary/promptuary/internal/logstore/logsql"
)

// spans implements logsql.Spans.
type spans struct{}

// views returns the views of the traces that the selection asks about.
func (s *Selection) views(q *query) *logsql.Views {
	v := &logsql.Views{Writer: q.writer(), Spans: spans{}, Workspace: q.bind(s.Query.Workspace)}
	if s.Matches != nil {
		v.Found = func() string {
			return "trace_key IN (SELECT trace_key FROM span WHERE " + restricted(v, "span") + " AND log_key IN (SELECT span_key FROM log WHERE workspace = " +
				v.Workspace + " AND span_key IS NOT NULL AND " + s.inSet(q, s.Matches) + "))"
		}
	}
	return v
}

// Table implements logsql.Spans.
func (spans) Table() string { return "span" }

// Source implements logsql.Spans.
func (spans) Source(v *logsql.Views, needed logsql.Needs) string {
	text := "span AS s"
	if needed&logsql.NeedsLog != 0 {
		text += " LEFT JOIN (SELECT * FROM log WHERE id IN (SELECT min(id) FROM log WHERE workspace = " + v.Workspace +
			" AND span_key IS NOT NULL GROUP BY span_key)) AS l ON l.span_key = s.log_key"
	}
	if needed&logsql.NeedsSums != 0 {
		text += " LEFT JOIN (SELECT logged.trace_key, count(*) AS requests, sum(price) AS price, sum(total_tokens)::BIGINT AS total_tokens, sum(input_tokens)::BIGINT AS input_tokens," +
			" sum(output_tokens)::BIGINT AS output_tokens FROM (SELECT DISTINCT trace_key, log_key FROM span WHERE " + restricted(v, "span") +
			") AS logged JOIN log ON log.span_key = logged.log_key GROUP BY logged.trace_key) AS sums ON sums.trace_key = s.trace_key"
	}
	if needed&logsql.NeedsDepth != 0 {
		v.Tree = true
		text += " LEFT JOIN tree ON tree.key = s.key"
	}
	if needed&logsql.NeedsChildren != 0 {
		v.Tree = true
		text += " LEFT JOIN (SELECT trace_key, parent, count(*) AS spans FROM node WHERE parent IS NOT NULL GROUP BY trace_key, parent) AS below" +
			" ON below.trace_key = s.trace_key AND below.parent = " + padded("s.span_id")
	}
	return text + " WHERE " + restricted(v, "s")
}

// restricted writes the condition on the spans of a table.
func restricted(v *logsql.Views, table string) string {
	text := table + ".workspace = " + v.Workspace
	if v.Among != "" {
		text += " AND " + table + ".trace_key IN " + v.Among
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

// Trees implements logsql.Spans: each span with its parent, and the levels from the
// roots down.
func (spans) Trees(v *logsql.Views) string {
	return "WITH RECURSIVE node AS (SELECT trace_key, key, " + padded("span_id") + " AS id, " + padded("parent_id") + " AS parent FROM span WHERE " + restricted(v, "span") + "), " +
		"tree AS (SELECT trace_key, key, id, 1 AS depth FROM node WHERE NOT EXISTS (SELECT 1 FROM node AS up WHERE up.trace_key = node.trace_key AND up.id = node.parent) " +
		"UNION ALL SELECT node.trace_key, node.key, node.id, tree.depth + 1 FROM tree JOIN node ON node.trace_key = tree.trace_key AND node.parent = tree.id WHERE tree.depth < " + maxDepth + ") "
}
