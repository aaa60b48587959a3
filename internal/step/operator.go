package step

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Operator is the operator of a condition of an edge.
type Operator string

// The operators of conditions.
const (
	Equal          Operator = "="
	NotEqual       Operator = "!="
	Less           Operator = "<"
	Greater        Operator = ">"
	LessOrEqual    Operator = "<="
	GreaterOrEqual Operator = ">="
	In             Operator = "in"
	NotIn          Operator = "not_in"
	IsNull         Operator = "is_null"
	IsNotNull      Operator = "is_not_null"
)

// Operators returns all operators.
func Operators() []Operator {
	return []Operator{Equal, NotEqual, Less, Greater, LessOrEqual, GreaterOrEqual, In, NotIn, IsNull, IsNotNull}
}

// Known reports whether there is such an operator.
func (o Operator) Known() bool { return slices.Contains(Operators(), o) }

// Compare applies the operator to two values. Two numbers, or strings of
// numbers, are compared exactly as numbers; booleans equal only booleans and the
// strings true and false; other values are compared by their string forms. Only
// numbers and strings have an order. An absent value counts as null. An unknown
// operator is always false.
func Compare(operator Operator, left, right jsontree.Value) bool {
	switch operator {
	case Equal:
		return equal(left, right)
	case NotEqual:
		return !equal(left, right)
	case In:
		return in(left, right)
	case NotIn:
		return !in(left, right)
	case IsNull:
		return !left.Given()
	case IsNotNull:
		return left.Given()
	}
	order, ok := orderOf(left, right)
	return ok && ordered(operator, order)
}

// ordered applies the operator to an order of -1, 0 or 1.
func ordered(operator Operator, order int) bool {
	switch operator {
	case Equal:
		return order == 0
	case NotEqual:
		return order != 0
	case Less:
		return order < 0
	case Greater:
		return order > 0
	case LessOrEqual:
		return order <= 0
	case GreaterOrEqual:
		return order >= 0
	default:
		return false
	}
}

func equal(left, right jsontree.Value) bool {
	if a, ok := numeric(left); ok {
		if b, ok := numeric(right); ok {
			return a == b
		}
	}
	if left.Kind() == jsontree.Bool || right.Kind() == jsontree.Bool {
		return saysBoolean(left) && saysBoolean(right) && Text(left) == Text(right)
	}
	return Text(left) == Text(right)
}

func saysBoolean(v jsontree.Value) bool {
	return v.Kind() == jsontree.Bool || v.Kind() == jsontree.String && (v.Str() == "true" || v.Str() == "false")
}

// orderOf returns -1, 0 or 1, and whether the values have an order.
func orderOf(left, right jsontree.Value) (order int, ok bool) {
	a, leftOK := numeric(left)
	b, rightOK := numeric(right)
	if leftOK && rightOK {
		return a.compare(b), true
	}
	if left.Kind() == jsontree.String && right.Kind() == jsontree.String {
		return strings.Compare(left.Str(), right.Str()), true
	}
	return 0, false
}

// in reports whether left is an element of an array or a substring. Null is not
// a substring.
func in(left, right jsontree.Value) bool {
	if right.Kind() == jsontree.String {
		return left.Given() && strings.Contains(right.Str(), Text(left))
	}
	for _, element := range right.Elems() {
		if equal(left, element) {
			return true
		}
	}
	return false
}
