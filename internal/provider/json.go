package provider

import (
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// JSON is a value to be written. A nil JSON is left out of lists.
type JSON interface{ write(w *jsontree.Writer) }

type (
	text    string
	rawText []byte
	parsed  struct{ jsontree.Value }
)

func (t text) write(w *jsontree.Writer)    { w.String(string(t)) }
func (r rawText) write(w *jsontree.Writer) { w.Raw(r) }
func (p parsed) write(w *jsontree.Writer)  { w.Value(p.Value) }

// Text returns a JSON string.
func Text(s string) JSON { return text(s) }

// Value returns a parsed value, which is written byte for byte.
func Value(v jsontree.Value) JSON { return parsed{v} }

// Raw returns a constant that is JSON.
func Raw(constant string) JSON { return rawText(constant) }

// String returns v as a JSON string: a string as it was written, null as an
// empty string, and any other value as its JSON text.
func String(v jsontree.Value) JSON {
	switch v.Kind() {
	case jsontree.String:
		return parsed{v}
	case jsontree.Absent, jsontree.Null:
		return text("")
	default:
		return text(v.Compact())
	}
}

// StringOrNil returns a string as it was written, nil for every other kind.
func StringOrNil(v jsontree.Value) JSON {
	if v.Kind() != jsontree.String {
		return nil
	}
	return parsed{v}
}

// List is a JSON array to be written.
type List []JSON

func (l List) write(w *jsontree.Writer) {
	w.Array(func() {
		for _, element := range l {
			element.write(w)
		}
	})
}

// Add appends the values that are not nil.
func (l *List) Add(values ...JSON) {
	for _, v := range values {
		if v != nil {
			*l = append(*l, v)
		}
	}
}

// Bytes returns the list as JSON text.
func (l List) Bytes() []byte { return bytesOf(l) }

// Object is a JSON object to be written. Its methods add members and return
// the object.
type Object struct{ fields []field }

type field struct {
	key   string
	value JSON
	// source is the member whose key is written byte for byte, if any.
	source jsontree.Value
}

// NewObject returns an object without members.
func NewObject() *Object { return &Object{fields: make([]field, 0, 8)} }

// Typed returns an object whose type is kind.
func Typed(kind string) *Object { return NewObject().Str("type", kind) }

func (o *Object) write(w *jsontree.Writer) {
	w.Object(func() {
		for _, f := range o.fields {
			if f.source.Kind() != jsontree.Absent {
				w.KeyOf(f.source)
			} else {
				w.Key(f.key)
			}
			f.value.write(w)
		}
	})
}

// Bytes returns the object as JSON text.
func (o *Object) Bytes() []byte { return bytesOf(o) }

func bytesOf(value JSON) []byte {
	w := jsontree.NewWriter(nil)
	value.write(&w)
	return w.Bytes()
}

// Len returns the number of members.
func (o *Object) Len() int { return len(o.fields) }

// Set adds a member, null for nil.
func (o *Object) Set(name string, value JSON) *Object {
	if value == nil {
		value = parsed{}
	}
	o.fields = append(o.fields, field{key: name, value: value})
	return o
}

// Opt adds a member unless it is nil or an empty list.
func (o *Object) Opt(name string, value JSON) *Object {
	if list, ok := value.(List); value == nil || ok && len(list) == 0 {
		return o
	}
	return o.Set(name, value)
}

// Str adds a string.
func (o *Object) Str(name, s string) *Object { return o.Set(name, text(s)) }

// StrOr adds v if it is a string, otherwise the other string.
func (o *Object) StrOr(name string, v jsontree.Value, other string) *Object {
	if v.Kind() == jsontree.String {
		return o.Val(name, v)
	}
	return o.Str(name, other)
}

// Val adds a parsed value, null when it is absent.
func (o *Object) Val(name string, v jsontree.Value) *Object { return o.Set(name, parsed{v}) }

// Text adds v as String returns it.
func (o *Object) Text(name string, v jsontree.Value) *Object { return o.Set(name, String(v)) }

// Given adds a parsed value unless it is null or absent.
func (o *Object) Given(name string, v jsontree.Value) *Object {
	if v.Given() {
		o.Val(name, v)
	}
	return o
}

// Filled adds a parsed string unless it is empty.
func (o *Object) Filled(name string, v jsontree.Value) *Object {
	if v.Str() != "" {
		o.Val(name, v)
	}
	return o
}

// Member adds a value under the key that v has in its own object.
func (o *Object) Member(v jsontree.Value, value JSON) {
	o.fields = append(o.fields, field{v.Key(), value, v})
}

// Copy adds the members of v, except those named.
func (o *Object) Copy(v jsontree.Value, except ...string) *Object {
	for key, member := range v.Members() {
		if !slices.Contains(except, key) {
			o.Member(member, parsed{member})
		}
	}
	return o
}

// Keep adds those of v's members of these names that are not null.
func (o *Object) Keep(v jsontree.Value, names ...string) *Object {
	for _, name := range names {
		o.Given(name, v.Get(name))
	}
	return o
}

// Rest adds the members of v that are not null, except those that the object
// already has and those named, in snake case.
func (o *Object) Rest(v jsontree.Value, except ...string) *Object {
	before := o.fields
	for key, member := range v.Members() {
		if !member.Given() || slices.Contains(except, Snake(key)) {
			continue
		}
		if !slices.ContainsFunc(before, func(f field) bool { return f.key == key }) {
			o.Member(member, parsed{member})
		}
	}
	return o
}
