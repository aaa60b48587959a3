package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

var variableTypes = []string{"string", "json"}

var variableSpec = Spec{
	Name: "VARIABLE", Label: "Value", Group: groupValues, Icon: "case-sensitive",
	Doc:     "A constant value.",
	Summary: "{value}",
	Form:    "value",
	Initial: []byte(`{"value":{"type":"string","value":""}}`),
	Fields: []Field{
		{Name: "value", Kind: FieldJSON, Label: "Value"},
		{Name: "value_type", Kind: FieldChoice, Label: "Type", Optional: true, Choices: words("string", "json"), Default: "string"},
	},
	read: readVariable,
}

// readVariable reads VARIABLE: a value in the configuration.
func readVariable(c *settings) runner {
	value, key := c.get("value")
	if !value.Given() {
		c.reportAt(key, fault.Required)
	}
	typ := c.choice("value_type")
	if isWrapped(value) {
		typ = c.within(key, value).word("string", variableTypes, "type")
		value = value.Get("value")
	}
	if typ == "json" && value.Kind() == jsontree.String {
		var err error
		if value, err = castJSON(value); err != nil {
			c.reportAt(key, fault.Rulef("json_invalid", "%v", err))
		}
	}
	return func(context.Context, *Env) (jsontree.Value, error) { return value, nil }
}

// isWrapped reports whether an object is a value with its type.
func isWrapped(v jsontree.Value) bool {
	return v.Get("type").Kind() != jsontree.Absent && v.Get("value").Kind() != jsontree.Absent
}
