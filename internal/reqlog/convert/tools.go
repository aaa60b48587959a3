package convert

import "github.com/promptuary/promptuary/internal/jsontree"

// toolList returns the tools that a model was offered as a blueprint writes
// them: functions in one shape, whatever the provider; all others as they are.
func toolList(list jsontree.Value) [][]byte {
	var out [][]byte
	for v := range givenElems(list) {
		if declarations := field(v, "function_declarations"); declarations.Kind() == jsontree.Array {
			out = append(out, declaredTools(v, declarations)...)
			continue
		}
		out = append(out, tool(v))
	}
	return out
}

func tool(v jsontree.Value) []byte {
	kind, name := v.Get("type"), v.Get("name")
	schema := field(v, "input_schema")
	spec := field(v, "tool_spec")
	named := name.Kind() == jsontree.String
	switch {
	case v.Get("function").Kind() == jsontree.Object:
		if kind.Kind() == jsontree.String {
			return v.Raw()
		}
		return newObject().str("type", "function").rest(v).end()
	case spec.Kind() == jsontree.Object:
		parameters := field(spec, "input_schema").Get("json")
		return functionTool(spec, parameters, spec, "input_schema")
	case named && schema.Given():
		return functionTool(v, schema, v, "input_schema")
	case named && kind.Str() == "function":
		strict := newObject().given("name", name).given("description", v.Get("description")).
			given("parameters", v.Get("parameters")).given("strict", v.Get("strict")).end()
		return newObject().str("type", "function").raw("function", strict).
			rest(v, "name", "description", "parameters", "strict").end()
	case v.Kind() == jsontree.Object:
		return typedBlock(v)
	default:
		return v.Raw()
	}
}

// functionTool returns a function that definition names and describes. What
// else source says stays beside it.
func functionTool(definition, parameters, source jsontree.Value, known ...string) []byte {
	function := newObject().
		raw("name", stringOrEmpty(definition.Get("name"))).
		given("description", definition.Get("description")).
		given("parameters", parameters).
		end()
	return newObject().
		str("type", "function").
		raw("function", function).
		rest(source, append(known, "name", "description", "parameters")...).
		end()
}

// declaredTools returns the functions of one of Google's tools, which may
// name built-in tools as well.
func declaredTools(v, declarations jsontree.Value) [][]byte {
	var out [][]byte
	for d := range givenElems(declarations) {
		parameters := firstGiven(d, "parameters", "parameters_json_schema")
		out = append(out, functionTool(d, parameters, d, "parameters_json_schema"))
	}
	for key, member := range v.Members() {
		if member.Given() && snake(key) != "function_declarations" {
			out = append(out, newObject().str("type", key).rest(v, "function_declarations").end())
			break
		}
	}
	return out
}

// toolChoice returns which tool the model was told to use: a word, or the
// name of a function. It returns nil when it was told nothing.
func toolChoice(v jsontree.Value) []byte {
	if !v.Given() {
		return nil
	}
	name := v.Get("name")
	switch kind := v.Get("type").Str(); {
	case v.Kind() != jsontree.Object, v.Get("function").Given():
		return v.Raw()
	case kind == "function" || kind == "tool":
		return namedTool(name)
	case kind == "any":
		return quote("required")
	case (kind == "auto" || kind == "none") && !name.Given():
		return quote(kind)
	default:
		return v.Raw()
	}
}

func namedTool(name jsontree.Value) []byte {
	function := newObject().raw("name", stringOrEmpty(name)).end()
	return newObject().str("type", "function").raw("function", function).end()
}
