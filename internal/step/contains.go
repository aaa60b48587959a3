package step

import (
	"context"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var containsSpec = Spec{
	Name: "CONTAINS", Label: "Contains", Group: groupChecks, Icon: "search",
	Doc:     "Checks whether a text contains another text.",
	Summary: "{source} contains {value_source|value}",
	Initial: []byte(`{"source":"$source","value":""}`),
	Fields: []Field{
		sourceField,
		{Name: "value", Kind: FieldText, Label: "Contains", Optional: true, Hint: "Not case-sensitive."},
		{Name: "value_source", Kind: FieldSource, Label: "Or the value of", Optional: true},
	},
	read: readContains,
}

// readContains reads CONTAINS: whether a text contains another, ignoring case.
func readContains(c *settings) runner {
	source := c.source("source")
	other := c.optionalSource("value_source")
	value, _ := c.get("value")
	if other == "" && !value.Given() {
		c.fail("'value' or 'value_source' is required")
	}
	part := strings.ToLower(Text(value))
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		wanted := part
		if other != "" {
			wanted = strings.ToLower(env.text(other))
		}
		return boolean(strings.Contains(strings.ToLower(env.text(source)), wanted)), nil
	}
}
