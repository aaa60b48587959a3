package workflow

import (
	"cmp"
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// Conditional compares two values.
type Conditional struct {
	// Position says when it is evaluated; the lowest is first.
	Position int64
	Operator step.Operator
	// Left and Right are objects that Operand understands, except that the
	// right one may be any object where the operator does not look at it.
	Left, Right jsontree.Value
}

// Operands returns both sides. The right one is nothing where the operator does
// not look at it.
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
	// Source names a node or an input variable, "" where the value is static.
	Source string
	// Static is the value where there is no source. It is absent where there
	// is none.
	Static jsontree.Value
}

// ReadOperand returns what the configuration of one side means. Without a type
// the member that is there decides, and a source may be the name itself.
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

// The types of operands, which are also the members that hold them.
const (
	operandSource = "source"
	operandStatic = "static_value"
)

// Reads returns the names of what the conditionals of the edge read.
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

// InOrder returns the conditionals by position; those of one position are in
// the order in which they were given.
func (e *Edge) InOrder() []Conditional {
	sorted := slices.Clone(e.Conditionals)
	slices.SortStableFunc(sorted, func(a, b Conditional) int { return cmp.Compare(a.Position, b.Position) })
	return sorted
}
