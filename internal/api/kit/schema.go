package kit

import (
	"github.com/swaggest/jsonschema-go"
)

// NumberOrText returns the schema of an id that is a number or a string.
func NumberOrText() (jsonschema.Schema, error) {
	return schemaOfTypes(jsonschema.Integer, jsonschema.String)
}

// ObjectOrNull returns the schema of any object or null.
func ObjectOrNull() (jsonschema.Schema, error) {
	return schemaOfTypes(jsonschema.Object, jsonschema.Null)
}

func schemaOfTypes(types ...jsonschema.SimpleType) (jsonschema.Schema, error) {
	var s jsonschema.Schema
	for _, t := range types {
		s.AddType(t)
	}
	return s, nil
}

// RawJSON is any JSON value as text; nil means null.
type RawJSON []byte

// MarshalJSON returns the value.
func (v RawJSON) MarshalJSON() ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	return v, nil
}

// JSONSchema allows everything.
func (RawJSON) JSONSchema() (jsonschema.Schema, error) {
	var s jsonschema.Schema
	s.WithAdditionalProperties(jsonschema.SchemaOrBool{TypeBoolean: new(true)})
	return s, nil
}

// InlineJSONSchema keeps the type out of the named schemas.
func (RawJSON) InlineJSONSchema() {}
