package step

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// maxForIterations is the maximum number of iterations of FOR_LOOP.
const maxForIterations = 1000

var forLoopSpec = Spec{
	Name: "FOR_LOOP", Label: "For each", Group: groupNesting, Icon: "repeat",
	Doc:     "Runs a prompt or workflow for each item of a list.",
	Summary: "{loop_type} for each of {iterator_source|max_iterations}",
	Form:    FormJSON,
	Initial: []byte(`{"loop_type":"workflow","workflow_config":{"workflow_id":1,"input_mappings":{}},"iterator_source":"$source"}`),
	Work:    Effect,
	Fields: slices.Concat(loopFields, []Field{
		{Name: "iterator_source", Kind: FieldSource, Label: "For each of", Optional: true},
		{Name: "max_iterations", Kind: FieldNumber, Label: "Number of iterations", Optional: true},
	}),
	SeesAll: true,
	read:    readForLoop,
}

// readForLoop reads FOR_LOOP: a prompt or workflow for each item of an array,
// or a number of times.
func readForLoop(c *settings) runner {
	if c.has("iterator_source") == c.has("max_iterations") {
		c.fail("exactly one of 'iterator_source' and 'max_iterations' is required")
	}
	source := c.optionalSource("iterator_source")
	times := int(c.integer("max_iterations"))
	if times > maxForIterations {
		c.reportAt("max_iterations", fault.Maximum(maxForIterations))
	}
	loop := readLoopBody(c)
	return func(ctx context.Context, env *Env) (jsontree.Value, error) {
		items := make([]jsontree.Value, times)
		if source != "" {
			var err error
			if items, err = iterated(env, source); err != nil {
				return jsontree.Value{}, err
			}
		}
		running := newIteration(loop, env)
		for _, item := range items {
			if err := running.next(ctx, item); err != nil {
				return jsontree.Value{}, err
			}
		}
		return running.result()
	}
}

// iterated returns the elements of the array of that name.
func iterated(env *Env, name string) ([]jsontree.Value, error) {
	list, err := env.json(name)
	if err != nil {
		return nil, err
	}
	if list.Kind() != jsontree.Array {
		return nil, failf("the value of '%s' is not an array", name)
	}
	if list.Len() > maxForIterations {
		return nil, failf("the value of '%s' has more than %d items", name, maxForIterations)
	}
	items := make([]jsontree.Value, 0, list.Len())
	for _, item := range list.Elems() {
		items = append(items, item)
	}
	return items, nil
}
