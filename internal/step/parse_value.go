package step

import (
	"context"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var conversions = map[string]func(jsontree.Value) (jsontree.Value, error){
	"string":  func(v jsontree.Value) (jsontree.Value, error) { return textValue(Text(v)) },
	"number":  toNumber,
	"boolean": toBoolean,
	"object":  castJSON,
	"json":    castJSON,
}

var parseValueSpec = Spec{
	Name: "PARSE_VALUE", Label: "Convert", Group: groupData, Icon: "replace",
	Doc:     "Converts a value to text, a number, a boolean or an object.",
	Summary: "{source} as {type}",
	Initial: []byte(`{"source":"$source","type":"object"}`),
	Fields: []Field{
		sourceField,
		{Name: "type", Aliases: []string{"target_type"}, Kind: FieldChoice, Label: "Convert to", Choices: append(words("string", "number", "boolean", "object"), Choice{Value: "json"})},
	},
	read: readParseValue,
}

// readParseValue reads PARSE_VALUE: a value as another type.
func readParseValue(c *settings) runner {
	source := c.source("source")
	convert := conversions[c.choice("type")]
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		return convert(env.value(source))
	}
}

func toNumber(v jsontree.Value) (jsontree.Value, error) {
	if v.Kind() == jsontree.Number {
		return v, nil
	}
	n, ok := numeric(v)
	if !ok {
		return v, failf("'%s' is not a number", shorten(Text(v)))
	}
	return parsed([]byte(n.String()))
}

var booleanWords = map[string]bool{"true": true, "yes": true, "1": true, "false": false, "no": false, "0": false}

func toBoolean(v jsontree.Value) (jsontree.Value, error) {
	if v.Kind() == jsontree.Bool {
		return v, nil
	}
	result, ok := booleanWords[strings.ToLower(strings.TrimSpace(Text(v)))]
	if !ok {
		return v, failf("'%s' is not a boolean", shorten(Text(v)))
	}
	return boolean(result), nil
}
