package logsql

// firstLog are the columns of logs that fields of spans use.
const firstLog = "id, span_key, engine, price, total_tokens, input_tokens, output_tokens, prompt_id, prompt_version, variable_pairs, output_keys, output_pairs"

// Spans writes a query of columns of the spans of the views.
func (v *Views) Spans(columns string) string {
	text := "SELECT " + columns + " FROM " + v.Table() + " WHERE workspace = " + v.Workspace
	if v.Among != "" {
		text += " AND trace_key IN " + v.Among
	}
	return text
}

// Logs writes a query of columns of the logs that have a span.
func (v *Views) Logs(columns string) string {
	text := "SELECT " + columns + " FROM log WHERE workspace = " + v.Workspace + " AND " + v.HasSpan()
	if v.Among != "" {
		text += " AND span_key IN (" + v.Spans("log_key") + ")"
	}
	return text
}

// source writes the spans with what is joined to them. A log counts once for each
// trace, also if several of its spans have it.
func (v *Views) source(needed Needs) string {
	text := "(" + v.Spans("*") + ") AS s"
	if needed&NeedsLog != 0 {
		text += " LEFT JOIN (" + v.FirstLogs(v, firstLog) + ") AS l ON l.span_key = s.log_key"
	}
	if needed&NeedsSums != 0 {
		text += " LEFT JOIN (SELECT logged.trace_key AS trace_key, count(*) AS requests, sum(logs.price) AS price, sum(logs.total_tokens)::BIGINT AS total_tokens," +
			" sum(logs.input_tokens)::BIGINT AS input_tokens, sum(logs.output_tokens)::BIGINT AS output_tokens FROM (" + v.Spans("DISTINCT trace_key, log_key") +
			") AS logged JOIN (" + v.Logs("span_key, price, total_tokens, input_tokens, output_tokens") +
			") AS logs ON logs.span_key = logged.log_key GROUP BY logged.trace_key) AS sums ON sums.trace_key = s.trace_key"
	}
	if needed&NeedsDepth != 0 {
		v.tree = true
		text += " LEFT JOIN tree ON tree.key = s.key"
	}
	if needed&NeedsChildren != 0 {
		v.tree = true
		text += " LEFT JOIN (SELECT trace_key, parent, count(*) AS spans FROM node WHERE parent IS NOT NULL GROUP BY trace_key, parent) AS below" +
			" ON below.trace_key = s.trace_key AND below.parent = " + v.Padded("s.span_id")
	}
	return text
}

// maxDepth is the number of levels of a tree that are counted. Spans in a circle,
// or below one, have no level.
const maxDepth = "1000"

// with writes the common tables that the views refer to: each span as a node, and
// the tree with its level. The views must have been written before.
func (v *Views) with() string {
	if !v.tree {
		return ""
	}
	return "WITH RECURSIVE node AS (SELECT trace_key, key, " + v.Padded("span_id") + " AS id, " + v.Padded("parent_id") + " AS parent FROM (" +
		v.Spans("trace_key, key, span_id, parent_id") + ") AS s), " + links + jumps + levels
}

const (
	// links has each span with the key of its parent. Ids of several spans can
	// become equal when they get leading zeros: one of these spans is the parent.
	links = "link AS (SELECT node.trace_key AS trace_key, node.key AS key, up.key AS up FROM node" +
		" LEFT JOIN (SELECT trace_key, id, min(key) AS key FROM node GROUP BY trace_key, id) AS up" +
		" ON up.trace_key = node.trace_key AND up.id = node.parent), "

	// jumps walks from the parents to the roots. A round per level would need as
	// many joins as a trace has levels, and one trace can have thousands. Here each
	// round doubles the distance of the jumps, until it exceeds the number of parents
	// in the trace: only those in a circle have not come to a root then. Most spans
	// are leaves, which need no jumps.
	jumps = "jump AS (SELECT key, up, CASE WHEN up IS NULL THEN 0::BIGINT ELSE 1::BIGINT END AS steps, 1::BIGINT AS reach," +
		" least(count(*) OVER (PARTITION BY trace_key), " + maxDepth + ")::BIGINT AS parents FROM link WHERE key IN (SELECT up FROM link)" +
		" UNION ALL SELECT near.key, far.up, near.steps + coalesce(far.steps, 0), 2 * near.reach, near.parents" +
		" FROM jump AS near LEFT JOIN jump AS far ON far.key = near.up WHERE near.reach < near.parents), "

	// levels has one row per span, from the last round of its parent.
	levels = "tree AS (SELECT link.key AS key, CASE WHEN link.up IS NULL THEN 1 ELSE above.steps + 2 END AS depth FROM link" +
		" LEFT JOIN (SELECT key, steps FROM jump WHERE reach >= parents AND up IS NULL AND steps + 2 <= " + maxDepth + ") AS above ON above.key = link.up) "
)
