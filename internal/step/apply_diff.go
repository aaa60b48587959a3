package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// readApplyDiff reads APPLY_DIFF: a text as a unified diff changes it.
func readApplyDiff(c *settings) runner {
	original, diff := "", ""
	if c.has("original_source", "diff_source") {
		original, diff = c.source("original_source"), c.source("diff_source")
	} else {
		original, diff = c.pair()
	}
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		patched, err := applyDiff(env.text(original), env.text(diff))
		if err != nil {
			return jsontree.Value{}, err
		}
		return textValue(patched)
	}
}
