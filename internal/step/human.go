package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// readHuman reads HUMAN: a value that somebody types in. Nobody is there while
// a workflow runs; in a report the cell stays empty until somebody fills it.
func readHuman(c *settings) runner {
	c.word("string", []string{"number", "string"}, "data_type")
	c.optional(jsontree.Object, "ui_element")
	c.optional(jsontree.String, "input_type")
	c.optional(jsontree.String, "prompt")
	c.number("min")
	c.number("max")
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		if !env.Report {
			return jsontree.Value{}, failf("human input is not available")
		}
		return null, nil
	}
}
