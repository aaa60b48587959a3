package provider

import (
	"iter"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Field returns the member of v with that snake-case name, or with the same
// name in camel case: Python libraries use the former, JavaScript libraries the
// latter.
func Field(v jsontree.Value, name string) jsontree.Value {
	found := v.Get(name)
	if found.Given() || !strings.Contains(name, "_") {
		return found
	}
	if other := v.Get(camel(name)); other.Kind() != jsontree.Absent {
		return other
	}
	return found
}

// FirstGiven returns the first of the named fields of v that is neither null
// nor absent.
func FirstGiven(v jsontree.Value, names ...string) jsontree.Value {
	for _, name := range names {
		if member := Field(v, name); member.Given() {
			return member
		}
	}
	return jsontree.Value{}
}

// First returns the first element of an array, or absent.
func First(list jsontree.Value) jsontree.Value {
	for _, v := range list.Elems() {
		return v
	}
	return jsontree.Value{}
}

// GivenElems iterates over the elements of an array that are not null.
func GivenElems(list jsontree.Value) iter.Seq[jsontree.Value] {
	return func(yield func(jsontree.Value) bool) {
		for _, v := range list.Elems() {
			if v.Given() && !yield(v) {
				return
			}
		}
	}
}

func camel(name string) string {
	out := make([]byte, 0, len(name))
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c == '_' && i+1 < len(name) {
			i++
			c = name[i]
			if 'a' <= c && c <= 'z' {
				c &^= 0x20
			}
		}
		out = append(out, c)
	}
	return string(out)
}

// Snake converts a camel-case name to snake case.
func Snake(name string) string {
	if !strings.ContainsFunc(name, isUpper) {
		return name
	}
	out := make([]byte, 0, len(name)+4)
	for i := range len(name) {
		c := name[i]
		if isUpper(rune(c)) {
			if i > 0 {
				out = append(out, '_')
			}
			c |= 0x20
		}
		out = append(out, c)
	}
	return string(out)
}

func isUpper(r rune) bool { return 'A' <= r && r <= 'Z' }
