package workflow

import (
	"math"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
	"github.com/promptuary/promptuary/internal/step"
)

func (r *reader) edge(v jsontree.Value) Edge {
	o, ok := r.Object(v)
	if !ok {
		return Edge{}
	}
	o = o.Required()
	return Edge{
		Source:       o.Text("source_node_name", 1, MaxName),
		Target:       o.Text("target_node_name", 1, MaxName),
		IsAnd:        o.Bool("is_and"),
		Conditionals: r.conditionals(v.Get("conditionals")),
	}
}

func (r *reader) conditionals(v jsontree.Value) []Conditional {
	r.Enter("conditionals")
	defer r.Leave()
	if !r.Array(v, 1, MaxConditionals) {
		return nil
	}
	return shape.List(&r.Reader, v, MaxConditionals, r.conditional)
}

func (r *reader) conditional(v jsontree.Value) Conditional {
	o, ok := r.Object(v)
	if !ok {
		return Conditional{}
	}
	o = o.Required()
	c := Conditional{
		Position: o.Int("position", 0, math.MaxInt64, 0),
		Operator: shape.Choice(o, "operator", step.Operators()),
		Left:     r.operand(o, "left_config", true),
	}
	c.Right = r.operand(o, "right_config", looksRight(c.Operator))
	return c
}

// operand reads one side of a comparison. If it is used, ReadOperand must make
// a name or a value of it.
func (r *reader) operand(o shape.Object, key string, used bool) jsontree.Value {
	v := o.Member(key, jsontree.Object)
	if used && v.Kind() == jsontree.Object {
		r.Enter(key)
		r.checkOperand(v)
		r.Leave()
	}
	return v
}

func (r *reader) checkOperand(v jsontree.Value) {
	kind := v.Get("type")
	if kind.Given() && kind.Str() != operandSource && kind.Str() != operandStatic {
		r.Enter("type")
		r.Report(fault.OneOf(operandSource, operandStatic))
		r.Leave()
		return
	}
	operand := ReadOperand(v)
	if operand.Source != "" || operand.Static.Kind() != jsontree.Absent {
		return
	}
	wanted := kind.Str()
	if !kind.Given() {
		wanted = operandSource
		if !v.Get(operandSource).Given() {
			r.Report(fault.Rulef("missing", "Input should have a source or a static_value"))
			return
		}
	}
	r.Enter(wanted)
	r.Wrong(v.Get(wanted), fault.Rulef("value_error", "Input should name a node or an input variable"))
	r.Leave()
}
