// Package shape reads JSON values that a client sent. It records every value
// that breaks a rule together with its location, in the words of package
// fault, so that all messages to clients come from one catalogue.
package shape

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Reader knows where in a body the value being read is, and records what is
// wrong with it. The path turns into a location only when there is something
// to report, so that a valid body does not pay for it.
type Reader struct {
	// NoNUL makes strings that contain the NUL character a problem: the
	// catalog cannot store them.
	NoNUL bool

	loc      []any
	path     []part
	problems *fault.Problems
}

// part is one part of the way to a value.
type part struct {
	kind  partKind
	index int
	key   string
}

type partKind uint8

const (
	member  partKind = iota // null is the same as absence
	entry                   // of an object that maps names to values
	element                 // of a list
)

// New returns a reader of the value at loc.
func New(loc []any, problems *fault.Problems) Reader {
	return Reader{loc: loc, path: make([]part, 0, 8), problems: problems}
}

// Room holds the path of a reader. It is for callers that allocate it together
// with the reader.
type Room [8]part

// NewIn is New with the path in the room.
func NewIn(room *Room, loc []any, problems *fault.Problems) Reader {
	return Reader{loc: loc, path: room[:0], problems: problems}
}

// Enter moves to a member of an object.
func (r *Reader) Enter(key string) { r.path = append(r.path, part{kind: member, key: key}) }

// EnterEntry moves to a member of an object whose keys are names that the
// client chose; a null there is a value of the wrong type.
func (r *Reader) EnterEntry(key string) { r.path = append(r.path, part{kind: entry, key: key}) }

// EnterElement moves to an element of a list.
func (r *Reader) EnterElement(i int) { r.path = append(r.path, part{kind: element, index: i}) }

// Leave moves back to the container.
func (r *Reader) Leave() { r.path = r.path[:len(r.path)-1] }

// Loc returns the location of the value being read.
func (r *Reader) Loc() []any {
	loc := make([]any, 0, len(r.loc)+len(r.path))
	loc = append(loc, r.loc...)
	for _, p := range r.path {
		if p.kind == element {
			loc = append(loc, p.index)
		} else {
			loc = append(loc, p.key)
		}
	}
	return loc
}

// Problems returns where the reader records what is wrong.
func (r *Reader) Problems() *fault.Problems { return r.problems }

// Report records that the value being read breaks the rule, and returns false.
func (r *Reader) Report(rule fault.Rule) bool {
	if !r.problems.Full() {
		r.problems.Report(r.Loc(), rule)
	}
	return false
}

// Wrong reports a value of the wrong type: a member that is absent or null is
// missing, anything else breaks the rule. It returns false.
func (r *Reader) Wrong(v jsontree.Value, rule fault.Rule) bool {
	if v.Kind() == jsontree.Absent || v.Kind() == jsontree.Null && r.atMember() {
		rule = fault.Required
	}
	return r.Report(rule)
}

func (r *Reader) atMember() bool {
	return len(r.path) > 0 && r.path[len(r.path)-1].kind == member
}

// typeRules are the rules for the types; numbers in templates and definitions
// have other rules.
var typeRules = [...]fault.Rule{
	jsontree.Bool: fault.BoolType, jsontree.Number: fault.NumberType, jsontree.String: fault.StringType,
	jsontree.Array: fault.ListType, jsontree.Object: fault.ObjectType,
}

// Is reports whether v is of the kind, and records a problem if it is not.
func (r *Reader) Is(v jsontree.Value, kind jsontree.Kind) bool {
	return v.Kind() == kind || r.Wrong(v, typeRules[kind])
}

// IsEither is Is for two kinds.
func (r *Reader) IsEither(v jsontree.Value, a, b jsontree.Kind) bool {
	return v.Kind() == a || v.Kind() == b || r.Wrong(v, fault.Either(typeRules[a], typeRules[b]))
}

// String returns the text of a string.
func (r *Reader) String(v jsontree.Value) (text string, ok bool) {
	if !r.Is(v, jsontree.String) {
		return "", false
	}
	text = v.Str()
	if r.NoNUL && strings.IndexByte(text, 0) >= 0 {
		return text, r.Report(fault.NoNUL)
	}
	return text, true
}

