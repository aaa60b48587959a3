package table

import (
	"fmt"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Selection is a query.Query whose text conditions have been resolved to sets
// of ids. Several SQL queries can share it.
type Selection struct {
	Query query.Query
	// Texts holds the ids that match each text condition, by TextKey.
	Texts map[string]*textindex.Set
	// Matches and Exact are the logs that match the free text, nil without it.
	Matches, Exact *textindex.Set
	// UpTo is the last log that the sets cover. Later logs are left out of the
	// result, because the sets would report them as not matching.
	UpTo int64
	// Recent are later logs, which may not be applied to the table yet. Only Search takes them
	// into account; see Evaluates.
	Recent []*reqlog.Log
	// Alone reports that all logs belong to the workspace of the query.
	Alone bool
	// after restricts the selection to logs with a higher id; 0 means no restriction.
	after int64
}

// TextKey returns the key of a text condition with a positive operator.
func TextKey(c query.Cond) string {
	return string(c.Field) + " " + string(c.Op) + " " + c.Texts[0]
}

// where writes the condition that selects the logs.
func (s *Selection) where(q *sqlQuery) string {
	text := "workspace = " + q.bind(s.Query.Workspace) + " AND id <= " + q.bind(s.UpTo)
	if s.after > 0 {
		text += " AND id > " + q.bind(s.after)
	}
	if s.Matches != nil {
		text += " AND " + s.inSet(q, s.Matches)
	}
	if s.Query.Filter != nil {
		text += " AND " + s.filter(q, s.Query.Filter)
	}
	return text
}

// selected implements logsql.Logs.
type selected struct {
	*Selection
	q *sqlQuery
}

// From implements logsql.Logs.
func (s selected) From() string { return "log WHERE " + s.where(s.q) }

// Traced implements logsql.Logs.
func (s selected) Traced() string { return traced }

// part is a part of a filter: a condition in SQL, or a set of ids that match or,
// if negated, do not.
type part struct {
	sql     string
	set     *textindex.Set
	negated bool
}

// filter writes the condition of a filter. The sets of text conditions are
// combined here wherever they are in one group: the engine would look into each
// of them for each row.
func (s *Selection) filter(q *sqlQuery, filter query.Node) string {
	whole := query.FilterWriter[part]{
		Cond: func(c query.Cond, negated bool) part {
			if c.Field.Type() == query.TypeText {
				return part{set: s.Texts[TextKey(c)], negated: negated}
			}
			return part{sql: logsql.Negatable(cond(q, c), negated)}
		},
		Join: func(anyOf bool, parts []part) part { return s.join(q, anyOf, parts) },
	}.Write(filter)
	return s.write(q, whole)
}

// join joins the parts of a group.
func (s *Selection) join(q *sqlQuery, anyOf bool, parts []part) part {
	var conds []string
	var sets []part
	for _, p := range parts {
		if p.set != nil {
			sets = append(sets, p)
		} else {
			conds = append(conds, p.sql)
		}
	}
	if len(sets) > 0 {
		combined := combine(anyOf, sets)
		if len(conds) == 0 {
			return combined
		}
		conds = append(conds, s.write(q, combined))
	}
	return part{sql: logsql.Join(anyOf, conds)}
}

// combine joins sets into one. With any of them negated, (a OR NOT b) is written
// as NOT (b AND NOT a).
func combine(anyOf bool, sets []part) part {
	var matching, excluded *textindex.Set
	add := func(to **textindex.Set, set *textindex.Set, and bool) {
		switch {
		case *to == nil:
			*to = set.Clone()
		case and:
			(*to).And(set)
		default:
			(*to).Or(set)
		}
	}
	for _, p := range sets {
		if p.negated {
			add(&excluded, p.set, anyOf)
		} else {
			add(&matching, p.set, !anyOf)
		}
	}
	switch {
	case excluded == nil:
		return part{set: matching}
	case matching == nil:
		return part{set: excluded, negated: true}
	case anyOf:
		excluded.AndNot(matching)
		return part{set: excluded, negated: true}
	default:
		matching.AndNot(excluded)
		return part{set: matching}
	}
}

// write writes a part as SQL.
func (s *Selection) write(q *sqlQuery, p part) string {
	switch {
	case p.set == nil:
		return p.sql
	case p.negated:
		return "(NOT " + s.inSet(q, p.set) + ")"
	default:
		return "(" + s.inSet(q, p.set) + ")"
	}
}

// traced is the condition that a log belongs to a trace.
const traced = "span_key IN (SELECT log_key FROM span)"

// cond writes a condition with a positive operator. For one on the id of the trace,
// the spans that may match are found first; if several traces have the span of a
// log, the lowest id counts.
func cond(q *sqlQuery, c query.Cond) string {
	w := q.writer()
	switch {
	case c.Field.Type() == query.TypeNested && (c.Op == query.OpKeyEquals || c.Op == query.OpIn):
		return valueCond(q, c)
	case !c.Field.Spec().OfTrace:
		return w.LogCond(c)
	case c.Field == query.FieldHasTrace:
		return traced
	default:
		return "span_key IN (SELECT log_key FROM span WHERE log_key IN (SELECT log_key FROM span WHERE " + w.StringCond("trace_id", c) +
			") GROUP BY log_key HAVING " + w.StringCond("min(trace_id)", c) + ")"
	}
}

// valueCond writes the condition that a nested field has one of the values under a
// key.
func valueCond(q *sqlQuery, c query.Cond) string {
	hash := func(text string) string { return q.bind(document.ValueHash(c.Field, c.Key, text)) }
	column := hashesOf(c.Field.Spec())
	if c.Op == query.OpKeyEquals {
		return "list_contains(" + column + ", " + hash(c.Texts[0]) + ")"
	}
	hashes := make([]string, len(c.Texts))
	for i, text := range c.Texts {
		hashes[i] = hash(text)
	}
	return "list_has_any(" + column + ", [" + strings.Join(hashes, ", ") + "])"
}

// MaxListedIDs is the size up to which a set is written as a list, which lets
// DuckDB skip the blocks without them.
const MaxListedIDs = 300

// inSet writes the condition that the row's id is in the set. Ids beyond the
// bits belong to logs that came after the set was made.
func (s *Selection) inSet(q *sqlQuery, set *textindex.Set) string {
	if count := set.Count(); count == 0 {
		return "FALSE"
	} else if count <= MaxListedIDs {
		return "id IN " + q.list(set.IDs(MaxListedIDs))
	}
	return s.bit(q, set) + " = 1"
}

// bit writes 1 where the row's id is in the set, else 0.
func (s *Selection) bit(q *sqlQuery, set *textindex.Set) string {
	bits := q.bind(set.Bits(s.UpTo))
	return fmt.Sprintf("CASE WHEN id BETWEEN %[1]d AND %[2]d THEN get_bit(%[3]s::BLOB::BIT, (id - %[1]d)::INTEGER) ELSE 0 END", set.Base(), s.UpTo, bits)
}
