package rest

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// plan describes how to fill an input type. It is compiled once per type.
type plan struct {
	path, query []param
	body        *object // nil when no field comes from the body
	bindsItself bool    // the input is a JSONBinder
	bindsPart   bool    // the input is a MemberBinder
	validates   bool
}

// param is a field filled from the path or the query.
type param struct {
	field
	read     textReader
	readList func(b *binder, texts []string, dst reflect.Value) bool // for slices
}

// field has what path, query and body fields share.
type field struct {
	name     string
	index    []int
	required bool
	fallback func(dst reflect.Value) // sets the tag default; nil without one
}

func (f *field) in(input reflect.Value) reflect.Value {
	if len(f.index) == 1 {
		return input.Field(f.index[0])
	}
	return input.FieldByIndex(f.index)
}

// absent handles a field without a value.
func (f *field) absent(b *binder, dst reflect.Value) bool {
	if f.required {
		return b.Report(fault.Required)
	}
	if f.fallback != nil {
		f.fallback(dst)
	}
	return true
}

// plans caches plans by input type, because raw handlers bind types of their
// own.
var plans sync.Map

func planOf(t reflect.Type) (*plan, error) {
	if known, ok := plans.Load(t); ok {
		return known.(*plan), nil
	}
	p, err := compilePlan(t)
	if err != nil {
		return nil, fmt.Errorf("input %s: %w", t, err)
	}
	plans.Store(t, p)
	return p, nil
}

func compilePlan(t reflect.Type) (*plan, error) {
	p, err := compileParams(t)
	if err != nil {
		return nil, err
	}
	p.validates = reflect.PointerTo(t).Implements(reflect.TypeFor[Validator]())
	p.bindsItself = reflect.PointerTo(t).Implements(jsonBinderType)
	p.bindsPart = bindsMembers(t)
	if p.bindsItself {
		return p, nil
	}
	c := &compiler{objects: make(map[reflect.Type]*object)}
	body, err := c.object(t)
	if err == nil && len(body.fields) > 0 {
		p.body = body
	}
	for inner := range c.objects {
		if inner != t && bindsMembers(inner) {
			return nil, fmt.Errorf("%s reads members of the body, but is not the body", inner)
		}
	}
	return p, err
}

// bindsMembers reports whether a struct is a MemberBinder.
func bindsMembers(t reflect.Type) bool { return reflect.PointerTo(t).Implements(memberBinderType) }

// readByPart reports whether a MemberBinder that the struct embeds reads the field at
// the index.
func readByPart(t reflect.Type, index []int) bool {
	for _, i := range index[:len(index)-1] {
		if t = t.Field(i).Type; bindsMembers(t) && !embedsBinder(t) {
			return true
		}
	}
	return false
}

// embedsBinder reports whether a struct is a MemberBinder only because it embeds one.
func embedsBinder(t reflect.Type) bool {
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && f.Type.Kind() == reflect.Struct && bindsMembers(f.Type) {
			return true
		}
	}
	return false
}

// compileParams compiles the part of the plan for path and query.
func compileParams(t reflect.Type) (*plan, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("type %s is not a struct", t)
	}
	c := &compiler{objects: make(map[reflect.Type]*object)}
	p := &plan{}
	err := walkFields(t, nil, func(f reflect.StructField, index []int) error {
		params := &p.path
		name, ok := tagName(f, "path")
		if !ok {
			params = &p.query
			name, ok = tagName(f, "query")
		}
		if !ok {
			return nil
		}
		compiled, err := c.param(f, index, name)
		if err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
		*params = append(*params, compiled)
		return nil
	})
	return p, err
}

func (c *compiler) param(f reflect.StructField, index []int, name string) (param, error) {
	r, err := rulesOf(f)
	if err != nil {
		return param{}, err
	}
	p := param{field: field{name: name, index: index, required: f.Tag.Get("required") == "true"}}
	if f.Type.Kind() == reflect.Slice && !reflect.PointerTo(f.Type).Implements(textBinderType) {
		p.readList, err = c.list(f.Type, r)
	} else {
		p.read, err = c.text(f.Type, r)
	}
	if text, ok := f.Tag.Lookup("default"); ok && err == nil {
		p.fallback, err = p.parseDefault(f.Type, text)
	}
	return p, err
}

