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
	test := func(n reqlog.Node) bool { return holds(n, l) }
	if g.Any {
		return len(g.Nodes) == 0 || slices.ContainsFunc(g.Nodes, test)
	}
	return !slices.ContainsFunc(g.Nodes, func(n reqlog.Node) bool { return !test(n) })
}

// opposites maps each operator that says what another does not to that other.
var opposites = map[reqlog.Op]reqlog.Op{
	reqlog.OpIsNot: reqlog.OpIs, reqlog.OpNotIn: reqlog.OpIn, reqlog.OpNotContains: reqlog.OpContains,
	reqlog.OpNeq: reqlog.OpEq, reqlog.OpKeyNotEquals: reqlog.OpKeyEquals,
	reqlog.OpIsNotNull: reqlog.OpIsNull, reqlog.OpIsFalse: reqlog.OpIsTrue, reqlog.OpIsNotEmpty: reqlog.OpIsEmpty,
}

func condHolds(c reqlog.Cond, l *reqlog.Log) bool {
	if positive, ok := opposites[c.Op]; ok {
		c.Op = positive
		return !condHolds(c, l)
	}
	switch c.Field.Type() {
	case reqlog.TypeIdentifier:
		return identifierHolds(c, l)
	case reqlog.TypeString, reqlog.TypeStatus, reqlog.TypeIntent:
		return slices.ContainsFunc(textsOf(l, c.Field), func(text string) bool { return slices.Contains(c.Texts, text) })
	case reqlog.TypeText:
		return textHolds(c, c.Field.Spec().Text(l))
	case reqlog.TypeNumeric:
		return numberHolds(c, l)
	case reqlog.TypeDatetime:
		return instantHolds(c, l)
	case reqlog.TypeBoolean:
		return c.Field.Spec().Flag(l)
	case reqlog.TypeArray:
		return arrayHolds(c, textsOf(l, c.Field))
	case reqlog.TypeNested:
		return nestedHolds(c, pairsOf(l, c.Field))
	}
	panic("field without a type: " + string(c.Field))
}

func identifierHolds(c reqlog.Cond, l *reqlog.Log) bool {
	id, ok := wholeOf(l, c.Field)
	if c.Op == reqlog.OpIsNull {
		return !ok
	}
	return ok && slices.Contains(c.IDs, id)
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

func numberHolds(c reqlog.Cond, l *reqlog.Log) bool {
	n, ok := numberOf(l, c.Field)
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

func instantHolds(c reqlog.Cond, l *reqlog.Log) bool {
	at := instantOf(l, c.Field)
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
	if c.Op == reqlog.OpIsEmpty {
		return len(elements) == 0
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
