package logsql

import (
	"math"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Negatable writes a condition, which is null where the row has no value: it is
// not met then, its negation is.
func Negatable(cond string, negated bool) string {
	if negated {
		return "(NOT coalesce(" + cond + ", FALSE))"
	}
	return "(" + cond + ")"
}

// Join joins the conditions of a group.
func Join(anyOf bool, conds []string) string {
	switch {
	case len(conds) == 0:
		return "TRUE"
	case anyOf:
		return "(" + strings.Join(conds, " OR ") + ")"
	default:
		return "(" + strings.Join(conds, " AND ") + ")"
	}
}

// LogCond writes a condition with a positive operator on a field that is stored
// with the log.
func (w Writer) LogCond(c query.Cond) string {
	field := c.Field.Spec()
	switch {
	case field.Type == query.TypeIntent:
		return w.Bits(field.Column, document.IntentMask(field, c.Texts)) + " <> 0"
	case field.Type == query.TypeScore && c.Op.Compares():
		return w.numericCond(w.numberOf(field, c.Key), c)
	case field.Type.HasKeys() && c.Op == query.OpIsEmpty:
		return "NOT " + w.Has(field.Keys.Spec().Column, w.Text(c.Key))
	default:
		return w.columnCond(field.Type, field.Column, c)
	}
}

// columnCond writes a condition on a column.
func (w Writer) columnCond(typ query.FieldType, column string, c query.Cond) string {
	switch typ {
	case query.TypeIdentifier:
		return w.identifierCond(column, c)
	case query.TypeString, query.TypeStatus:
		return w.StringCond(column, c)
	case query.TypeName, query.TypeText:
		return w.nameCond(column, c)
	case query.TypeNumeric:
		return w.numericCond(column, c)
	case query.TypeDatetime:
		return w.timeCond(column, c)
	case query.TypeBoolean:
		return column
	case query.TypeArray:
		return w.arrayCond(column, c)
	case query.TypeNested, query.TypeScore:
		return w.NestedCond(column, c)
	default:
		panic("filter field without a type: " + string(c.Field))
	}
}

func (w Writer) identifierCond(column string, c query.Cond) string {
	switch {
	case c.Op == query.OpIsNull:
		return column + " IS NULL"
	case len(c.IDs) == 0:
		return "FALSE"
	default:
		return column + " IN " + w.InInts(c.IDs)
	}
}

// StringCond writes a condition on a column with texts that are compared as they
// are.
func (w Writer) StringCond(column string, c query.Cond) string {
	if c.Op == query.OpIs {
		return column + " = " + w.Text(c.Texts[0])
	}
	return column + " IN " + w.InTexts(c.Texts)
}

// nameCond ignores the case, except for whole texts.
func (w Writer) nameCond(column string, c query.Cond) string {
	if c.Op == query.OpIs || c.Op == query.OpIn {
		return w.StringCond(column, c)
	}
	return w.Test(c.Op, w.Lower(column), w.Lower(w.Text(c.Texts[0])))
}

var comparisons = map[query.Op]string{
	query.OpEq: " = ", query.OpGt: " > ", query.OpGte: " >= ", query.OpLt: " < ", query.OpLte: " <= ",
}

func (w Writer) numericCond(column string, c query.Cond) string {
	switch c.Op {
	case query.OpIsNull:
		return column + " IS NULL"
	case query.OpBetween:
		return w.comparable(column, c.Numbers[:2]) + " BETWEEN " + w.number(c.Numbers[0]) + " AND " + w.number(c.Numbers[1])
	default:
		return w.comparable(column, c.Numbers[:1]) + comparisons[c.Op] + w.number(c.Numbers[0])
	}
}

// comparable writes a column that is compared with numbers. Large whole numbers
// are rounded as those of a client are.
func (w Writer) comparable(column string, numbers []float64) string {
	if slices.ContainsFunc(numbers, func(n float64) bool { return !isWhole(n) }) {
		return w.Rounded(column)
	}
	return column
}

// number binds whole numbers as such: compared with a fraction, a column of whole
// numbers would be converted row by row and no block could be skipped.
func (w Writer) number(n float64) string {
	if isWhole(n) {
		return w.Int(int64(n))
	}
	return w.Float(n)
}

func isWhole(n float64) bool { return n == math.Trunc(n) && math.Abs(n) < 1<<53 }

func (w Writer) timeCond(column string, c query.Cond) string {
	bind := func(i int) string { return w.Int(int64(c.Times[i])) }
	switch c.Op {
	case query.OpBefore:
		return column + " < " + bind(0)
	case query.OpAfter:
		return column + " > " + bind(0)
	case query.OpBetween:
		return column + " BETWEEN " + bind(0) + " AND " + bind(1)
	default:
		return column + " = " + bind(0)
	}
}

func (w Writer) arrayCond(column string, c query.Cond) string {
	switch c.Op {
	case query.OpIsEmpty:
		return w.Length(column) + " = 0"
	case query.OpContains:
		return w.Has(column, w.Text(c.Texts[0]))
	case query.OpUnder:
		return w.Count(column, "x = "+w.Text(c.Texts[0])+" OR "+w.startsWith("x", c.Texts[0]+reqlog.PathSeparator)) + " > 0"
	default:
		return w.HasAny(column, w.List(c.Texts))
	}
}

// NestedCond writes a condition on a column with pairs.
func (w Writer) NestedCond(column string, c query.Cond) string {
	prefix := document.PairText(c.Key, "")
	switch c.Op {
	case query.OpIsEmpty:
		return w.Count(column, w.startsWith("x", prefix)) + " = 0"
	case query.OpKeyContains:
		return w.Count(column, w.startsWith("x", prefix)+" AND "+
			w.Test(query.OpContains, w.Lower(w.After("x", prefix)), w.Lower(w.Text(c.Texts[0])))) + " > 0"
	case query.OpKeyEquals:
		return w.Has(column, w.Text(document.PairText(c.Key, c.Texts[0])))
	default:
		pairs := make([]string, len(c.Texts))
		for i, text := range c.Texts {
			pairs[i] = document.PairText(c.Key, text)
		}
		return w.HasAny(column, w.List(pairs))
	}
}

func (w Writer) startsWith(text, prefix string) string {
	return w.Test(query.OpStartsWith, text, w.Text(prefix))
}
