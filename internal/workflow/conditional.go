package workflow

import (
	"cmp"
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// Conditional compares two values.
type Conditional struct {
	// Position is the evaluation order, lowest first.
	Position int64
	Operator step.Operator
	// Left and Right are objects that ReadOperand understands. Right may be any
	// object if the operator ignores it.
	Left, Right jsontree.Value
}

// Operands returns both sides. The right one is empty if the operator ignores
// it.
func (c *Conditional) Operands() (left, right Operand) {
	left = ReadOperand(c.Left)
	if looksRight(c.Operator) {
		right = ReadOperand(c.Right)
	}
	return left, right
}

func looksRight(o step.Operator) bool { return o != step.IsNull && o != step.IsNotNull }

// Operand is one side of a comparison.
type Operand struct {
	// Source is the name of a node or an input variable, "" for a static value.
	Source string
	// Static is the value if there is no source, absent if none is given.
	Static jsontree.Value
}

// ReadOperand parses the configuration of one side. Without a type the given
// member decides, and a source may be just the name.
func ReadOperand(config jsontree.Value) Operand {
	source := config.Get("source")
	kind := config.Get("type").Str()
	if kind == operandStatic || kind == "" && !source.Given() {
		return Operand{Static: config.Get(operandStatic)}
	}
	if source.Kind() == jsontree.Object {
		source = source.Get("name")
	}
	return Operand{Source: source.Str()}
}

// The types of operands, which are also the names of their members.
const (
	operandSource = "source"
	operandStatic = "static_value"
)

// Reads returns the names that the conditionals of the edge read.
func (e *Edge) Reads() []string {
	var names []string
	for i := range e.Conditionals {
		left, right := e.Conditionals[i].Operands()
		for _, name := range []string{left.Source, right.Source} {
			if name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

// InOrder returns the conditionals by position; those with the same position
// keep their order.
func (e *Edge) InOrder() []Conditional {
	sorted := slices.Clone(e.Conditionals)
	slices.SortStableFunc(sorted, func(a, b Conditional) int { return cmp.Compare(a.Position, b.Position) })
	return sorted
}
