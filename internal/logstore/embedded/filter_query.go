package embedded

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// selection is a reqlog.Query made ready: the sets of ids that its text
// conditions match. Its condition can be written into several SQL queries.
type selection struct {
	query reqlog.Query
	texts map[string]*textindex.Set // by text condition
	// matches and exact are the logs that q finds, nil without q.
	matches, exact *textindex.Set
	// upTo is the last log that the sets know of. Later ones stay out of the
	// answer: a set that lacks them would say that they do not match.
	upTo int64
	// after restricts to the logs behind this one, 0 to none.
	after int64
}

// columns names the column of each field that is a plain value.
var columns = map[reqlog.Field]string{
	reqlog.FieldID: "id", reqlog.FieldPromptID: "prompt_id", reqlog.FieldPromptVersion: "prompt_version",
	reqlog.FieldEngine: "engine", reqlog.FieldProvider: "provider", reqlog.FieldStatus: "status", reqlog.FieldErrorType: "error_type",
	reqlog.FieldInputTokens: "input_tokens", reqlog.FieldOutputTokens: "output_tokens",
	reqlog.FieldCachedTokens: "cached_tokens", reqlog.FieldThinkingTokens: "thinking_tokens",
	reqlog.FieldCost: "price", reqlog.FieldLatency: "latency_ms", reqlog.FieldTurns: "turns", reqlog.FieldToolCalls: "tool_calls",
	reqlog.FieldStart: "start_time", reqlog.FieldEnd: "end_time",
	reqlog.FieldUserIntent: "user_intent", reqlog.FieldAgentIntent: "agent_intent",
	reqlog.FieldTags: "tags", reqlog.FieldToolNames: "tool_names", reqlog.FieldMetadataKeys: "metadata_keys",
	reqlog.FieldOutputKeys: "output_keys", reqlog.FieldVariableKeys: "variable_keys",
}

// nested names the columns of the keys and the pairs of each nested field.
var nested = map[reqlog.Field]struct{ keys, pairs string }{
	reqlog.FieldMetadata:  {"metadata_keys", "metadata_pairs"},
	reqlog.FieldOutput:    {"output_keys", "output_pairs"},
	reqlog.FieldVariables: {"variable_keys", "variable_pairs"},
}

// userIDKey is the metadata key behind the field user_id.
const userIDKey = "user_id"

// where writes the condition that selects the logs.
func (s *selection) where(q *query) {
	q.write("workspace = ", q.bind(s.query.Workspace), " AND id <= ", q.bind(s.upTo))
	if s.after > 0 {
		q.write(" AND id > ", q.bind(s.after))
	}
	if s.matches != nil {
		q.write(" AND ", s.inSet(q, s.matches))
	}
	if s.query.Filter != nil {
		q.write(" AND ", s.node(q, s.query.Filter))
	}
}

func (s *selection) node(q *query, n reqlog.Node) string {
	switch n := n.(type) {
	case reqlog.Group:
		return s.group(q, n)
	case reqlog.Cond:
		return "(" + s.cond(q, n) + ")"
	default:
		panic(fmt.Sprintf("unknown filter node %T", n))
	}
}

func (s *selection) group(q *query, g reqlog.Group) string {
	if len(g.Nodes) == 0 {
		return "TRUE"
	}
	parts := make([]string, len(g.Nodes))
	for i, child := range g.Nodes {
		parts[i] = s.node(q, child)
	}
	join := " AND "
	if g.Any {
		join = " OR "
	}
	return "(" + strings.Join(parts, join) + ")"
}

// negated maps each negative operator to its positive.
var negated = map[reqlog.Op]reqlog.Op{
	reqlog.OpIsNot: reqlog.OpIs, reqlog.OpNotIn: reqlog.OpIn, reqlog.OpNotContains: reqlog.OpContains,
	reqlog.OpNeq: reqlog.OpEq, reqlog.OpKeyNotEquals: reqlog.OpKeyEquals,
	reqlog.OpIsNotNull: reqlog.OpIsNull, reqlog.OpIsFalse: reqlog.OpIsTrue, reqlog.OpIsNotEmpty: reqlog.OpIsEmpty,
}

