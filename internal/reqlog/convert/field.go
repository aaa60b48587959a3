package convert

import (
	"iter"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// field returns v's member of that snake-case name, or the one of the same
// name in camel case: the same libraries exist for Python and JavaScript.
func field(v jsontree.Value, name string) jsontree.Value {
	found := v.Get(name)
	if found.Given() || !strings.Contains(name, "_") {
		return found
	}
	if other := v.Get(camel(name)); other.Kind() != jsontree.Absent {
		return other
	}
	return found
}

// firstGiven returns the first of v's members of these names that is given.
func firstGiven(v jsontree.Value, names ...string) jsontree.Value {
	for _, name := range names {
		if member := field(v, name); member.Given() {
			return member
		}
	}
	return jsontree.Value{}
}

// givenElems ranges over the elements of an array that are not null.
func givenElems(list jsontree.Value) iter.Seq[jsontree.Value] {
	return func(yield func(jsontree.Value) bool) {
		for _, v := range list.Elems() {
			if v.Given() && !yield(v) {
				return
			}
		}
	}
}

// first returns an array's first element, absent if there is none.
func first(list jsontree.Value) jsontree.Value {
	for _, v := range list.Elems() {
		return v
	}
	return jsontree.Value{}
}

func camel(snakeCase string) string {
	out := make([]byte, 0, len(snakeCase))
	for i := 0; i < len(snakeCase); i++ {
		c := snakeCase[i]
		if c == '_' && i+1 < len(snakeCase) {
			i++
			c = upper(snakeCase[i])
		}
		out = append(out, c)
	}
	return string(out)
}

func snake(camelCase string) string {
	if strings.IndexFunc(camelCase, func(r rune) bool { return 'A' <= r && r <= 'Z' }) < 0 {
		return camelCase
	}
	out := make([]byte, 0, len(camelCase)+4)
	for i := range len(camelCase) {
		c := camelCase[i]
		if 'A' <= c && c <= 'Z' {
			if i > 0 {
				out = append(out, '_')
			}
			c |= 0x20
		}
		out = append(out, c)
	}
	return string(out)
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c &^ 0x20
	}
	return c
}
