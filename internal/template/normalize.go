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
	w := jsontree.NewWriter(dst)
	w.Object(func() {
		writeList(w.Key("messages"), template.Get("messages"), func(dst []byte, message jsontree.Value) []byte {
			return appendMessage(dst, message, &variables)
		})
		variables.addTools(template)
		writeList(w.Key("functions"), template.Get("functions"), appendFunction)
		writeList(w.Key("tools"), template.Get("tools"), appendTool)
		w.Key("function_call").Compact(template.Get("function_call"))
		w.Key("tool_choice").Compact(template.Get("tool_choice"))
		w.Key("type").String("chat")
		w.Key("input_variables").Strings(variables.list)
		w.Key("dataset_examples").Raw(given(template, "dataset_examples", "[]"))
	})
	return w.Bytes()
}

// writeList writes an array whose objects are changed by the function, null if
// it is no array.
func writeList(w *jsontree.Writer, array jsontree.Value, change func([]byte, jsontree.Value) []byte) {
	if array.Kind() != jsontree.Array {
		w.Null()
		return
	}
	w.Array(func() {
		for _, element := range array.Elems() {
			if element.Kind() == jsontree.Object {
				w.Raw(change(nil, element))
			} else {
				w.Compact(element)
			}
		}
	})
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
		{"input_variables", variables.encode()},
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
		{"input_variables", variables.encode()},
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
	w := jsontree.NewWriter(dst)
	w.Object(func() {
		writeFields(&w, fields)
		for key, member := range object.Members() {
			if !slices.ContainsFunc(fields, func(f field) bool { return f.name == key }) {
				w.KeyOf(member).Compact(member)
			}
		}
	})
	return w.Bytes()
}

func writeFields(w *jsontree.Writer, fields []field) {
	for _, f := range fields {
		if f.json != nil {
			w.Key(f.name).Raw(f.json)
		}
	}
}