// Text returns a string of least to most characters.
func (r *Reader) Text(v jsontree.Value, least, most int) (text string, ok bool) {
	if text, ok = r.String(v); !ok || !r.Length(text, least, most) {
		return "", false
	}
	return text, true
}

// Length reports whether a text has least to most characters.
func (r *Reader) Length(text string, least, most int) bool {
	// No text has more characters than bytes, so most need no counting.
	switch {
	case len(text) < least || least > 1 && utf8.RuneCountInString(text) < least:
		return r.Report(fault.MinLength(int64(least)))
	case len(text) > most && utf8.RuneCountInString(text) > most:
		return r.Report(fault.MaxLength(int64(most)))
	}
	return true
}

// Storable reports whether a text has least to most characters and can be
// stored in the catalog.
func (r *Reader) Storable(text string, least, most int) bool {
	rule, ok := fault.TextRule(text, least, most)
	return ok || r.Report(rule)
}

// OneOf returns the word that a string equals, without a copy of it.
func OneOf[S ~string](r *Reader, v jsontree.Value, words []S) (word S, ok bool) {
	if !r.Is(v, jsontree.String) {
		return "", false
	}
	for _, word := range words {
		if v.Is(string(word)) {
			return word, true
		}
	}
	return "", r.Report(fault.OneOf(words...))
}

// Bool returns a boolean.
func (r *Reader) Bool(v jsontree.Value) (b, ok bool) {
	ok = r.Is(v, jsontree.Bool)
	return v.Bool(), ok
}

// Int returns a whole number.
func (r *Reader) Int(v jsontree.Value) (n int64, ok bool) {
	if n, ok = v.Int(); ok {
		return n, true
	}
	if v.Kind() != jsontree.Number {
		return 0, r.Wrong(v, fault.IntType)
	}
	if f, ok := v.Float(); ok && f != math.Trunc(f) {
		return 0, r.Report(fault.WholeNumber)
	}
	return 0, r.Report(fault.IntSize)
}

// IntWithin returns a whole number from least to most.
func (r *Reader) IntWithin(v jsontree.Value, least, most int64) (n int64, ok bool) {
	n, ok = r.Int(v)
	switch {
	case !ok:
	case n < least:
		ok = r.Report(fault.Minimum(float64(least)))
	case n > most:
		ok = r.Report(fault.Maximum(float64(most)))
	}
	return n, ok
}

// Float returns a number that fits a float64.
func (r *Reader) Float(v jsontree.Value) (f float64, ok bool) {
	if !r.Is(v, jsontree.Number) {
		return 0, false
	}
	if f, ok = v.Float(); !ok {
		return 0, r.Report(fault.NumberSize)
	}
	return f, true
}

// FloatWithin returns a number from least to most.
func (r *Reader) FloatWithin(v jsontree.Value, least, most float64) (f float64, ok bool) {
	f, ok = r.Float(v)
	switch {
	case !ok:
	case f < least:
		ok = r.Report(fault.Minimum(least))
	case f > most:
		ok = r.Report(fault.Maximum(most))
	}
	return f, ok
}

// Array reports whether v is a list of least to most elements.
func (r *Reader) Array(v jsontree.Value, least, most int) bool {
	switch n := v.Len(); {
	case !r.Is(v, jsontree.Array):
		return false
	case n < least:
		return r.Report(fault.MinItems(int64(least), n))
	case n > most:
		return r.Report(fault.MaxItems(int64(most), n))
	}
	return true
}

// List returns the results of read for the elements of a list, which has most
// elements at most, or nil if v is not such a list.
func List[T any](r *Reader, v jsontree.Value, most int, read func(jsontree.Value) T) []T {
	if !r.Array(v, 0, most) {
		return nil
	}
	list := make([]T, 0, v.Len())
	for i, e := range v.Elems() {
		r.EnterElement(i)
		list = append(list, read(e))
		r.Leave()
		if r.problems.Full() {
			return nil
		}
	}
	return list
}

// Closed reports each member of an object that is not among the known ones.
func (r *Reader) Closed(object jsontree.Value, known ...string) {
	for key := range object.Members() {
		if !slices.Contains(known, key) {
			r.Enter(key)
			r.Report(fault.NoExtra)
			r.Leave()
		}
	}
}
