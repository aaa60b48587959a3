package step

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// maxWhileIterations limits the loop. A larger number can be stored but has no
// effect.
const maxWhileIterations = 100

var whileLoopSpec = Spec{
	Name: "WHILE_LOOP", Label: "While", Group: groupNesting, Icon: "infinity",
	Doc:     "Repeats a prompt or workflow until a condition is met.",
	Summary: "{loop_type}, at most {max_iterations} times",
	Form:    FormJSON,
	Initial: []byte(`{"loop_type":"workflow","workflow_config":{"workflow_id":1,"input_mappings":{}},"max_iterations":5}`),
	Work:    Effect,
	Fields: slices.Concat(loopFields, []Field{
		{Name: "max_iterations", Kind: FieldNumber, Label: "Maximum iterations", Optional: true},
		{Name: "end_condition_json_path", Kind: FieldPattern, Label: "Stop when", Optional: true},
	}),
	SeesAll: true,
	read:    readWhileLoop,
}

// readWhileLoop reads WHILE_LOOP: a prompt or workflow that is repeated until
// its output meets the condition.
func readWhileLoop(c *settings) runner {
	most := c.integer("max_iterations")
	if most == 0 {
		most = maxWhileIterations
	}
	most = min(most, maxWhileIterations)
	end := c.path(false, "end_condition_json_path")
	loop := readLoopBody(c)
	return func(ctx context.Context, env *Env) (jsontree.Value, error) {
		running := newIteration(loop, env)
		for range most {
			if err := running.next(ctx, jsontree.Value{}); err != nil {
				return jsontree.Value{}, err
			}
			over, err := isOver(end, running.last)
			if err != nil {
				return jsontree.Value{}, err
			}
			if over {
				break
			}
		}
		return running.result()
	}
}

// isOver reports whether the value at the path is true; without a path, the
// loop continues while its output is true. A path finds nothing in an output
// that is not JSON.
func isOver(end *path, output jsontree.Value) (bool, error) {
	if end == nil {
		return !truthy(output), nil
	}
	value, err := castJSON(output)
	if err != nil {
		return false, nil //nolint:nilerr // see above
	}
	found, err := end.first(value)
	return truthy(found), err
}

// truthy reports whether a value counts as true: everything except null, false,
// zero and empty values.
func truthy(v jsontree.Value) bool {
	switch v.Kind() {
	case jsontree.Bool:
		return v.Bool()
	case jsontree.Number:
		n, _ := numeric(v)
		return n.digits != ""
	case jsontree.String:
		return v.Str() != ""
	case jsontree.Array, jsontree.Object:
		return v.Len() > 0
	default:
		return false
	}
}
