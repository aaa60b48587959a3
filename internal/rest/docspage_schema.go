package rest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// schema is a JSON schema read back from the OpenAPI document.
type schema map[string]any

// schemaReader describes schemas for readers.
type schemaReader struct {
	schemas map[string]schema
	order   map[string][]string
}

// maxDocsDepth is the maximum depth of nested objects on the page.
const maxDocsDepth = 4

// docsText is the default example of a string.
const docsText = "string"

// resolve follows a reference. name is "" if there is none.
func (r *schemaReader) resolve(s schema) (_ schema, name string) {
	ref, _ := s["$ref"].(string)
	if name = strings.TrimPrefix(ref, schemasPrefix); name != "" {
		return r.schemas[name], name
	}
	return s, ""
}

// sub returns a schema within s.
func sub(s schema, key string) (schema, bool) {
	m, ok := s[key].(map[string]any)
	return schema(m), ok
}

// alternatives lists the schemas of a union.
func alternatives(s schema) []schema {
	var list []schema
	for _, key := range []string{"anyOf", "oneOf"} {
		items, _ := s[key].([]any)
		for _, item := range items {
			if m, ok := item.(map[string]any); ok {
				list = append(list, m)
			}
		}
	}
	return list
}

// types lists the JSON types of a schema.
func types(s schema) []string {
	switch t := s["type"].(type) {
	case string:
		return []string{t}
	case []any:
		list := make([]string, len(t))
		for i, name := range t {
			list[i] = fmt.Sprint(name)
		}
		// null reads best at the end.
		slices.SortStableFunc(list, func(a, b string) int {
			return cmp.Compare(strings.Count(a, "null"), strings.Count(b, "null"))
		})
		return list
	}
	return nil
}

// typeText describes the type of a schema, such as "list of string or null".
func (r *schemaReader) typeText(s schema) string {
	if _, name := r.resolve(s); name != "" {
		return name
	}
	if union := alternatives(s); len(union) > 0 {
		words := make([]string, len(union))
		for i, alternative := range union {
			words[i] = r.typeText(alternative)
		}
		slices.SortStableFunc(words, func(a, b string) int {
			return cmp.Compare(strings.Count(a, "null"), strings.Count(b, "null"))
		})
		return strings.Join(words, " or ")
	}
	names := types(s)
	if len(names) == 0 {
		return "any"
	}
	for i, name := range names {
		items, hasItems := sub(s, "items")
		values, hasValues := sub(s, "additionalProperties")
		switch {
		case name == "array" && hasItems:
			names[i] = "list of " + r.typeText(items)
		case name == "array":
			names[i] = "list"
		case name == "object" && hasValues:
			names[i] = "map of " + r.typeText(values)
		}
	}
	return strings.Join(names, " or ")
}

var ruleTexts = []struct{ key, text string }{
	{"format", "%v"}, {"minLength", "length ≥ %v"}, {"maxLength", "length ≤ %v"},
	{"minimum", "≥ %v"}, {"exclusiveMinimum", "> %v"}, {"maximum", "≤ %v"}, {"exclusiveMaximum", "< %v"},
	{"minItems", "items ≥ %v"}, {"maxItems", "items ≤ %v"}, {"pattern", "matches %v"},
	{"default", "default %v"},
}

// ruleList describes the rules of a schema.
func ruleList(s schema) []string {
	var list []string
	for _, rule := range ruleTexts {
		if v, ok := s[rule.key]; ok && (rule.key != "format" || v == "date-time" || v == "uuid") {
			list = append(list, fmt.Sprintf(rule.text, plain(v)))
		}
	}
	if values, ok := s["enum"].([]any); ok {
		words := make([]string, len(values))
		for i, v := range values {
			words[i] = plain(v)
		}
		list = append(list, "one of "+strings.Join(words, ", "))
	}
	if items, ok := sub(s, "items"); ok {
		for _, rule := range ruleList(items) {
			list = append(list, "each "+rule)
		}
	}
	return list
}

