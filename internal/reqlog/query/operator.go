package query

import "slices"

// Op is a filter operator.
type Op string

// The filter operators.
const (
	OpIs           Op = "is"
	OpIsNot        Op = "is_not"
	OpIn           Op = "in"
	OpNotIn        Op = "not_in"
	OpIsNull       Op = "is_null"
	OpIsNotNull    Op = "is_not_null"
	OpContains     Op = "contains"
	OpNotContains  Op = "not_contains"
	OpStartsWith   Op = "starts_with"
	OpEndsWith     Op = "ends_with"
	OpEq           Op = "eq"
	OpNeq          Op = "neq"
	OpGt           Op = "gt"
	OpGte          Op = "gte"
	OpLt           Op = "lt"
	OpLte          Op = "lte"
	OpBetween      Op = "between"
	OpBefore       Op = "before"
	OpAfter        Op = "after"
	OpIsTrue       Op = "is_true"
	OpIsFalse      Op = "is_false"
	OpIsEmpty      Op = "is_empty"
	OpIsNotEmpty   Op = "is_not_empty"
	OpKeyEquals    Op = "key_equals"
	OpKeyNotEquals Op = "key_not_equals"
	OpKeyContains  Op = "key_contains"
)

// OpUnder matches logs with a metadata key that is the operand, or below it: the
// operand, a dot and more. It is for deletions, and not part of the filter language.
const OpUnder Op = "under"

// Arity is the number of operands of an operator.
type Arity string

// The arities.
const (
	ArityNone Arity = "none"
	ArityOne  Arity = "one"
	ArityList Arity = "list"
	ArityPair Arity = "pair" // the two ends of a range
)

// OpSpec describes one operator.
type OpSpec struct {
	Name  Op    `json:"name"`
	Arity Arity `json:"arity"`
	// Label is the name of the operator in forms.
	Label string `json:"label"`
	// Negates is the operator that is true exactly when this one is false, "" for
	// a positive operator.
	Negates Op `json:"negates,omitempty"`
}

// Operators lists the operators. It must not be changed.
var Operators = []OpSpec{
	{Name: OpIs, Arity: ArityOne, Label: "is"},
	{Name: OpIsNot, Arity: ArityOne, Label: "is not", Negates: OpIs},
	{Name: OpIn, Arity: ArityList, Label: "is any of"},
	{Name: OpNotIn, Arity: ArityList, Label: "is none of", Negates: OpIn},
	{Name: OpIsNull, Arity: ArityNone, Label: "is not set"},
	{Name: OpIsNotNull, Arity: ArityNone, Label: "is set", Negates: OpIsNull},
	{Name: OpContains, Arity: ArityOne, Label: "contains"},
	{Name: OpNotContains, Arity: ArityOne, Label: "does not contain", Negates: OpContains},
	{Name: OpStartsWith, Arity: ArityOne, Label: "starts with"},
	{Name: OpEndsWith, Arity: ArityOne, Label: "ends with"},
	{Name: OpEq, Arity: ArityOne, Label: "="},
	{Name: OpNeq, Arity: ArityOne, Label: "≠", Negates: OpEq},
	{Name: OpGt, Arity: ArityOne, Label: ">"},
	{Name: OpGte, Arity: ArityOne, Label: "≥"},
	{Name: OpLt, Arity: ArityOne, Label: "<"},
	{Name: OpLte, Arity: ArityOne, Label: "≤"},
	{Name: OpBetween, Arity: ArityPair, Label: "is between"},
	{Name: OpBefore, Arity: ArityOne, Label: "is before"},
	{Name: OpAfter, Arity: ArityOne, Label: "is after"},
	{Name: OpIsTrue, Arity: ArityNone, Label: "is true"},
	{Name: OpIsFalse, Arity: ArityNone, Label: "is false", Negates: OpIsTrue},
	{Name: OpIsEmpty, Arity: ArityNone, Label: "is empty"},
	{Name: OpIsNotEmpty, Arity: ArityNone, Label: "is not empty", Negates: OpIsEmpty},
	{Name: OpKeyEquals, Arity: ArityOne, Label: "is"},
	{Name: OpKeyNotEquals, Arity: ArityOne, Label: "is not", Negates: OpKeyEquals},
	{Name: OpKeyContains, Arity: ArityOne, Label: "contains"},
}

// Spec returns the description of the operator, nil if the
// operator is unknown.
func (op Op) Spec() *OpSpec {
	at := slices.IndexFunc(Operators, func(s OpSpec) bool { return s.Name == op })
	if at < 0 {
		return nil
	}
	return &Operators[at]
}

// Compares reports whether the operator compares numbers.
func (op Op) Compares() bool { return slices.Contains(TypeNumeric.Operators(), op) }

// TypeOperators lists the operators of one type of field.
type TypeOperators struct {
	Type      FieldType `json:"type"`
	Operators []Op      `json:"operators"`
}

var (
	equality = []Op{OpIs, OpIsNot, OpIn, OpNotIn}
	nested   = []Op{OpKeyEquals, OpKeyNotEquals, OpKeyContains, OpIn, OpNotIn, OpIsEmpty, OpIsNotEmpty}
)

// OperatorsByType lists the operators of each type of field, the most common
// one first. It must not be changed.
var OperatorsByType = []TypeOperators{
	{TypeIdentifier, append(slices.Clone(equality), OpIsNull, OpIsNotNull)},
	{TypeString, equality},
	{TypeName, append(slices.Clone(equality), OpContains, OpNotContains, OpStartsWith, OpEndsWith)},
	{TypeStatus, equality},
	{TypeIntent, equality},
	{TypeText, []Op{OpContains, OpNotContains, OpStartsWith, OpEndsWith}},
	{TypeNumeric, []Op{OpEq, OpNeq, OpGt, OpGte, OpLt, OpLte, OpBetween, OpIsNull, OpIsNotNull}},
	{TypeDatetime, []Op{OpIs, OpBefore, OpAfter, OpBetween}},
	{TypeBoolean, []Op{OpIsTrue, OpIsFalse}},
	{TypeArray, []Op{OpContains, OpNotContains, OpIn, OpNotIn, OpIsEmpty, OpIsNotEmpty}},
	{TypeNested, nested},
	{TypeScore, append([]Op{OpEq, OpNeq, OpGt, OpGte, OpLt, OpLte, OpBetween}, nested...)},
}

// Operators returns the operators of fields of the type.
func (t FieldType) Operators() []Op {
	at := slices.IndexFunc(OperatorsByType, func(o TypeOperators) bool { return o.Type == t })
	if at < 0 {
		return nil
	}
	return OperatorsByType[at].Operators
}
