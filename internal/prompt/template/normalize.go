package template

import (
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Normalize returns the form in which a checked template is stored and
// returned: all settings are present, and input_variables lists all variables,
// those that the client listed first. Content items are not changed.
func Normalize(template jsontree.Value) []byte {
	dst := make([]byte, 0, len(template.Raw())+256)
	switch KindOf(template) {
	case Chat:
		return appendChat(dst, template)
	case Completion:
		return appendCompletion(dst, template)
	default:
		return template.Compact()
	}
}

// appendChat drops members that do not belong to a chat.
func appendChat(dst []byte, template jsontree.Value) []byte {
	var variables names
	variables.addStrings(template.Get("input_variables"))
	dst = append(dst, `{"messages":`...)
	dst = appendList(dst, template.Get("messages"), func(dst []byte, message jsontree.Value) []byte {
		return appendMessage(dst, message, &variables)
	})
	variables.addTools(template)
	dst = append(dst, `,"functions":`...)
	dst = appendList(dst, template.Get("functions"), appendFunction)
	dst = append(dst, `,"tools":`...)
	dst = appendList(dst, template.Get("tools"), appendTool)
	dst = append(dst, `,"function_call":`...)
	dst = append(dst, given(template, "function_call", "null")...)
	dst = append(dst, `,"tool_choice":`...)
	dst = append(dst, given(template, "tool_choice", "null")...)
	dst = append(dst, `,"type":"chat","input_variables":`...)
	dst = variables.appendJSON(dst)
	dst = append(dst, `,"dataset_examples":`...)
	dst = append(dst, given(template, "dataset_examples", "[]")...)
	return append(dst, '}')
}

// appendList appends an array whose objects are written by write, or null if
// there is no array.
func appendList(dst []byte, array jsontree.Value, write func([]byte, jsontree.Value) []byte) []byte {
	if array.Kind() != jsontree.Array {
		return append(dst, "null"...)
	}
	dst = append(dst, '[')
	for i, element := range array.Elems() {
		if i > 0 {
			dst = append(dst, ',')
		}
		if element.Kind() == jsontree.Object {
			dst = write(dst, element)
		} else {
			dst = append(dst, element.Compact()...)
		}
	}
	return append(dst, ']')
}

// appendMessage adds defaults, and adds the variables of the message to those
// of the template.
func appendMessage(dst []byte, message jsontree.Value, all *names) []byte {
	var variables names
	variables.addHolder(message)
	all.addAll(variables.list)
	fields := []field{
		{"role", message.Get("role").Compact()},
		{"content", message.Get("content").Compact()},
		{"input_variables", variables.appendJSON(nil)},
		{"template_format", given(message, "template_format", `"f-string"`)},
		{"raw_request_display_role", given(message, "raw_request_display_role", `""`)},
		{"dataset_examples", given(message, "dataset_examples", "[]")},
		{"name", given(message, "name", "null")},
	}
	if message.Get("role").Is("assistant") {
		fields = append(fields,
			field{"function_call", given(message, "function_call", "null")},
			field{"tool_calls", given(message, "tool_calls", "null")})
	}
	return appendObject(dst, message, fields)
}

func appendCompletion(dst []byte, template jsontree.Value) []byte {
	var variables names
	variables.addHolder(template)
	return appendObject(dst, template, []field{
		{"type", []byte(`"completion"`)},
		{"content", template.Get("content").Compact()},
		{"template_format", given(template, "template_format", `"f-string"`)},
		{"input_variables", variables.appendJSON(nil)},
	})
}

func appendTool(dst []byte, tool jsontree.Value) []byte {
	function := tool.Get("function")
	if !tool.Get("type").Is("function") || function.Kind() != jsontree.Object {
		return append(dst, tool.Compact()...)
	}
	return appendObject(dst, tool, []field{
		{"type", []byte(`"function"`)},
		{"function", appendFunction(nil, function)},
	})
}

// noParameters is the schema of a function without parameters.
const noParameters = `{"type":"object","properties":{}}`

func appendFunction(dst []byte, function jsontree.Value) []byte {
	return appendObject(dst, function, []field{
		{"name", function.Get("name").Compact()},
		{"description", given(function, "description", `""`)},
		{"strict", given(function, "strict", "false")},
		{"parameters", given(function, "parameters", noParameters)},
	})
}

// given returns the member as written, or the JSON text otherwise if it is
// missing.
func given(object jsontree.Value, name, otherwise string) []byte {
	if v := object.Get(name); v.Given() {
		return v.Compact()
	}
	return []byte(otherwise)
}

// field is a member with its JSON text, nil to omit it.
type field struct {
	name string
	json []byte
}

// appendObject appends the fields, then the other members of the object as
// written.
func appendObject(dst []byte, object jsontree.Value, fields []field) []byte {
	start := len(dst)
	for _, f := range fields {
		if f.json != nil {
			dst = append(dst, ',', '"')
			dst = append(dst, f.name...)
			dst = append(dst, '"', ':')
			dst = append(dst, f.json...)
		}
	}
	for key, member := range object.Members() {
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == key }) {
			dst = append(dst, ',')
			dst = append(dst, member.RawKey()...)
			dst = append(dst, ':')
			dst = append(dst, member.Compact()...)
		}
	}
	if len(dst) == start {
		return append(dst, "{}"...)
	}
	dst[start] = '{'
	return append(dst, '}')
}
