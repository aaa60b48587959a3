package google

import (
	"bytes"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// configName is the argument that holds all settings. Names are in snake case:
// the Python client takes them so, the JavaScript client translates them.
const configName = "generation_config"

// arguments writes the arguments of content generation and of chats.
type arguments struct{ *provider.Arguments }

func write(a *provider.Arguments) {
	w := arguments{a}
	list := "history"
	if a.IsCompletion() {
		list = "contents"
	}
	a.DeriveList(list, a.Conversation(provider.Conversation{
		Assistant: "model", List: "parts", Part: part, Reply: part, Call: w.call, Result: w.result,
	}))
	config := provider.NewObject()
	w.system(config)
	w.tools(config)
	w.format(config)
	w.settings(config)
	a.Set(configName, config)
	a.Finish()
}

// settings adds the parameters that are settings and leaves the few that are
// separate arguments.
func (w arguments) settings(config *provider.Object) {
	w.Params.Take(configName) // not an object, or its members were set
	w.Params.Each(func(p provider.Param) bool {
		switch p.Canon {
		case "model", "history", "contents", "stream":
			return false
		}
		config.Val(p.Key, p.Value)
		return true
	})
}

// system adds the instructions, which are not messages.
func (w arguments) system(config *provider.Object) {
	var parts provider.List
	for _, it := range w.SystemItems() {
		parts.Add(provider.NewObject().Val("text", it.Text))
	}
	if len(parts) > 0 {
		w.Derive(config, "system_instruction", provider.NewObject().Set("parts", parts))
	}
}

func part(it provider.Item) provider.JSON {
	v := it.V
	switch it.Kind {
	case "text":
		return signed(provider.NewObject().Val("text", it.Text), v.Get("thought_signature"))
	case "thinking":
		thought := provider.NewObject().Text("text", v.Get("thinking")).Set("thought", provider.Raw("true"))
		return signed(thought, v.Get("signature"))
	case "code":
		return provider.Single("executable_code",
			provider.NewObject().Text("code", v.Get("code")).StrOr("language", v.Get("language"), "PYTHON"))
	case "code_execution_result":
		return provider.Single("code_execution_result",
			provider.NewObject().Text("output", v.Get("output")).StrOr("outcome", v.Get("outcome"), "OUTCOME_OK"))
	}
	f, ok := provider.FileOf(it)
	if !ok {
		return nil
	}
	file := provider.Single("inline_data", provider.NewObject().Str("data", f.Data).Str("mime_type", f.MIME))
	if f.URL != "" {
		file = provider.Single("file_data", provider.NewObject().Str("file_uri", f.URL).Str("mime_type", f.MIME))
	}
	return signed(file, v.Get("provider_metadata").Get("thought_signature"))
}

// signed adds the signature by which a model recognises its own thoughts.
func signed(part *provider.Object, signature jsontree.Value) provider.JSON {
	return part.Filled("thought_signature", signature)
}

func (w arguments) call(c provider.Call) provider.JSON {
	call := w.identified(c.ID, c.Name).Val("name", c.Name).Set("args", provider.ArgumentObject(c.Arguments))
	return signed(provider.Single("function_call", call), c.V.Get("provider_metadata").Get("thought_signature"))
}

// identified returns an object with the ID of a call, except for Vertex AI,
// which has no IDs, and calls whose ID is just their name.
func (w arguments) identified(id, name jsontree.Value) *provider.Object {
	if id.Str() == name.Str() || w.Provider == "vertexai" {
		return provider.NewObject()
	}
	return provider.NewObject().Filled("id", id)
}

// result returns a tool result, which must be an object.
func (w arguments) result(m *provider.Message) provider.JSON {
	name := w.FunctionName(m)
	result := w.identified(m.ResultID(), name).Text("name", name).Set("response", resultObject(m.Content))
	return provider.Single("function_response", result)
}

// resultObject returns a result as an object: the one in its text, or one that
// contains the text.
func resultObject(content jsontree.Value) provider.JSON {
	var text []byte
	for _, it := range provider.Items(content) {
		if it.IsText() {
			text = it.Text.AppendStr(text)
		}
	}
	if v, err := jsontree.Parse(bytes.TrimSpace(text)); err == nil && v.Kind() == jsontree.Object {
		return provider.Value(v)
	}
	return provider.NewObject().Str("result", string(text))
}

// tools adds all functions as one tool, and each of the provider's tools as a
// separate tool.
func (w arguments) tools(config *provider.Object) {
	list, chosen := w.ToolsAndChoice()
	var tools provider.List
	if functions := provider.ToolList(list, declaration); len(functions) > 0 {
		tools.Add(provider.Single("function_declarations", functions))
	}
	tools.Add(provider.ToolList(list, tool)...)
	mode, ok := modes[chosen.Mode]
	if !w.Derive(config, "tools", tools) || !ok {
		return
	}
	calling := provider.NewObject().Str("mode", mode)
	if chosen.Mode == provider.ChooseNamed {
		calling.Set("allowed_function_names", provider.List{provider.Value(chosen.Name)})
	}
	w.Derive(config, "tool_config", provider.Single("function_calling_config", calling))
}

// modes are the provider's names for tool choices.
var modes = map[string]string{
	provider.ChooseAuto: "AUTO", provider.ChooseNone: "NONE", provider.ChooseRequired: "ANY", provider.ChooseNamed: "ANY",
}

func declaration(t *provider.Tool) provider.JSON {
	if t.Kind != provider.FunctionTool {
		return nil
	}
	o := provider.NewObject().Val("name", t.Name).Given("description", t.Definition.Get("description"))
	// The API rejects the schema of an object without properties.
	if t.Schema.Get("type").Str() == "object" && t.Schema.Get("properties").Len() == 0 {
		return o
	}
	return o.Given("parameters", t.Schema)
}

// builtIns are the provider's tools.
var builtIns = map[string]string{
	"web_search": "google_search", "google_maps": "google_maps", "url_context": "url_context",
	"code_interpreter": "code_execution", "file_search": "file_search",
}

func tool(t *provider.Tool) provider.JSON {
	own, ok := builtIns[t.Word]
	switch {
	case t.Kind == provider.FunctionTool:
		return nil
	case t.Kind == provider.NativeTool:
		return t.Untyped()
	case t.Kind == provider.UnresolvedTool:
		return provider.Value(t.V)
	case ok && t.Config.Get(own).Kind() != jsontree.Object:
		return provider.Single(own, provider.NewObject().Rest(t.Config, "type", "name"))
	default:
		return t.AsConfig()
	}
}

// format adds the request for an answer in JSON.
func (w arguments) format(config *provider.Object) {
	format, definition := w.ResponseFormat()
	if format != "json_schema" && format != "json_object" {
		return
	}
	w.Derive(config, "response_mime_type", provider.Text("application/json"))
	if schema := definition.Get("schema"); schema.Given() {
		w.Derive(config, "response_schema", provider.Value(schema))
	}
}
