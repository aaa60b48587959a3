package kit

import (
	"time"

	"github.com/swaggest/jsonschema-go"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
)

// BodyLoc is where the locations of problems in a body start.
var BodyLoc = []any{"body"}

// OrNil returns a pointer to the value, or nil for the zero value.
func OrNil[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// Given returns a member of a body, absent if it is null.
func Given(body jsontree.Value, name string) jsontree.Value {
	if v := body.Get(name); v.Given() {
		return v
	}
	return jsontree.Value{}
}

// OrZero returns the value that is pointed at, or the zero value for nil.
func OrZero[T any](v *T) T {
	if v == nil {
		return *new(T)
	}
	return *v
}

// RawOrNull returns a JSON object as it is written, null if there is none.
func RawOrNull(text []byte) *rest.RawObject {
	if len(text) == 0 {
		return nil
	}
	return (*rest.RawObject)(&text)
}

// Instant returns a time on the wire as a time.Time.
func Instant(t *rest.Time) *time.Time {
	if t == nil {
		return nil
	}
	at := time.UnixMicro(int64(*t)).UTC()
	return &at
}

// TimeOrNil returns a time as it is written, null for nil.
func TimeOrNil(t *time.Time) *rest.Time {
	if t == nil {
		return nil
	}
	return new(rest.Time(t.UnixMicro()))
}

// NumberOrText returns the schema of an id that is a number or a string.
func NumberOrText() (jsonschema.Schema, error) {
	var s jsonschema.Schema
	s.AddType(jsonschema.Integer)
	s.AddType(jsonschema.String)
	return s, nil
}
