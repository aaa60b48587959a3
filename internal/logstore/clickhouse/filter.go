package clickhouse

import (
	"math"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// selection is a reqlog.Query whose free text has been resolved to words. Several
// queries can share it.
type selection struct {
	reqlog.Query
	text freeText
	// upTo leaves out logs with higher ids; 0 means no limit.
	upTo int64
	// after restricts the selection to logs with higher ids.
	after int64
}

// where writes the condition that selects the logs.
func (s *selection) where(q *query) {
	q.write("workspace = ", q.bindInt(s.Workspace))
	if s.upTo > 0 {
		q.write(" AND id <= ", q.bindInt(s.upTo))
	}
	if s.after > 0 {
		q.write(" AND id > ", q.bindInt(s.after))
	}
	if !s.text.none() {
		q.write(" AND ", s.text.matches(q, s.Workspace))
	}
	if s.Filter != nil {
		q.write(" AND ", s.filter(q, s.Filter))
	}
}

func (s *selection) filter(q *query, filter reqlog.Node) string {
	return reqlog.FilterWriter[string]{
		Cond: func(c reqlog.Cond, negated bool) string { return negatable(s.cond(q, c), negated) },
		Join: joinConds,
	}.Write(filter)
}

// negatable writes a condition, which is null where the row has no value.
func negatable(cond string, negated bool) string {
	if negated {
		return "(NOT ifNull(" + cond + ", FALSE))"
	}
	return "(" + cond + ")"
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

// textColumns have the texts in lower case.
var textColumns = map[reqlog.Field]string{
	reqlog.FieldInputText: "input_text", reqlog.FieldOutputText: "output_text", reqlog.FieldThinkingText: "thinking_text",
}

// cond writes a condition with a positive operator.
func (s *selection) cond(q *query, c reqlog.Cond) string {
	field := c.Field.Spec()
	switch {
	case field.OfTrace:
		return s.traceCond(q, c)
	case field.Type == reqlog.TypeText:
		return textTest(c.Op, textColumns[c.Field], q.bind(strings.ToLower(c.Texts[0])))
	case field.Type == reqlog.TypeIntent:
		return "bitAnd(" + field.Column + ", " + strconv.FormatInt(document.IntentMask(field, c.Texts), 10) + ") <> 0"
	case field.Type == reqlog.TypeNested:
		return nestedCond(q, field.Column, "NOT "+anyOf(q, field.Keys.Spec().Column, []string{c.Key}), c)
	default:
		return columnCond(q, field, c)
	}
}

// textTest writes the test of a text in lower case.
func textTest(op reqlog.Op, text, value string) string {
	switch op {
	case reqlog.OpStartsWith:
		return "startsWith(" + text + ", " + value + ")"
	case reqlog.OpEndsWith:
		return "endsWith(" + text + ", " + value + ")"
	default:
		return "position(" + text + ", " + value + ") > 0"
	}
}

// lowered writes a text in lower case. The server turns some letters into two, or
// into others at the end of a word, which Go does not.
func lowered(text string) string {
	return "lowerUTF8(replaceAll(replaceAll(" + text + ", 'İ', 'i'), 'Σ', 'σ'))"
}

// columnCond writes a condition on a column with plain values.
func columnCond(q *query, field *reqlog.FieldSpec, c reqlog.Cond) string {
	column := field.Column
	switch field.Type {
	case reqlog.TypeIdentifier:
		return identifierCond(q, column, c)
	case reqlog.TypeString, reqlog.TypeStatus:
		return stringCond(q, column, c)
	case reqlog.TypeName:
		return nameCond(q, column, c)
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

// traceCond writes a condition on the trace of a log. If several traces have the
// span of a log, the lowest id counts.
func (s *selection) traceCond(q *query, c reqlog.Cond) string {
	spans := "SELECT log_key FROM span FINAL WHERE workspace = " + q.bindInt(s.Workspace)
	if c.Field == reqlog.FieldHasTrace {
		return "span_key IN (" + spans + ")"
	}
	return "span_key IN (" + spans + " AND log_key IN (" + spans + " AND " + stringCond(q, "trace_id", c) +
		") GROUP BY log_key HAVING " + stringCond(q, "min(trace_id)", c) + ")"
}

func identifierCond(q *query, column string, c reqlog.Cond) string {
	if c.Op == reqlog.OpIsNull {
		return column + " IS NULL"
	}
	return column + " IN " + q.bindInts(c.IDs)
}

func stringCond(q *query, column string, c reqlog.Cond) string {
	if c.Op == reqlog.OpIs {
		return column + " = " + q.bind(c.Texts[0])
	}
	return column + " IN " + q.bindTexts(c.Texts)
}

func nameCond(q *query, column string, c reqlog.Cond) string {
	if c.Op == reqlog.OpIs || c.Op == reqlog.OpIn {
		return stringCond(q, column, c)
	}
	return textTest(c.Op, lowered(column), lowered(q.bind(c.Texts[0])))
}

var comparisons = map[reqlog.Op]string{
	reqlog.OpEq: " = ", reqlog.OpGt: " > ", reqlog.OpGte: " >= ", reqlog.OpLt: " < ", reqlog.OpLte: " <= ",
}

func numericCond(q *query, column string, c reqlog.Cond) string {
	switch c.Op {
	case reqlog.OpIsNull:
		return column + " IS NULL"
	case reqlog.OpBetween:
		return compared(q, column, " >= ", c.Numbers[0]) + " AND " + compared(q, column, " <= ", c.Numbers[1])
	default:
		return compared(q, column, comparisons[c.Op], c.Numbers[0])
	}
}

// compared compares with small whole numbers as such. Others are compared as
// fractions, to which large whole numbers are rounded.
func compared(q *query, column, operator string, n float64) string {
	if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		return column + operator + q.bindInt(int64(n))
	}
	return "toFloat64(" + column + ")" + operator + q.bindFloat(n)
}

func timeCond(q *query, column string, c reqlog.Cond) string {
	bind := func(i int) string { return q.bindInt(int64(c.Times[i])) }
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
	if c.Op == reqlog.OpIsEmpty {
		return "empty(" + column + ")"
	}
	return anyOf(q, column, c.Texts)
}

// anyOf writes the condition that a list has one of the texts. The function has of
// version 26.7 does not find the empty text in lists with a dictionary.
func anyOf(q *query, column string, texts []string) string {
	return "hasAny(" + column + ", " + q.bindTexts(texts) + ")"
}

// nestedCond writes a condition on a column with pairs. Lacks is the condition
// that the key is not there.
func nestedCond(q *query, column, lacks string, c reqlog.Cond) string {
	switch c.Op {
	case reqlog.OpIsEmpty:
		return lacks
	case reqlog.OpKeyContains:
		prefix := document.PairText(c.Key, "")
		return "arrayExists(x -> startsWith(x, " + q.bind(prefix) + ") AND position(" + lowered("substring(x, "+strconv.Itoa(len(prefix)+1)+")") + ", " +
			lowered(q.bind(c.Texts[0])) + ") > 0, " + column + ")"
	case reqlog.OpKeyEquals:
		return "has(" + column + ", " + q.bind(document.PairText(c.Key, c.Texts[0])) + ")"
	default:
		pairs := make([]string, len(c.Texts))
		for i, text := range c.Texts {
			pairs[i] = document.PairText(c.Key, text)
		}
		return anyOf(q, column, pairs)
	}
}
