package step

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// maxWhileIterations bounds a loop that decides itself when it ends. A larger
// number may be stored; it is not reached.
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
	read: readWhileLoop,
}

// readWhileLoop reads WHILE_LOOP: a prompt or workflow until its output says
// that it is enough.
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

// isOver reports whether what the path leads to is true; without a path, a
// loop goes on as long as its output is. An output that is no JSON has nothing
// for a path to lead to.
func isOver(end *path, output jsontree.Value) (bool, error) {
	if end == nil {
		return !truthy(output), nil
	}
	value, err := castJSON(output)
	if err != nil {
		return false, nil //nolint:nilerr // as said above
	}
	found, err := end.first(value)
	return truthy(found), err
}

// truthy reports whether a value counts as true: all do but null, false, zero
// and what is empty.
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
