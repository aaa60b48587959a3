package provider

import "github.com/promptuary/promptuary/internal/jsontree"

// ToolKind is the kind of a tool in a template.
type ToolKind int

const (
	// FunctionTool is a function that the caller runs.
	FunctionTool ToolKind = iota
	// BuiltInTool is run by the provider and described by a config.
	BuiltInTool
	// NativeTool is in the format of some provider.
	NativeTool
	// UnresolvedTool is a variable or a reference that was not resolved.
	UnresolvedTool
)

// Tool is a tool for a model.
type Tool struct {
	Kind ToolKind
	V    jsontree.Value
	// Name, Definition and Schema belong to a function.
	Name, Definition, Schema jsontree.Value
	// Word and Config belong to a built-in tool.
	Word   string
	Config jsontree.Value
}

var builtInWords = map[string]string{
	"web_search": "web_search", "file_search": "file_search", "code_interpreter": "code_interpreter",
	"image_generation": "image_generation", "google_maps": "google_maps", "url_context": "url_context",
	"mcp": "mcp", "openai_mcp": "mcp", "bash": "bash", "shell": "shell", "apply_patch": "apply_patch",
	"text_editor": "text_editor",
}

// readTool reads a tool. It returns false for tools that no provider accepts:
// dropped references, and functions without a name.
func (a *Arguments) readTool(v jsontree.Value) (Tool, bool) {
	word := v.Get("type").Str()
	config := v.Get("config")
	builtIn, known := builtInWords[word]
	switch {
	case v.Kind() != jsontree.Object:
		return Tool{}, false
	case word == "variable" || word == "registry":
		return Tool{Kind: UnresolvedTool, V: v}, a.KeepPlaceholders
	case word == "function" || word == "":
		return readFunction(v)
	case known && (config.Kind() == jsontree.Object || v.Len() == 1):
		return Tool{Kind: BuiltInTool, V: v, Word: builtIn, Config: config}, true
	case v.Get("mcp_server_id").Given():
		// A server in the registry is replaced by its functions.
		return Tool{}, false
	default:
		return Tool{Kind: NativeTool, V: v}, true
	}
}

// readFunction reads a function, whose definition is nested or the value itself.
func readFunction(v jsontree.Value) (Tool, bool) {
	t := Tool{Kind: FunctionTool, V: v, Definition: v.Get("function")}
	if t.Definition.Kind() != jsontree.Object {
		t.Definition = v
	}
	t.Name = t.Definition.Get("name")
	for _, key := range []string{"parameters", "input_schema"} {
		if schema := t.Definition.Get(key); schema.Kind() == jsontree.Object {
			t.Schema = schema
			break
		}
	}
	return t, t.Name.Kind() == jsontree.String
}

// Tools returns the tools that the template offers.
func (a *Arguments) Tools() []Tool { return readTools(a.Template.Get("tools"), a.readTool) }

// Functions returns the legacy functions that the template offers.
func (a *Arguments) Functions() []Tool { return readTools(a.Template.Get("functions"), readFunction) }

func readTools(list jsontree.Value, read func(jsontree.Value) (Tool, bool)) []Tool {
	var out []Tool
	for _, v := range list.Elems() {
		if t, ok := read(v); ok {
			out = append(out, t)
		}
	}
	return out
}

// ToolsAndChoice returns the tools and the tool choice. Legacy functions are
// used if there are no tools.
func (a *Arguments) ToolsAndChoice() ([]Tool, Choice) {
	if list := a.Tools(); len(list) > 0 {
		return list, readChoice(a.Template.Get("tool_choice"))
	}
	return readTools(a.Template.Get("functions"), a.readTool), readChoice(a.Template.Get("function_call"))
}

// DeriveTools adds the tools and the tool choice, converted by the functions;
// nil omits a value. The choice needs tools.
func (a *Arguments) DeriveTools(tool func(*Tool) JSON, choice func(Choice) JSON) {
	tools, chosen := a.ToolsAndChoice()
	if a.Derive(a.Object, "tools", ToolList(tools, tool)) && chosen.Mode != "" {
		a.Derive(a.Object, "tool_choice", choice(chosen))
	}
}

// ToolList returns the tools, converted by a function.
func ToolList(tools []Tool, tool func(*Tool) JSON) List {
	var list List
	for i := range tools {
		list.Add(tool(&tools[i]))
	}
	return list
}

// SchemaOrEmpty returns the schema of a function, or one without parameters.
func (t *Tool) SchemaOrEmpty() JSON {
	if t.Schema.Given() {
		return Value(t.Schema)
	}
	return Raw(`{"type":"object","properties":{}}`)
}

// Configured returns a built-in tool as its config with that type and name,
// unless the config has its own. The name may be empty.
func (t *Tool) Configured(kind, name string) JSON {
	o := NewObject().StrOr("type", t.Config.Get("type"), kind)
	if name != "" {
		o.StrOr("name", t.Config.Get("name"), name)
	}
	return o.Rest(t.Config, "type", "name", "execution_mode")
}

// AsConfig returns the config of an unknown tool, or nil if it is empty.
func (t *Tool) AsConfig() JSON {
	if t.Config.Len() == 0 {
		return nil
	}
	return Value(t.Config)
}

// Untyped returns a native tool of a provider whose tools have one member each.
// Such a tool may be stored with the name of that member as its type.
func (t *Tool) Untyped() JSON {
	if word := t.V.Get("type").Str(); !t.V.Get(word).Given() {
		return Value(t.V)
	}
	return NewObject().Rest(t.V, "type")
}

// Choice is the tool choice of a template.
type Choice struct {
	// Mode is one of the constants below, or "".
	Mode string
	Name jsontree.Value
	V    jsontree.Value
}

// The modes of a Choice.
const (
	ChooseAuto     = "auto"
	ChooseNone     = "none"
	ChooseRequired = "required"
	ChooseNamed    = "named"
	// ChooseOther has an unknown format.
	ChooseOther = "other"
)

// readChoice reads a choice in the formats of OpenAI and Anthropic. Any other
// string is the name of a tool.
func readChoice(v jsontree.Value) Choice {
	switch v.Kind() {
	case jsontree.String:
		return choiceByWord(v.Str(), v, v)
	case jsontree.Object:
		name := v.Get("function").Get("name")
		if name.Kind() != jsontree.String {
			name = v.Get("name")
		}
		if name.Kind() == jsontree.String {
			return Choice{Mode: ChooseNamed, Name: name, V: v}
		}
		return choiceByWord(v.Get("type").Str(), v, jsontree.Value{})
	default:
		return Choice{}
	}
}

func choiceByWord(word string, v, name jsontree.Value) Choice {
	switch {
	case word == "":
		return Choice{}
	case word == ChooseAuto || word == ChooseNone || word == ChooseRequired:
		return Choice{Mode: word, V: v}
	case word == "any":
		return Choice{Mode: ChooseRequired, V: v}
	case name.Given():
		return Choice{Mode: ChooseNamed, Name: name, V: v}
	default:
		return Choice{Mode: ChooseOther, V: v}
	}
}
