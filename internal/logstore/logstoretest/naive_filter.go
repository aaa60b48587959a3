package logstoretest

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// holds reports whether the filter is true for the log.
func holds(n query.Node, l *reqlog.Log) bool {
	switch n := n.(type) {
	case nil:
		return true
	case query.Cond:
		return condHolds(n, l)
	case query.Group:
		return groupHolds(n, l)
	}
	panic("unknown filter node")
}

func groupHolds(g query.Group, l *reqlog.Log) bool {
	return joined(g, func(n query.Node) bool { return holds(n, l) })
}

// opposites maps each operator that says what another does not to that other.
var opposites = map[query.Op]query.Op{
	query.OpIsNot: query.OpIs, query.OpNotIn: query.OpIn, query.OpNotContains: query.OpContains,
	query.OpNeq: query.OpEq, query.OpKeyNotEquals: query.OpKeyEquals,
	query.OpIsNotNull: query.OpIsNull, query.OpIsFalse: query.OpIsTrue, query.OpIsNotEmpty: query.OpIsEmpty,
}

func condHolds(c query.Cond, l *reqlog.Log) bool {
	return valueHolds(c, c.Field.Type(), valueOf(l, c.Field))
}

// valueHolds reports whether a condition on a field of a type is true for a
// value.
func valueHolds(c query.Cond, typ query.FieldType, v fieldValue) bool {
	if positive, ok := opposites[c.Op]; ok {
		c.Op = positive
		return !valueHolds(c, typ, v)
	}
	switch typ {
	case query.TypeIdentifier:
		return identifierHolds(c, v)
	case query.TypeString, query.TypeStatus, query.TypeIntent, query.TypeName:
		if c.Op == query.OpContains || c.Op == query.OpStartsWith || c.Op == query.OpEndsWith {
			return len(v.texts) > 0 && textHolds(c, v.texts[0])
		}
		return slices.ContainsFunc(v.texts, func(text string) bool { return slices.Contains(c.Texts, text) })
	case query.TypeText:
		return textHolds(c, v.text)
	case query.TypeNumeric:
		return numberHolds(c, v)
	case query.TypeDatetime:
		return instantHolds(c, v.at)
	case query.TypeBoolean:
		return v.flag
	case query.TypeArray:
		return arrayHolds(c, v.texts)
	case query.TypeScore:
		if c.Op.Compares() {
			v.number, v.given = scoreIn(v.pairs, c.Key)
			return numberHolds(c, v)
		}
		return nestedHolds(c, v.pairs)
	case query.TypeNested:
		return nestedHolds(c, v.pairs)
	}
	panic("field without a type: " + string(c.Field))
}

func identifierHolds(c query.Cond, v fieldValue) bool {
	if c.Op == query.OpIsNull {
		return !v.given
	}
	return v.given && slices.Contains(c.IDs, v.whole)
}

// textHolds compares without case.
func textHolds(c query.Cond, text string) bool {
	text, value := strings.ToLower(text), strings.ToLower(c.Texts[0])
	switch c.Op {
	case query.OpStartsWith:
		return strings.HasPrefix(text, value)
	case query.OpEndsWith:
		return strings.HasSuffix(text, value)
	}
	return strings.Contains(text, value)
}

func numberHolds(c query.Cond, v fieldValue) bool {
	n, ok := v.number, v.given
	if c.Op == query.OpIsNull || !ok {
		return c.Op == query.OpIsNull && !ok
	}
	switch c.Op {
	case query.OpEq:
		return n == c.Numbers[0]
	case query.OpGt:
		return n > c.Numbers[0]
	case query.OpGte:
		return n >= c.Numbers[0]
	case query.OpLt:
		return n < c.Numbers[0]
	case query.OpLte:
		return n <= c.Numbers[0]
	case query.OpBetween:
		return c.Numbers[0] <= n && n <= c.Numbers[1]
	}
	panic("operator does not fit a number: " + string(c.Op))
}

func instantHolds(c query.Cond, at reqlog.Micros) bool {
	switch c.Op {
	case query.OpIs:
		return at == c.Times[0]
	case query.OpBefore:
		return at < c.Times[0]
	case query.OpAfter:
		return at > c.Times[0]
	case query.OpBetween:
		return c.Times[0] <= at && at <= c.Times[1]
	}
	panic("operator does not fit a time: " + string(c.Op))
}

func arrayHolds(c query.Cond, elements []string) bool {
	switch c.Op {
	case query.OpIsEmpty:
		return len(elements) == 0
	case query.OpUnder:
		return slices.ContainsFunc(elements, func(e string) bool { return e == c.Texts[0] || strings.HasPrefix(e, c.Texts[0]+".") })
	}
	return slices.ContainsFunc(elements, func(e string) bool { return slices.Contains(c.Texts, e) })
}

func nestedHolds(c query.Cond, pairs []reqlog.Pair) bool {
	if c.Op == query.OpIsEmpty {
		return !slices.ContainsFunc(pairs, func(p reqlog.Pair) bool { return p.Key == c.Key })
	}
	return slices.ContainsFunc(valuesUnder(pairs, c.Key), func(value string) bool {
		if c.Op == query.OpKeyContains {
			return strings.Contains(strings.ToLower(value), strings.ToLower(c.Texts[0]))
		}
		return slices.Contains(c.Texts, value)
	})
}

// valuesUnder returns the distinct values under a key.
func valuesUnder(pairs []reqlog.Pair, key string) []string {
	var values []string
	seen := map[string]bool{}
	for _, p := range pairs {
		if p.Key == key && !p.Empty && !seen[p.Value] {
			seen[p.Value] = true
			values = append(values, p.Value)
		}
	}
	return values
}
