package provider

import "github.com/promptuary/promptuary/internal/jsontree"

// ReadTools returns recorded tools in the format of a blueprint: functions in
// one format for all providers, all others as is.
func ReadTools(list jsontree.Value) List {
	var out List
	for v := range GivenElems(list) {
		if declarations := Field(v, "function_declarations"); declarations.Kind() == jsontree.Array {
			out = append(out, declaredTools(v, declarations)...)
			continue
		}
		out.Add(toolDefinition(v))
	}
	return out
}

func toolDefinition(v jsontree.Value) JSON {
	kind, name := v.Get("type"), v.Get("name")
	schema, spec := Field(v, "input_schema"), Field(v, "tool_spec")
	named := name.Kind() == jsontree.String
	switch {
	case v.Get("function").Kind() == jsontree.Object && kind.Kind() == jsontree.String:
		return Value(v)
	case v.Get("function").Kind() == jsontree.Object:
		return Typed("function").Rest(v)
	case spec.Kind() == jsontree.Object:
		return functionDefinition(spec, Field(spec, "input_schema").Get("json"), "input_schema")
	case named && schema.Given():
		return functionDefinition(v, schema, "input_schema")
	case named && kind.Str() == "function":
		known := []string{"name", "description", "parameters", "strict"}
		return Typed("function").Set("function", NewObject().Keep(v, known...)).Rest(v, known...)
	case v.Kind() == jsontree.Object:
		return TypedBlock(v)
	default:
		return Value(v)
	}
}

// functionDefinition returns a function with the name and description of
// definition. Its other members are kept, except those named.
func functionDefinition(definition, parameters jsontree.Value, known ...string) JSON {
	function := NewObject().
		Text("name", definition.Get("name")).
		Given("description", definition.Get("description")).
		Given("parameters", parameters)
	return Typed("function").Set("function", function).
		Rest(definition, append(known, "name", "description", "parameters")...)
}

// declaredTools returns the functions of one of Google's tools, which may
// include built-in tools.
func declaredTools(v, declarations jsontree.Value) List {
	var out List
	for d := range GivenElems(declarations) {
		parameters := FirstGiven(d, "parameters", "parameters_json_schema")
		out.Add(functionDefinition(d, parameters, "parameters_json_schema"))
	}
	for key, member := range v.Members() {
		if member.Given() && Snake(key) != "function_declarations" {
			out.Add(Typed(key).Rest(v, "function_declarations"))
			break
		}
	}
	return out
}

// ReadChoice returns the recorded tool choice in the formats of OpenAI and
// Anthropic: a mode, or the name of a function. It returns nil if there is
// none.
func ReadChoice(v jsontree.Value) JSON {
	name := v.Get("name")
	switch kind := v.Get("type").Str(); {
	case !v.Given():
		return nil
	case v.Kind() != jsontree.Object, v.Get("function").Given():
		return Value(v)
	case kind == "function" || kind == "tool":
		return NamedChoice(name)
	case kind == "any":
		return Text(ChooseRequired)
	case (kind == ChooseAuto || kind == ChooseNone) && !name.Given():
		return Text(kind)
	default:
		return Value(v)
	}
}

// NamedChoice returns the choice of a function in the format of a blueprint.
func NamedChoice(name jsontree.Value) JSON {
	return Typed("function").Set("function", NewObject().Text("name", name))
}
