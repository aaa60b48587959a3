package template

import (
	"bytes"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template/render"
)

// tools renders the tools and functions of a chat.
func (r *renderer) tools(template jsontree.Value) {
	tools, functions := template.Get("tools"), template.Get("functions")
	if !tools.Given() && !functions.Given() {
		return
	}
	r.enter(noMessage, FormatOf(template))
	for _, tool := range tools.Elems() {
		if _, ok := toolVariable(tool); ok {
			r.splice(tools, r.writeTools, r.json)
			r.json(functions)
			return
		}
	}
	r.json(tools)
	r.json(functions)
}

// signs are the substrings of which a JSON text that needs rendering contains
// at least one. Outside of strings, two opening braces cannot be adjacent.
var signs = [][]byte{[]byte("variable"), []byte(`\u00`), []byte("{{"), []byte("{%"), []byte("{#")}

// json renders a value that is not message content.
func (r *renderer) json(v jsontree.Value) {
	raw := v.Raw()
	for _, sign := range signs {
		if bytes.Contains(raw, sign) {
			r.value(v)
			return
		}
	}
}

func (r *renderer) value(v jsontree.Value) {
	switch v.Kind() {
	case jsontree.String:
		if r.format == render.Jinja2 && mayHoldBraces(v.Raw()) {
			r.string(v)
		}
	case jsontree.Array:
		for _, element := range v.Elems() {
			r.value(element)
		}
	case jsontree.Object:
		if name, kind := schemaVariable(v); kind != jsontree.Absent {
			r.schema(v, name, kind)
			return
		}
		for _, member := range v.Members() {
			r.value(member)
		}
	}
}

// schemaVariable returns the variable that replaces a part of a schema, and the
// kind of value that it must have.
func schemaVariable(object jsontree.Value) (name string, kind jsontree.Kind) {
	named := object.Get("name")
	if named.Kind() != jsontree.String {
		return "", jsontree.Absent
	}
	switch typ := object.Get("type"); {
	case typ.Is("enum_variable"):
		return named.Str(), jsontree.Array
	case typ.Is("variable"):
		return named.Str(), jsontree.Object
	default:
		return "", jsontree.Absent
	}
}

// schema inserts a value into a schema. The variable stays if no value fits.
func (r *renderer) schema(v jsontree.Value, name string, kind jsontree.Kind) {
	value, _ := r.values.Get(name)
	if value.Kind() != kind {
		r.miss(name)
		return
	}
	if r.hasRoom() {
		r.replace(v, value.Raw())
		r.nested = true
	}
}

// writeTools appends the tools of a variable.
func (r *renderer) writeTools(tool jsontree.Value) bool {
	name, ok := toolVariable(tool)
	if !ok {
		return false
	}
	value, _ := r.values.Get(name)
	if value.Kind() != jsontree.Array {
		r.miss(name)
		return true
	}
	start := len(r.text)
	for _, element := range value.Elems() {
		if !r.hasRoom() {
			return true
		}
		inner := len(r.text)
		if inner > start {
			r.text = append(r.text, ',')
		}
		written := len(r.text)
		r.text = appendGivenTool(r.text, element)
		if len(r.text) == written {
			r.text = r.text[:inner]
		}
	}
	return true
}

// appendGivenTool appends a tool given by the caller as a whole tool or only
// its function, or nothing if it is neither.
func appendGivenTool(dst []byte, tool jsontree.Value) []byte {
	kind := tool.Get("type")
	named := tool.Get("name").Kind() == jsontree.String
	switch {
	case kind.Is("function") && tool.Get("function").Kind() == jsontree.Object:
		return appendTool(dst, tool)
	case named && (!kind.Given() || kind.Is("function") || kind.Is("custom")):
		return appendGivenFunction(dst, tool)
	case kind.Kind() == jsontree.String && !kind.Is("function") && !kind.Is("variable"):
		return append(dst, tool.Compact()...)
	default:
		return dst
	}
}

// appendGivenFunction accepts both names that providers use for the schema.
func appendGivenFunction(dst []byte, function jsontree.Value) []byte {
	parameters := given(function, "input_schema", noParameters)
	if v := function.Get("parameters"); v.Given() {
		parameters = v.Compact()
	}
	described := appendObject(nil, function, []field{
		{"name", function.Get("name").Compact()},
		{"description", given(function, "description", `""`)},
		{"strict", given(function, "strict", "false")},
		{"parameters", parameters},
		{"input_schema", nil},
		{"type", nil},
	})
	return appendObject(dst, jsontree.Value{}, []field{{"type", []byte(`"function"`)}, {"function", described}})
}
