package rest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/swaggest/jsonschema-go"
)

// Opt is a member of a body that may be absent, null or a value, for fields where
// null differs from absence, such as "remove it". The zero Opt is absent.
type Opt[T any] struct {
	Value T
	// Set reports whether the member was present, as null or as a value.
	Set bool
	// Null reports whether the member was null.
	Null bool
}

// Some returns an Opt that holds v.
func Some[T any](v T) Opt[T] { return Opt[T]{Value: v, Set: true} }

// Null returns an Opt that is null.
func Null[T any]() Opt[T] { return Opt[T]{Set: true, Null: true} }

// Get returns the value. ok is false if there is none.
func (o Opt[T]) Get() (v T, ok bool) { return o.Value, o.Set && !o.Null }

// IsZero reports whether the member is absent, for omitzero.
func (o Opt[T]) IsZero() bool { return !o.Set }

// MarshalJSON encodes the value, or null if there is none.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if !o.Set || o.Null {
		return []byte("null"), nil
	}
	return encode(o.Value)
}

// optional is implemented by *Opt[T] for every T.
type optional interface {
	valueType() reflect.Type
	setNull()
	setValue() (pointer any)
}

func (o *Opt[T]) valueType() reflect.Type { return reflect.TypeFor[T]() }
func (o *Opt[T]) setNull()                { *o = Null[T]() }
func (o *Opt[T]) setValue() any {
	o.Set, o.Null = true, false
	return &o.Value
}

// InlineJSONSchema keeps Opt out of the named schemas of the documents.
func (Opt[T]) InlineJSONSchema() {}

// JSONSchemaAnyOf returns a value whose schema is documented.
func (Opt[T]) JSONSchemaAnyOf() []any { return []any{*new(T)} }

// PrepareJSONSchema adds null to the schema of the value.
func (Opt[T]) PrepareJSONSchema(s *jsonschema.Schema) error {
	inner := s.AnyOf[0].TypeObjectEns()
	if inner.Ref != nil {
		s.Type, s.Properties = nil, nil
		s.AnyOf = append(s.AnyOf, jsonschema.Null.ToSchemaOrBool())
		return nil
	}
	*s = *inner
	if s.Type != nil {
		s.AddType(jsonschema.Null)
	}
	return nil
}

// NonNil returns list, or an empty list instead of nil, so that it is encoded as []
// and not as null.
func NonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// DigitInt is an integer that clients may also send as a string of digits.
type DigitInt int64

func digitIntReader(r *rules) jsonReader {
	plain := intReader(r)
	return func(b *binder, v jsontree.Value, dst reflect.Value) bool {
		if v.Kind() != jsontree.String {
			return plain(b, v, dst)
		}
		text := v.Str()
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || !allDigits(text) {
			return b.Report(fault.IntOrDigits)
		}
		return setInt(b, n, dst, r)
	}
}

// InlineJSONSchema keeps DigitInt out of the named schemas of the documents.
func (DigitInt) InlineJSONSchema() {}

// PrepareJSONSchema adds the string form to the schema of the integer.
func (DigitInt) PrepareJSONSchema(s *jsonschema.Schema) error {
	s.AddType(jsonschema.String)
	s.WithPattern("^[0-9]+$")
	return nil
}

// RawObject is a JSON object with its original bytes.
type RawObject []byte

// BindJSON takes the bytes of an object.
func (o *RawObject) BindJSON(v jsontree.Value, loc []any, p *fault.Problems) {
	if v.Kind() != jsontree.Object {
		p.Report(loc, fault.ObjectType)
		return
	}
	*o = v.Raw()
}

// MarshalJSON encodes the object, or null if there is none.
func (o RawObject) MarshalJSON() ([]byte, error) {
	if len(bytes.TrimSpace(o)) == 0 {
		return []byte("null"), nil
	}
	return o, nil
}

// InlineJSONSchema keeps RawObject out of the named schemas of the documents.
func (RawObject) InlineJSONSchema() {}

// JSONSchema accepts any object.
func (RawObject) JSONSchema() (jsonschema.Schema, error) {
	s := jsonschema.Schema{}
	s.AddType(jsonschema.Object)
	s.WithAdditionalProperties(jsonschema.SchemaOrBool{TypeBoolean: new(true)})
	return s, nil
}

var _ json.Marshaler = RawObject{}
