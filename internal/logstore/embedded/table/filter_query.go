package table

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Selection is a reqlog.Query whose text conditions have been resolved to sets
// of ids. Several SQL queries can share it.
type Selection struct {
	Query reqlog.Query
	// Texts holds the ids that match each text condition, by TextKey.
	Texts map[string]*textindex.Set
	// Matches and Exact are the logs that match the free text, nil without it.
	Matches, Exact *textindex.Set
	// UpTo is the last log that the sets cover. Later logs are left out of the
	// result, because the sets would report them as not matching.
	UpTo int64
	// Alone reports that all logs belong to the workspace of the query.
	Alone bool
	// after restricts the selection to logs with a higher id; 0 means no restriction.
	after int64
}

// TextKey returns the key of a text condition with a positive operator.
func TextKey(c reqlog.Cond) string {
	return string(c.Field) + " " + string(c.Op) + " " + c.Texts[0]
}

// where writes the condition that selects the logs.
func (s *Selection) where(q *query) {
	q.write("workspace = ", q.bind(s.Query.Workspace), " AND id <= ", q.bind(s.UpTo))
	if s.after > 0 {
		q.write(" AND id > ", q.bind(s.after))
	}
	if s.Matches != nil {
		q.write(" AND ", s.inSet(q, s.Matches))
	}
	if s.Query.Filter != nil {
		q.write(" AND ", s.filter(q, s.Query.Filter))
	}
}

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
func (s *Selection) filter(q *query, filter reqlog.Node) string {
	whole := reqlog.FilterWriter[part]{
		Cond: func(c reqlog.Cond, negated bool) part {
			switch {
			case c.Field.Type() == reqlog.TypeText:
				return part{set: s.Texts[TextKey(c)], negated: negated}
			case negated: // a condition is null where the row has no value
				return part{sql: "(NOT coalesce(" + s.cond(q, c) + ", FALSE))"}
			}
			return part{sql: "(" + s.cond(q, c) + ")"}
		},
		Join: func(anyOf bool, parts []part) part { return s.join(q, anyOf, parts) },
	}.Write(filter)
	return s.write(q, whole)
}

// join joins the parts of a group.
func (s *Selection) join(q *query, anyOf bool, parts []part) part {
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
	return part{sql: joinConds(anyOf, conds)}
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
func (s *Selection) write(q *query, p part) string {
	switch {
	case p.set == nil:
		return p.sql
	case p.negated:
		return "(NOT " + s.inSet(q, p.set) + ")"
	default:
		return "(" + s.inSet(q, p.set) + ")"
	}
}

func joinConds(anyOf bool, parts []string) string {
	switch {
	case len(parts) == 0:
		return "TRUE"
	case anyOf:
		return "(" + strings.Join(parts, " OR ") + ")"
	default:
		return "(" + strings.Join(parts, " AND ") + ")"
	}
}

// cond writes a condition with a positive operator.
func (s *Selection) cond(q *query, c reqlog.Cond) string {
	field := c.Field.Spec()
	switch {
	case field.OfTrace:
		return traceCond(q, c)
	case field.Type == reqlog.TypeIntent:
		return fmt.Sprintf("%s & %d <> 0", field.Column, document.IntentMask(field, c.Texts))
	case field.Type == reqlog.TypeNested:
		return nestedCond(q, field.Column, field.Keys.Spec().Column, c)
	default:
		return columnCond(q, field.Type, field.Column, c)
	}
}

// columnCond writes a condition on a column with plain values.
func columnCond(q *query, typ reqlog.FieldType, column string, c reqlog.Cond) string {
	switch typ {
	case reqlog.TypeIdentifier:
		return identifierCond(q, column, c)
	case reqlog.TypeString, reqlog.TypeName, reqlog.TypeStatus:
		return stringCond(q, column, c)
	case reqlog.TypeNumeric:
		return numericCond(q, column, c)
	case reqlog.TypeDatetime:
		return timeCond(q, column, c)
	case reqlog.TypeBoolean:
		return column
	case reqlog.TypeArray:
		return arrayCond(q, column, c)
	default:
		panic("filter field without a type: " + string(c.Field))
	}
}

// traceCond writes a condition on the trace of a log. The spans that may match
// are found first; if several traces have the span of a log, the lowest id counts.
func traceCond(q *query, c reqlog.Cond) string {
	if c.Field == reqlog.FieldHasTrace {
		return "span_key IN (SELECT log_key FROM span)"
	}
	return "span_key IN (SELECT log_key FROM span WHERE log_key IN (SELECT log_key FROM span WHERE " + stringCond(q, "trace_id", c) +
		") GROUP BY log_key HAVING " + stringCond(q, "min(trace_id)", c) + ")"
}

func identifierCond(q *query, column string, c reqlog.Cond) string {
	if c.Op == reqlog.OpIsNull {
		return column + " IS NULL"
	}
	if len(c.IDs) == 0 {
		return "FALSE"
	}
	return column + " IN " + q.list(c.IDs)
}

func stringCond(q *query, column string, c reqlog.Cond) string {
	if c.Op == reqlog.OpIs {
		return column + " = " + q.bind(c.Texts[0])
	}
	return column + " IN (" + q.bindList(c.Texts) + ")"
}

var comparisons = map[reqlog.Op]string{
	reqlog.OpEq: " = ", reqlog.OpGt: " > ", reqlog.OpGte: " >= ", reqlog.OpLt: " < ", reqlog.OpLte: " <= ",
}

func numericCond(q *query, column string, c reqlog.Cond) string {
	switch c.Op {
	case reqlog.OpIsNull:
		return column + " IS NULL"
	case reqlog.OpBetween:
		return column + " BETWEEN " + number(q, c.Numbers[0]) + " AND " + number(q, c.Numbers[1])
	default:
		return column + comparisons[c.Op] + number(q, c.Numbers[0])
	}
}

// number binds whole numbers as such: compared with a fraction, a column of
// whole numbers would be converted row by row and no block could be skipped.
func number(q *query, n float64) string {
	if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		return q.bind(int64(n))
	}
	return q.bind(n)
}

