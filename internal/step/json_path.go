package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// readJSONPath reads JSON_PATH: a part of a JSON value, or all such parts.
func readJSONPath(c *settings) runner {
	source := c.source("source")
	path := c.path(true, "json_path", "path")
	all := c.flag(false, "return_all")
	if c.has("return_first_match") {
		all = !c.flag(true, "return_first_match")
	}
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		value, err := env.json(source)
		if err != nil {
			return value, err
		}
		if !all {
			return path.first(value)
		}
		found, err := path.all(value)
		if err != nil {
			return value, err
		}
		return arrayOf(found)
	}
}
