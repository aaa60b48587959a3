package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var regexSpec = Spec{
	Name: "REGEX", Label: "Matches pattern", Group: groupChecks, Icon: "regex",
	Doc:     "Checks whether a regular expression matches.",
	Summary: "/{regex_pattern}/",
	Initial: []byte(`{"source":"$source","regex_pattern":""}`),
	Fields:  []Field{sourceField, patternField},
	read:    readRegex,
}

// readRegex reads REGEX: whether a text matches anywhere.
func readRegex(c *settings) runner {
	source := c.source("source")
	expression := c.expression("regex_pattern")
	return func(ctx context.Context, env *Env) (jsontree.Value, error) {
		found, err := expression.matches(ctx, env, env.text(source))
		return boolean(found), err
	}
}
