package workflow

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

func (r *reader) edge(v jsontree.Value) Edge {
	if r.object(v).Kind() != jsontree.Object {
		return Edge{}
	}
	return Edge{
		Source:       member(r, v, "source_node_name", r.name),
		Target:       member(r, v, "target_node_name", r.name),
		IsAnd:        member(r, v, "is_and", r.boolean),
		Conditionals: member(r, v, "conditionals", r.conditionals),
	}
}

func (r *reader) conditionals(v jsontree.Value) []Conditional {
	if !v.Given() {
		r.refuse("missing", "Field required")
		return nil
	}
	list := readList(r, v, MaxConditionals, r.conditional)
	if v.Kind() == jsontree.Array && v.Len() == 0 {
		r.refuse("too_short", "List should have at least 1 item, not 0")
	}
	return list
}

func (r *reader) conditional(v jsontree.Value) Conditional {
	if r.object(v).Kind() != jsontree.Object {
		return Conditional{}
	}
	c := Conditional{
		Position: member(r, v, "position", r.position),
		Operator: member(r, v, "operator", r.operator),
		Left:     member(r, v, "left_config", r.operand),
	}
	right := r.operand
	if !looksRight(c.Operator) {
		right = r.object
	}
	c.Right = member(r, v, "right_config", right)
	return c
}

func (r *reader) position(v jsontree.Value) int64 {
	n, ok := v.Int()
	switch {
	case !ok:
		r.wrong(v, "int_type", "Input should be a valid integer")
	case n < 0:
		r.refuse("greater_than_equal", "Input should be greater than or equal to 0")
	}
	return n
}

func (r *reader) operator(v jsontree.Value) step.Operator {
	operator := step.Operator(r.str(v))
	if v.Kind() == jsontree.String && !operator.Known() {
		r.refuse("enum", "Input should be one of %v", step.Operators())
	}
	return operator
}

// operand reads one side of a comparison; what ReadOperand makes of it must be
// a name or a value.
func (r *reader) operand(v jsontree.Value) jsontree.Value {
	if r.object(v).Kind() != jsontree.Object {
		return v
	}
	kind := v.Get("type")
	if kind.Given() && kind.Str() != operandSource && kind.Str() != operandStatic {
		r.at("type", func() { r.refuse("enum", "Input should be '%s' or '%s'", operandSource, operandStatic) })
		return v
	}
	operand := ReadOperand(v)
	if operand.Source != "" || operand.Static.Kind() != jsontree.Absent {
		return v
	}
	wanted := kind.Str()
	if !kind.Given() {
		wanted = operandSource
		if !v.Get(operandSource).Given() {
			r.refuse("missing", "Input should have a source or a static_value")
			return v
		}
	}
	r.at(wanted, func() { r.wrong(v.Get(wanted), "value_error", "Input should name a node or an input variable") })
	return v
}