// plain writes a value as JSON, and a string without quotes.
func plain(v any) string {
	if s, ok := v.(string); ok && s != "" {
		return s
	}
	text, _ := json.Marshal(v)
	return string(text)
}

// field describes one value.
func (r *schemaReader) field(name string, s schema, depth int) docsField {
	f := docsField{Name: name, Type: r.typeText(s), Depth: depth, Rules: ruleList(s)}
	f.Description, _ = s["description"].(string)
	return f
}

// fields lists the members of an object, each followed by the members of its
// nested objects.
func (r *schemaReader) fields(s schema) []docsField { return r.members(s, 0, nil) }

func (r *schemaReader) members(s schema, depth int, above []string) []docsField {
	object, name := r.inner(s)
	properties, _ := sub(object, "properties")
	if depth >= maxDocsDepth || name != "" && slices.Contains(above, name) {
		return nil
	}
	required, _ := object["required"].([]any)
	var list []docsField
	for _, key := range r.keys(name, properties) {
		property, _ := sub(properties, key)
		f := r.field(key, property, depth)
		f.Required = slices.Contains(required, any(key))
		list = append(list, f)
		list = append(list, r.members(property, depth+1, append(above[:len(above):len(above)], name))...)
	}
	return list
}

// inner returns the object schema of a value, of its elements, or of its
// alternative to null.
func (r *schemaReader) inner(s schema) (_ schema, name string) {
	if object, name := r.resolve(s); name != "" {
		return object, name
	}
	var objects []schema
	for _, alternative := range alternatives(s) {
		if !slices.Contains(types(alternative), "null") {
			objects = append(objects, alternative)
		}
	}
	if len(objects) == 1 {
		return r.inner(objects[0])
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if element, ok := sub(s, key); ok {
			return r.inner(element)
		}
	}
	return s, ""
}

// keys returns the members in the order of their type, and others by name.
func (r *schemaReader) keys(name string, properties schema) []string {
	order := r.order[name]
	return slices.SortedFunc(maps.Keys(properties), func(a, b string) int {
		if c := cmp.Compare(slices.Index(order, a), slices.Index(order, b)); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
}

// example returns a small valid value: with the required members, or with the
// first one if none is required.
func (r *schemaReader) example(s schema, depth int) any {
	for _, key := range []string{"example", "default", "const"} {
		if v, ok := s[key]; ok {
			return v
		}
	}
	for _, key := range []string{"examples", "enum"} {
		if list, ok := s[key].([]any); ok && len(list) > 0 {
			return list[0]
		}
	}
	if union := alternatives(s); len(union) > 0 {
		return r.example(union[len(union)-1], depth)
	}
	object, name := r.resolve(s)
	if depth > maxDocsDepth {
		return nil
	}
	switch names := types(object); {
	case slices.Contains(names, "object"):
		return r.exampleObject(object, name, depth)
	case slices.Contains(names, "array"):
		items, _ := sub(object, "items")
		return []any{r.example(items, depth+1)}
	case slices.Contains(names, "integer"), slices.Contains(names, "number"):
		if least, ok := object["minimum"]; ok {
			return least
		}
		return 1
	case slices.Contains(names, "boolean"):
		return true
	case slices.Contains(names, "string") && object["format"] == "date-time":
		return "2026-01-31T12:00:00Z"
	case slices.Contains(names, "string"):
		return docsText
	}
	return map[string]any{}
}

func (r *schemaReader) exampleObject(object schema, name string, depth int) any {
	properties, _ := sub(object, "properties")
	keys := r.keys(name, properties)
	required, _ := object["required"].([]any)
	switch {
	case len(required) > 0:
		keys = slices.DeleteFunc(keys, func(key string) bool { return !slices.Contains(required, any(key)) })
	case depth == 0 && len(keys) > 1:
		keys = keys[:1]
	case depth > 0:
		keys = nil
	}
	out := make(map[string]any, len(keys))
	for _, key := range keys {
		property, _ := sub(properties, key)
		out[key] = r.example(property, depth+1)
	}
	return out
}
