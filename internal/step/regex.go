package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// readRegex reads REGEX: whether a text matches anywhere.
func readRegex(c *settings) runner {
	source := c.source("source")
	expression := c.expression("regex_pattern", "pattern")
	return func(ctx context.Context, env *Env) (jsontree.Value, error) {
		found, err := expression.matches(ctx, env.text(source))
		return boolean(found), err
	}
}
