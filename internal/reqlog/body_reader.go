package reqlog

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// bodyReader reads members of an object. A null member is as good as absent;
// one that breaks a rule is recorded as a problem and then taken as absent.
type bodyReader struct {
	object   jsontree.Value
	loc      []any
	problems *fault.Problems
}

func (r bodyReader) given(key string) bool { return r.object.Get(key).Given() }

func (r bodyReader) refuse(key, typ, format string, args ...any) {
	r.problems.Add(fault.At(r.loc, key), typ, format, args...)
}

var kindTypes = map[jsontree.Kind]string{
	jsontree.Bool: "bool_type", jsontree.Number: "float_type", jsontree.String: "string_type",
	jsontree.Array: "list_type", jsontree.Object: "dict_type",
}

// member returns the member if it is of that kind.
func (r bodyReader) member(key string, kind jsontree.Kind) jsontree.Value {
	v := r.object.Get(key)
	if !v.Given() || v.Kind() == kind {
		return v
	}
	r.refuse(key, kindTypes[kind], "must be %s, not %s", kind, v.Kind())
	return jsontree.Value{}
}

// require records a problem for each member that is not given.
func (r bodyReader) require(keys ...string) {
	for _, key := range keys {
		if !r.given(key) {
			r.refuse(key, "missing", "field required")
		}
	}
}

// text returns a string of least to most characters.
func (r bodyReader) text(key string, least, most int) string {
	v := r.member(key, jsontree.String)
	if !v.Given() {
		return ""
	}
	text := v.Str()
	switch n := utf8.RuneCountInString(text); {
	case n < least:
		r.refuse(key, "string_too_short", "must have at least %d characters", least)
	case n > most:
		r.refuse(key, "string_too_long", "must have at most %d characters", most)
	default:
		return text
	}
	return ""
}

// choice returns one of the allowed strings.
func (r bodyReader) choice(key string, allowed []string) string {
	v := r.object.Get(key)
	if !v.Given() {
		return ""
	}
	return choiceAt(v, fault.At(r.loc, key), allowed, r.problems)
}

func choiceAt(v jsontree.Value, loc []any, allowed []string, problems *fault.Problems) string {
	switch {
	case v.Kind() != jsontree.String:
		problems.Add(loc, "string_type", "must be a string, not %s", v.Kind())
	case !slices.Contains(allowed, v.Str()):
		problems.Add(loc, "enum", "must be one of %s", strings.Join(allowed, ", "))
	default:
		return v.Str()
	}
	return ""
}

func (r bodyReader) flag(key string) bool { return r.member(key, jsontree.Bool).Bool() }

// number returns a number from least to most, nil if there is none.
func (r bodyReader) number(key string, least, most float64) *float64 {
	v := r.member(key, jsontree.Number)
	if !v.Given() {
		return nil
	}
	f, ok := v.Float()
	switch {
	case ok && f < least:
		r.refuse(key, "greater_than_equal", "must be at least %v", least)
	case !ok || f > most:
		r.refuse(key, "less_than_equal", "must be at most %v", most)
	default:
		return &f
	}
	return nil
}

// integer returns a whole number from least to most, otherwise when there is
// none.
func (r bodyReader) integer(key string, least, most, otherwise int64) int64 {
	v := r.member(key, jsontree.Number)
	if !v.Given() {
		return otherwise
	}
	n, ok := v.Int()
	switch {
	case !ok:
		r.refuse(key, "int_type", "must be a whole number")
	case n < least:
		r.refuse(key, "greater_than_equal", "must be at least %d", least)
	case n > most:
		r.refuse(key, "less_than_equal", "must be at most %d", most)
	default:
		return n
	}
	return otherwise
}

// objects returns a reader for each object of a list of at most so many, nil
// when there is no list.
func (r bodyReader) objects(key string, most int) []bodyReader {
	return objectReaders(r.member(key, jsontree.Array), fault.At(r.loc, key), most, r.problems)
}

func objectReaders(list jsontree.Value, loc []any, most int, problems *fault.Problems) []bodyReader {
	if !list.Given() {
		return nil
	}
	if list.Len() > most {
		problems.Add(loc, "too_long", "must have at most %d elements", most)
		return nil
	}
	readers := make([]bodyReader, 0, list.Len())
	for i, elem := range list.Elems() {
		r := bodyReader{object: elem, loc: fault.At(loc, i), problems: problems}
		if elem.Kind() != jsontree.Object {
			problems.Add(r.loc, "dict_type", "must be an object, not %s", elem.Kind())
			continue
		}
		readers = append(readers, r)
	}
	return readers
}
