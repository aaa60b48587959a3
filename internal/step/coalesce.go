package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// readCoalesce reads COALESCE: the first value that is not null.
func readCoalesce(c *settings) runner {
	names := c.sourceList()
	if len(names) < 2 {
		c.fail("'sources' must name at least two sources")
	}
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		for _, name := range names {
			if v := env.value(name); v.Given() {
				return v, nil
			}
		}
		return null, nil
	}
}
