package provider

import (
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// JSON is a value that can be written. Lists omit a nil JSON.
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

// Value returns a parsed value, which is written unchanged.
func Value(v jsontree.Value) JSON { return parsed{v} }

// Raw returns a constant that is JSON.
func Raw(constant string) JSON { return rawText(constant) }

// String returns v as a JSON string: a string unchanged, null as an empty
// string, and any other value as its JSON text.
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

// StringOrNil returns a string unchanged, nil for every other kind.
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

// Object is a JSON object to be written. Its methods add members and return
// the object.
type Object struct {
	fields []field
	// inline stores the first fields, because most objects are small.
	inline [4]field
}

// field is a member whose value is the text, the parsed value, or any other.
type field struct {
	key   string
	kind  fieldKind
	text  string
	v     jsontree.Value
	value JSON
}

type fieldKind uint8

const (
	otherField fieldKind = iota
	textField
	parsedField
	// memberField has the key of v in its object, unchanged.
	memberField
)

func (f *field) write(w *jsontree.Writer) {
	if f.kind == memberField {
		w.KeyOf(f.v)
	} else {
		w.Key(f.key)
	}
	switch {
	case f.kind == textField:
		w.String(f.text)
	case f.value == nil:
		w.Value(f.v)
	default:
		f.value.write(w)
	}
}

// NewObject returns an object without members.
func NewObject() *Object {
	o := &Object{}
	o.fields = o.inline[:0]
	return o
}

// Typed returns an object whose type is kind.
func Typed(kind string) *Object { return NewObject().Str("type", kind) }

// Single returns an object with one member.
func Single(name string, value JSON) *Object { return NewObject().Set(name, value) }

func (o *Object) write(w *jsontree.Writer) {
	w.Object(func() {
		for i := range o.fields {
			o.fields[i].write(w)
		}
	})
}

// Bytes returns the object as JSON text.
func (o *Object) Bytes() []byte { return bytesOf(o, 0) }

// bytesOf returns a value as JSON text, given its approximate size.
func bytesOf(value JSON, size int) []byte {
	w := jsontree.NewWriter(make([]byte, 0, size))
	value.write(&w)
	return w.Bytes()
}

// Len returns the number of members.
func (o *Object) Len() int { return len(o.fields) }

func (o *Object) add(f field) *Object {
	o.fields = append(o.fields, f)
	return o
}

// Set adds a member, null for nil.
func (o *Object) Set(name string, value JSON) *Object { return o.add(field{key: name, value: value}) }

// Opt adds a member unless it is nil or an empty list.
func (o *Object) Opt(name string, value JSON) *Object {
	if list, ok := value.(List); value == nil || ok && len(list) == 0 {
		return o
	}
	return o.Set(name, value)
}

// Str adds a string.
func (o *Object) Str(name, s string) *Object {
	return o.add(field{key: name, kind: textField, text: s})
}

// StrOr adds v if it is a string, otherwise the other string.
func (o *Object) StrOr(name string, v jsontree.Value, other string) *Object {
	if v.Kind() == jsontree.String {
		return o.Val(name, v)
	}
	return o.Str(name, other)
}

// Val adds a parsed value, null if it is absent.
func (o *Object) Val(name string, v jsontree.Value) *Object {
	return o.add(field{key: name, kind: parsedField, v: v})
}

// Text adds v as String returns it.
func (o *Object) Text(name string, v jsontree.Value) *Object {
	if v.Kind() == jsontree.String {
		return o.Val(name, v)
	}
	return o.Set(name, String(v))
}

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

// Member adds a value, or v itself for nil, under the key of v in its object.
func (o *Object) Member(v jsontree.Value, value JSON) *Object {
	return o.add(field{key: v.Key(), kind: memberField, v: v, value: value})
}

// Copy adds the members of v, except those named.
func (o *Object) Copy(v jsontree.Value, except ...string) *Object {
	for key, member := range v.Members() {
		if !slices.Contains(except, key) {
			o.Member(member, nil)
		}
	}
	return o
}

// Keep adds the named members of v that are not null.
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
			o.Member(member, nil)
		}
	}
	return o
}
