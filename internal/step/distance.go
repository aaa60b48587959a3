package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var distanceSpec = Spec{
	Name: "ABSOLUTE_NUMERIC_DISTANCE", Label: "Distance", Group: groupNumbers, Icon: "move-horizontal",
	Doc:     "The absolute difference of two numbers.",
	Summary: "{sources}",
	Initial: []byte(`{"sources":["$source","$source"]}`),
	Fields:  []Field{pairField, source1Field, source2Field},
	read:    readDistance,
}

// readDistance reads ABSOLUTE_NUMERIC_DISTANCE: the distance of two numbers.
func readDistance(c *settings) runner {
	first, second := c.pair()
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		a, err := env.number(first)
		if err != nil {
			return jsontree.Value{}, err
		}
		b, err := env.number(second)
		if err != nil {
			return jsontree.Value{}, err
		}
		if a.compare(b) < 0 {
			a, b = b, a
		}
		return calculate("-", a, b)
	}
}