func timeCond(q *query, column string, c reqlog.Cond) string {
	bind := func(i int) string { return q.bind(int64(c.Times[i])) }
	switch c.Op {
	case reqlog.OpBefore:
		return column + " < " + bind(0)
	case reqlog.OpAfter:
		return column + " > " + bind(0)
	case reqlog.OpBetween:
		return column + " BETWEEN " + bind(0) + " AND " + bind(1)
	default:
		return column + " = " + bind(0)
	}
}

func arrayCond(q *query, column string, c reqlog.Cond) string {
	switch c.Op {
	case reqlog.OpIsEmpty:
		return "len(" + column + ") = 0"
	case reqlog.OpContains:
		return "list_contains(" + column + ", " + q.bind(c.Texts[0]) + ")"
	default:
		return "list_has_any(" + column + ", [" + q.bindList(c.Texts) + "])"
	}
}

// nestedCond writes a condition on a column with pairs, whose keys are in
// another.
func nestedCond(q *query, column, keys string, c reqlog.Cond) string {
	switch c.Op {
	case reqlog.OpIsEmpty:
		return "NOT list_contains(" + keys + ", " + q.bind(c.Key) + ")"
	case reqlog.OpKeyContains:
		prefix := document.PairText(c.Key, "")
		return fmt.Sprintf("len(list_filter(%s, x -> starts_with(x, %s) AND contains(lower(substr(x, %d)), lower(%s)))) > 0",
			column, q.bind(prefix), utf8.RuneCountInString(prefix)+1, q.bind(c.Texts[0]))
	case reqlog.OpKeyEquals:
		return "list_contains(" + column + ", " + q.bind(document.PairText(c.Key, c.Texts[0])) + ")"
	default:
		pairs := make([]string, len(c.Texts))
		for i, text := range c.Texts {
			pairs[i] = document.PairText(c.Key, text)
		}
		return "list_has_any(" + column + ", [" + q.bindList(pairs) + "])"
	}
}

// MaxListedIDs is the size up to which a set is written as a list, which lets
// DuckDB skip the blocks without them.
const MaxListedIDs = 300

// inSet writes the condition that the row's id is in the set. Ids beyond the
// bits belong to logs that came after the set was made.
func (s *Selection) inSet(q *query, set *textindex.Set) string {
	if count := set.Count(); count == 0 {
		return "FALSE"
	} else if count <= MaxListedIDs {
		return "id IN " + q.list(set.IDs(MaxListedIDs))
	}
	return s.bit(q, set) + " = 1"
}

// bit writes 1 where the row's id is in the set, else 0.
func (s *Selection) bit(q *query, set *textindex.Set) string {
	bits := q.bind(set.Bits(s.UpTo))
	return fmt.Sprintf("CASE WHEN id BETWEEN %[1]d AND %[2]d THEN get_bit(%[3]s::BLOB::BIT, (id - %[1]d)::INTEGER) ELSE 0 END", set.Base(), s.UpTo, bits)
}
