package render

import (
	"strings"
	"sync"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template/render/jinja"
)

// Values are the variables of a request. They are safe for concurrent use. A
// nil *Values has none.
type Values struct {
	members map[string]jsontree.Value
	mu      sync.Mutex
	printed map[string]string // cached texts of lists and objects
}

// NewValues returns the members of an object as variables; any other value has
// none.
func NewValues(object jsontree.Value) *Values {
	v := &Values{}
	if object.Kind() != jsontree.Object {
		return v
	}
	v.members = make(map[string]jsontree.Value, object.Len())
	for name, member := range object.Members() {
		v.members[name] = member
	}
	return v
}

// Get returns a variable and whether it was given, even if it is null.
func (v *Values) Get(name string) (jsontree.Value, bool) {
	if v == nil {
		return jsontree.Value{}, false
	}
	member, ok := v.members[name]
	return member, ok
}

// text returns a variable as an f-string prints it, and whether it was given:
// null counts as missing.
func (v *Values) text(name string) (string, bool) {
	member, _ := v.Get(name)
	switch member.Kind() {
	case jsontree.Absent, jsontree.Null:
		return "", false
	case jsontree.Array, jsontree.Object:
		return v.print(name, member), true
	case jsontree.String:
		return member.Str(), true
	default:
		return string(appendPython(nil, member)), true
	}
}

func (v *Values) print(name string, member jsontree.Value) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	text, ok := v.printed[name]
	if !ok {
		text = string(appendPython(make([]byte, 0, len(member.Raw())), member))
		if v.printed == nil {
			v.printed = map[string]string{}
		}
		v.printed[name] = text
	}
	return text
}

// appendPython appends a value as Python prints it within a list. The JSON
// parser limits the depth.
func appendPython(dst []byte, v jsontree.Value) []byte {
	switch v.Kind() {
	case jsontree.Null:
		return append(dst, "None"...)
	case jsontree.Bool:
		raw := v.Raw()
		return append(append(dst, raw[0]-'a'+'A'), raw[1:]...)
	case jsontree.String:
		return jinja.AppendQuoted(dst, v.Str())
	case jsontree.Array:
		return appendSequence(dst, v)
	case jsontree.Object:
		return appendMapping(dst, v)
	default:
		return append(dst, v.Raw()...)
	}
}

func appendSequence(dst []byte, v jsontree.Value) []byte {
	dst = append(dst, '[')
	for i, item := range v.Elems() {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendPython(dst, item)
	}
	return append(dst, ']')
}

// appendMapping keeps the position of the first and the value of the last of
// several members with the same name, as a dict does.
func appendMapping(dst []byte, v jsontree.Value) []byte {
	last := map[string]jsontree.Value{}
	for key, member := range v.Members() {
		last[key] = member
	}
	dst = append(dst, '{')
	first := true
	for key := range v.Members() {
		member, ok := last[key]
		if !ok {
			continue
		}
		delete(last, key)
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = append(jinja.AppendQuoted(dst, key), ": "...)
		dst = appendPython(dst, member)
	}
	return append(dst, '}')
}

// identifier reports whether the name of a field can be a variable: letters,
// digits and underscores of any script.
func identifier(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(c rune) bool { return !jinja.IsWord(c) })
}
