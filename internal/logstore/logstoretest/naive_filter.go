package logstoretest

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// holds reports whether the filter is true for the log.
func holds(n reqlog.Node, l *reqlog.Log) bool {
	switch n := n.(type) {
	case nil:
		return true
	case reqlog.Cond:
		return condHolds(n, l)
	case reqlog.Group:
		return groupHolds(n, l)
	}
	panic("unknown filter node")
}

func groupHolds(g reqlog.Group, l *reqlog.Log) bool {
	return joined(g, func(n reqlog.Node) bool { return holds(n, l) })
}

// opposites maps each operator that says what another does not to that other.
var opposites = map[reqlog.Op]reqlog.Op{
	reqlog.OpIsNot: reqlog.OpIs, reqlog.OpNotIn: reqlog.OpIn, reqlog.OpNotContains: reqlog.OpContains,
	reqlog.OpNeq: reqlog.OpEq, reqlog.OpKeyNotEquals: reqlog.OpKeyEquals,
	reqlog.OpIsNotNull: reqlog.OpIsNull, reqlog.OpIsFalse: reqlog.OpIsTrue, reqlog.OpIsNotEmpty: reqlog.OpIsEmpty,
}

func condHolds(c reqlog.Cond, l *reqlog.Log) bool {
	return valueHolds(c, c.Field.Type(), valueOf(l, c.Field))
}

// valueHolds reports whether a condition on a field of a type is true for a
// value.
func valueHolds(c reqlog.Cond, typ reqlog.FieldType, v fieldValue) bool {
	if positive, ok := opposites[c.Op]; ok {
		c.Op = positive
		return !valueHolds(c, typ, v)
	}
	switch typ {
	case reqlog.TypeIdentifier:
		return identifierHolds(c, v)
	case reqlog.TypeString, reqlog.TypeStatus, reqlog.TypeIntent, reqlog.TypeName:
		if c.Op == reqlog.OpContains || c.Op == reqlog.OpStartsWith || c.Op == reqlog.OpEndsWith {
			return len(v.texts) > 0 && textHolds(c, v.texts[0])
		}
		return slices.ContainsFunc(v.texts, func(text string) bool { return slices.Contains(c.Texts, text) })
	case reqlog.TypeText:
		return textHolds(c, v.text)
	case reqlog.TypeNumeric:
		return numberHolds(c, v)
	case reqlog.TypeDatetime:
		return instantHolds(c, v.at)
	case reqlog.TypeBoolean:
		return v.flag
	case reqlog.TypeArray:
		return arrayHolds(c, v.texts)
	case reqlog.TypeScore:
		if c.Op.Compares() {
			v.number, v.given = scoreIn(v.pairs, c.Key)
			return numberHolds(c, v)
		}
		return nestedHolds(c, v.pairs)
	case reqlog.TypeNested:
		return nestedHolds(c, v.pairs)
	}
	panic("field without a type: " + string(c.Field))
}

func identifierHolds(c reqlog.Cond, v fieldValue) bool {
	if c.Op == reqlog.OpIsNull {
		return !v.given
	}
	return v.given && slices.Contains(c.IDs, v.whole)
}

// textHolds compares without case.
func textHolds(c reqlog.Cond, text string) bool {
	text, value := strings.ToLower(text), strings.ToLower(c.Texts[0])
	switch c.Op {
	case reqlog.OpStartsWith:
		return strings.HasPrefix(text, value)
	case reqlog.OpEndsWith:
		return strings.HasSuffix(text, value)
	}
	return strings.Contains(text, value)
}

func numberHolds(c reqlog.Cond, v fieldValue) bool {
	n, ok := v.number, v.given
	if c.Op == reqlog.OpIsNull || !ok {
		return c.Op == reqlog.OpIsNull && !ok
	}
	switch c.Op {
	case reqlog.OpEq:
		return n == c.Numbers[0]
	case reqlog.OpGt:
		return n > c.Numbers[0]
	case reqlog.OpGte:
		return n >= c.Numbers[0]
	case reqlog.OpLt:
		return n < c.Numbers[0]
	case reqlog.OpLte:
		return n <= c.Numbers[0]
	case reqlog.OpBetween:
		return c.Numbers[0] <= n && n <= c.Numbers[1]
	}
	panic("operator does not fit a number: " + string(c.Op))
}

func instantHolds(c reqlog.Cond, at reqlog.Micros) bool {
	switch c.Op {
	case reqlog.OpIs:
		return at == c.Times[0]
	case reqlog.OpBefore:
		return at < c.Times[0]
	case reqlog.OpAfter:
		return at > c.Times[0]
	case reqlog.OpBetween:
		return c.Times[0] <= at && at <= c.Times[1]
	}
	panic("operator does not fit a time: " + string(c.Op))
}

func arrayHolds(c reqlog.Cond, elements []string) bool {
	switch c.Op {
	case reqlog.OpIsEmpty:
		return len(elements) == 0
	case reqlog.OpUnder:
		return slices.ContainsFunc(elements, func(e string) bool { return e == c.Texts[0] || strings.HasPrefix(e, c.Texts[0]+".") })
	}
	return slices.ContainsFunc(elements, func(e string) bool { return slices.Contains(c.Texts, e) })
}

func nestedHolds(c reqlog.Cond, pairs []reqlog.Pair) bool {
	if c.Op == reqlog.OpIsEmpty {
		return !slices.ContainsFunc(pairs, func(p reqlog.Pair) bool { return p.Key == c.Key })
	}
	return slices.ContainsFunc(valuesUnder(pairs, c.Key), func(value string) bool {
		if c.Op == reqlog.OpKeyContains {
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
