package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var validators = map[string]func(jsontree.Value) bool{
	"object": isJSON, "json": isJSON, "number": isNumeric,
	"sql": func(v jsontree.Value) bool { return looksLikeSQL(Text(v)) },
}

var assertValidSpec = Spec{
	Name: "ASSERT_VALID", Label: "Is valid", Group: groupChecks, Icon: "badge-check",
	Doc:     "Checks whether a text is valid JSON, a number or SQL.",
	Summary: "{source} as {type}",
	Initial: []byte(`{"source":"$source","type":"object"}`),
	Fields: []Field{
		sourceField,
		{Name: "type", Aliases: []string{"validation_type"}, Kind: FieldChoice, Label: "Expected format", Choices: []Choice{
			{"object", "JSON"}, {"number", "number"}, {"sql", "SQL"}, {Value: "json"},
		}},
	},
	read: readAssertValid,
}

// readAssertValid reads ASSERT_VALID: whether a value is of a type.
func readAssertValid(c *settings) runner {
	source := c.source("source")
	valid := validators[c.choice("type")]
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		return boolean(valid(env.value(source))), nil
	}
}

func isNumeric(v jsontree.Value) bool {
	_, ok := numeric(v)
	return ok
}

// isJSON reports whether a value is JSON or a string of JSON. Null is not.
func isJSON(v jsontree.Value) bool {
	if v.Kind() != jsontree.String {
		return v.Given()
	}
	_, err := castJSON(v)
	return err == nil
}
