package kit

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
)

// BodyLoc is where the locations of problems in a body start.
var BodyLoc = []any{"body"}

// Each converts the elements of a list. The result is never nil, so that it is
// never written as null.
func Each[T, W any](list []T, convert func(T) W) []W {
	out := make([]W, len(list))
	for i, element := range list {
		out[i] = convert(element)
	}
	return out
}

// EachRef is Each for elements that are too large to copy.
func EachRef[T, W any](list []T, convert func(*T) W) []W {
	out := make([]W, len(list))
	for i := range list {
		out[i] = convert(&list[i])
	}
	return out
}

// OrNil returns a pointer to the value, or nil for the zero value.
func OrNil[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// OrZero returns the value that is pointed at, or the zero value for nil.
func OrZero[T any](v *T) T {
	if v == nil {
		return *new(T)
	}
	return *v
}

// Given returns a member of a body, absent if it is null.
func Given(body jsontree.Value, name string) jsontree.Value {
	if v := body.Get(name); v.Given() {
		return v
	}
	return jsontree.Value{}
}

// RawOrNull returns a JSON object, or nil for an empty text.
func RawOrNull(text []byte) *rest.RawObject {
	if len(text) == 0 {
		return nil
	}
	return (*rest.RawObject)(&text)
}

// Time returns a time in the form of the wire.
func Time(t time.Time) rest.Time { return rest.Time(t.UnixMicro()) }

// TimeOrNil returns a time in the form of the wire, or nil.
func TimeOrNil(t *time.Time) *rest.Time {
	if t == nil {
		return nil
	}
	return new(Time(*t))
}

// Instant returns a time of the wire as a time.Time, or nil.
func Instant(t *rest.Time) *time.Time {
	if t == nil {
		return nil
	}
	return new(time.UnixMicro(int64(*t)).UTC())
}

// Set replaces a value if another is given.
func Set[T any](to, value *T) {
	if value != nil {
		*to = *value
	}
}

// Harmless escapes a text that a spreadsheet would evaluate as a formula.
func Harmless(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	if text != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + text
	}
	return text
}
