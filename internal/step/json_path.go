package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var jsonPathSpec = Spec{
	Name: "JSON_PATH", Label: "JSON path", Group: groupData, Icon: "braces",
	Doc:     "Extracts a part of a JSON value.",
	Summary: "{source} {json_path}",
	Initial: []byte(`{"source":"$source","json_path":"$"}`),
	Fields: []Field{
		sourceField, jsonPathField,
		{Name: "return_first_match", Kind: FieldFlag, Label: "First match only", Default: true},
		{Name: "return_all", Kind: FieldJSON, Label: "All matches", Optional: true, Default: false},
	},
	read: readJSONPath,
}

// readJSONPath reads JSON_PATH: a part of a JSON value, or all such parts.
func readJSONPath(c *settings) runner {
	source := c.source("source")
	path := c.path(true, "json_path")
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