// cond writes a condition. A negative operator is the exact complement of its
// positive, so rows without a value match it.
func (s *selection) cond(q *query, c reqlog.Cond) string {
	if positive, ok := negated[c.Op]; ok {
		c.Op = positive
		return "NOT coalesce(" + s.cond(q, c) + ", FALSE)"
	}
	switch reqlog.FieldTypes[c.Field] {
	case reqlog.TypeIdentifier:
		return identifierCond(q, columns[c.Field], c)
	case reqlog.TypeString, reqlog.TypeStatus:
		return stringCond(q, c)
	case reqlog.TypeIntent:
		return fmt.Sprintf("%s & %d <> 0", columns[c.Field], intentMask(c.Texts))
	case reqlog.TypeText:
		return s.inSet(q, s.texts[textKey(c)])
	case reqlog.TypeNumeric:
		return numericCond(q, columns[c.Field], c)
	case reqlog.TypeDatetime:
		return timeCond(q, columns[c.Field], c)
	case reqlog.TypeBoolean:
		return booleanCond(c.Field)
	case reqlog.TypeArray:
		return arrayCond(q, columns[c.Field], c)
	case reqlog.TypeNested:
		return nestedCond(q, c)
	default:
		panic("filter field without a type: " + string(c.Field))
	}
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

func stringCond(q *query, c reqlog.Cond) string {
	if c.Field == reqlog.FieldUserID {
		return nestedCond(q, reqlog.Cond{Field: reqlog.FieldMetadata, Key: userIDKey, Op: reqlog.OpIn, Texts: c.Texts})
	}
	if c.Op == reqlog.OpIs {
		return columns[c.Field] + " = " + q.bind(c.Texts[0])
	}
	return columns[c.Field] + " IN (" + q.bindList(c.Texts) + ")"
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

func booleanCond(field reqlog.Field) string {
	switch field {
	case reqlog.FieldIsJSON:
		return "is_json"
	case reqlog.FieldIsToolCall:
		return "is_tool_call"
	case reqlog.FieldIsPlainText:
		return "NOT (is_json OR is_tool_call)"
	default:
		return "FALSE" // no spans are kept yet, so no log has a trace
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

func nestedCond(q *query, c reqlog.Cond) string {
	column := nested[c.Field]
	switch c.Op {
	case reqlog.OpIsEmpty:
		return "NOT list_contains(" + column.keys + ", " + q.bind(c.Key) + ")"
	case reqlog.OpKeyContains:
		prefix := pairText(c.Key, "")
		return fmt.Sprintf("len(list_filter(%s, x -> starts_with(x, %s) AND contains(lower(substr(x, %d)), lower(%s)))) > 0",
			column.pairs, q.bind(prefix), utf8.RuneCountInString(prefix)+1, q.bind(c.Texts[0]))
	case reqlog.OpKeyEquals:
		return "list_contains(" + column.pairs + ", " + q.bind(pairText(c.Key, c.Texts[0])) + ")"
	default:
		pairs := make([]string, len(c.Texts))
		for i, text := range c.Texts {
			pairs[i] = pairText(c.Key, text)
		}
		return "list_has_any(" + column.pairs + ", [" + q.bindList(pairs) + "])"
	}
}

// maxListedIDs is up to how many ids a set is written as a list, which lets
// DuckDB skip the blocks without them.
const maxListedIDs = 300

// inSet writes the condition that the row's id is in the set. Ids beyond the
// bits belong to logs that came after the set was made.
func (s *selection) inSet(q *query, set *textindex.Set) string {
	if count := set.Count(); count == 0 {
		return "FALSE"
	} else if count <= maxListedIDs {
		return "id IN " + q.list(set.IDs(maxListedIDs))
	}
	return s.bit(q, set) + " = 1"
}

// bit writes 1 where the row's id is in the set, else 0.
func (s *selection) bit(q *query, set *textindex.Set) string {
	bits := q.bind(set.Bits(s.upTo))
	return fmt.Sprintf("CASE WHEN id BETWEEN %[1]d AND %[2]d THEN get_bit(%[3]s::BLOB::BIT, (id - %[1]d)::INTEGER) ELSE 0 END", set.Base(), s.upTo, bits)
}
