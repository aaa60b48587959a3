package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var mathOrders = map[string]Operator{"lt": Less, "le": LessOrEqual, "gt": Greater, "ge": GreaterOrEqual}

var mathSpec = Spec{
	Name: "MATH_OPERATOR", Label: "Calculate", Group: groupNumbers, Icon: "calculator",
	Doc:     "Compares numbers or calculates with them.",
	Summary: "{sources/operator} {value}",
	Initial: []byte(`{"sources":["$source"],"operator":"gt","value":0}`),
	Fields: []Field{
		{Name: "sources", Kind: FieldSources, Label: "Values of", Hint: "Choose two, or one and a number below."},
		source1Field, source2Field,
		{Name: "operator", Kind: FieldChoice, Label: "Operator", Choices: []Choice{
			{"lt", "less than"}, {"le", "at most"}, {"gt", "greater than"}, {"ge", "at least"},
			{"+", "plus"}, {"-", "minus"}, {"*", "times"}, {"/", "divided by"}, {"%", "modulo"}, {"**", "to the power of"},
		}},
		{Name: "value", Kind: FieldNumber, Label: "Number", Optional: true},
	},
	read: readMath,
}

// readMath reads MATH_OPERATOR: a comparison or calculation of two numbers. The
// second number may be in the configuration.
func readMath(c *settings) runner {
	names := c.sourceList()
	fixed, given := c.number("value")
	if len(names) != 2 && (len(names) != 1 || !given) {
		c.fail("'sources' must name two sources, or one together with 'value'")
		return nil
	}
	operator := c.choice("operator")
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		a, err := env.number(names[0])
		if err != nil {
			return jsontree.Value{}, err
		}
		b := fixed
		if len(names) == 2 {
			if b, err = env.number(names[1]); err != nil {
				return jsontree.Value{}, err
			}
		}
		if order, ok := mathOrders[operator]; ok {
			return boolean(ordered(order, a.compare(b))), nil
		}
		return calculate(operator, a, b)
	}
}
