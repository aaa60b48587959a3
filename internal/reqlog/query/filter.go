package query

import (
	"fmt"
	"iter"
	"strings"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// Node is a part of a filter: a Group or a Cond.
type Node interface{ isNode() }

// Group joins nodes. An empty group matches everything.
type Group struct {
	// Any joins with OR, otherwise with AND.
	Any bool
	// Span says that one and the same span must match. Then all conditions are on
	// fields of spans, and groups within are also of a span. Without it, each
	// condition on a span may be met by another one of the trace.
	Span  bool
	Nodes []Node
}

// Cond is a validated condition. The type of the field determines the operands:
// Texts for strings, intents, texts, arrays and nested values, IDs for
// identifiers, Numbers for numeric, Times for datetime fields, Numbers or Texts for
// scores, depending on the operator; none for operators without a value. Negative operators are the exact complement of
// their positives: they match logs without a value.
type Cond struct {
	Field Field
	Op    Op
	// Key is the dotted path of a nested field, or the name of a score.
	Key     string
	Texts   []string
	IDs     []int64
	Numbers []float64
	Times   []reqlog.Micros
}

func (Group) isNode() {}

func (Cond) isNode() {}

// Positive returns the condition with the positive form of its operator, and
// whether the condition negates it.
func (c Cond) Positive() (positive Cond, negated bool) {
	if op := c.Op.Spec(); op != nil && op.Negates != "" {
		c.Op = op.Negates
		return c, true
	}
	return c, false
}

// TextTest returns the test of a text condition, without its negation, on a
// text in lower case.
func (c Cond) TextTest() func(lowered string) bool {
	value := strings.ToLower(c.Texts[0])
	switch c.Op {
	case OpStartsWith:
		return func(lowered string) bool { return strings.HasPrefix(lowered, value) }
	case OpEndsWith:
		return func(lowered string) bool { return strings.HasSuffix(lowered, value) }
	default:
		return func(lowered string) bool { return strings.Contains(lowered, value) }
	}
}

// Conds iterates over the conditions of a filter, which may be nil.
func Conds(filter Node) iter.Seq[Cond] {
	return func(yield func(Cond) bool) { eachCond(filter, yield) }
}

func eachCond(filter Node, yield func(Cond) bool) bool {
	switch n := filter.(type) {
	case Cond:
		return yield(n)
	case Group:
		for _, child := range n.Nodes {
			if !eachCond(child, yield) {
				return false
			}
		}
	}
	return true
}

// FilterWriter translates filters into the query language of a store. T is the
// type of an expression.
type FilterWriter[T any] struct {
	// Cond translates a condition with a positive operator. If negated, the
	// result must be true wherever the condition is not, including where there
	// is no value to compare with.
	Cond func(c Cond, negated bool) T
	// Join joins the parts of a group with OR or AND. A group without parts
	// matches everything.
	Join func(anyOf bool, parts []T) T
}

// Write translates a filter, which must not be nil.
func (w FilterWriter[T]) Write(filter Node) T {
	switch n := filter.(type) {
	case Group:
		parts := make([]T, len(n.Nodes))
		for i, child := range n.Nodes {
			parts[i] = w.Write(child)
		}
		return w.Join(n.Any, parts)
	case Cond:
		return w.Cond(n.Positive())
	default:
		panic(fmt.Sprintf("unknown filter node %T", n))
	}
}

// TimeBounds returns the lowest and highest time that a condition on a time allows,
// nil for no bound.
func (c Cond) TimeBounds() (low, high *reqlog.Micros) {
	switch c.Op {
	case OpAfter:
		return &c.Times[0], nil
	case OpBefore:
		return nil, &c.Times[0]
	case OpIs:
		return &c.Times[0], &c.Times[0]
	case OpBetween:
		return &c.Times[0], &c.Times[1]
	}
	return nil, nil
}