func (p *param) parseDefault(t reflect.Type, text string) (func(reflect.Value), error) {
	read, readList := p.read, p.readList
	return fallback(t, func(b *binder, dst reflect.Value) bool {
		if readList != nil {
			return readList(b, []string{text}, dst)
		}
		return read(b, text, dst)
	})
}

// fallback reads a default and returns its setter. A value that requests could share
// and change, such as a slice, is read again for each of them.
func fallback(t reflect.Type, read func(b *binder, dst reflect.Value) bool) (func(reflect.Value), error) {
	b := newBinder()
	value := reflect.New(t).Elem()
	read(b, value)
	if err := b.problems.Err(); err != nil {
		return nil, fmt.Errorf("tag default: %w", err)
	}
	if t.Kind() == reflect.String || t.Kind() <= reflect.Float64 { // or a boolean or a number
		return func(dst reflect.Value) { dst.Set(value) }, nil
	}
	return func(dst reflect.Value) { read(newBinder(), dst) }, nil
}

// object describes how to fill a struct from a JSON object.
type object struct {
	fields []member
	byName map[string]int
}

// member is a field filled from a member of a JSON object.
type member struct {
	field
	read      jsonReader
	keepsNull bool    // null is a value and differs from absence
	nested    *object // of a struct, whose defaults apply if it is absent
}

func (c *compiler) object(t reflect.Type) (*object, error) {
	if known, ok := c.objects[t]; ok {
		return known, nil
	}
	o := &object{byName: make(map[string]int)}
	c.objects[t] = o
	return o, walkFields(t, nil, func(f reflect.StructField, index []int) error {
		if f.Name == "_" {
			return nil
		}
		name, ok := tagName(f, "json")
		if !ok || readByPart(t, index) {
			return nil
		}
		m, err := c.member(f, index, name)
		if err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
		o.byName[name] = len(o.fields)
		o.fields = append(o.fields, m)
		return nil
	})
}

func (c *compiler) member(f reflect.StructField, index []int, name string) (member, error) {
	r, err := rulesOf(f)
	if err != nil {
		return member{}, err
	}
	m := member{field: field{name: name, index: index, required: f.Tag.Get("required") == "true"}}
	if m.read, err = c.json(f.Type, r); err != nil {
		return m, err
	}
	m.keepsNull = f.Type == treeType || reflect.PointerTo(f.Type).Implements(optionalType)
	m.nested = c.objects[f.Type]
	if text, ok := f.Tag.Lookup("default"); ok {
		m.fallback, err = m.parseDefault(f.Type, text)
	}
	return m, err
}

// parseDefault parses the tag as the documents do: as text for a string, and as
// JSON for everything else.
func (m *member) parseDefault(t reflect.Type, text string) (func(reflect.Value), error) {
	json := []byte(text)
	if t.Kind() == reflect.String {
		json, _ = encode(text)
	}
	v, err := jsontree.Parse(json)
	if err != nil {
		return nil, fmt.Errorf("tag default: %w", err)
	}
	read := m.read
	return fallback(t, func(b *binder, dst reflect.Value) bool { return read(b, v, dst) })
}

// walkFields calls visit for each exported field, including those of embedded
// structs, and for fields named _, which describe the struct itself.
func walkFields(t reflect.Type, index []int, visit func(reflect.StructField, []int) error) error {
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(append([]int(nil), index...), i)
		var err error
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct && f.Tag.Get("json") == "":
			err = walkFields(f.Type, at, visit)
		case f.IsExported() || f.Name == "_":
			err = visit(f, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tagName returns the name that the tag gives to the field.
func tagName(f reflect.StructField, tag string) (name string, ok bool) {
	text, ok := f.Tag.Lookup(tag)
	name, _, _ = strings.Cut(text, ",")
	return name, ok && name != "-" && name != "" && f.Name != "_"
}
