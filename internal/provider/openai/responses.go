package openai

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// writeResponses writes the arguments of the Responses API, whose input is a
// list of items: messages, tool calls, results and reasoning.
func writeResponses(a *provider.Arguments) {
	var items provider.List
	for _, m := range a.Messages() {
		switch m.Role {
		case provider.RolePlaceholder:
			items.Add(provider.Value(m.V))
		case provider.RoleAssistant:
			items.Add(replyItems(m.Content)...)
			for _, c := range provider.Calls(m.V) {
				items.Add(callItem(c))
			}
		case provider.RoleTool, provider.RoleFunction:
			items.Add(resultItems(&m)...)
		default:
			items.Add(inputItems(&m)...)
		}
	}
	a.DeriveList("input", items)
	a.DeriveTools(responseTool, responseChoice)
	if format, definition := a.ResponseFormat(); format != "" {
		a.Amend("text", "format", provider.Typed(format).Keep(definition, "name", "description", "schema", "strict"))
	}
	a.Finish()
}

// inputItems returns the items of a message that is not from the model.
// Separate items split it.
func inputItems(m *provider.Message) provider.List {
	var items, parts provider.List
	end := func() {
		if len(parts) > 0 {
			items.Add(provider.NewObject().Str("role", m.Role).Set("content", parts))
		}
		parts = nil
	}
	for _, it := range provider.Items(m.Content) {
		if isItem(it) {
			end()
			items.Add(item(it))
		} else {
			parts.Add(inputParts.Part(it))
		}
	}
	end()
	return items
}

// inputParts are the parts of a user message or a tool result.
var inputParts = provider.Parts{
	Text: func(it provider.Item) provider.JSON { return provider.Typed("input_text").Val("text", it.Text) },
	File: inputFile,
}

func inputFile(f *provider.File) provider.JSON {
	switch f.Kind() {
	case "audio", "video":
		return nil
	case "image":
		return provider.Typed("input_image").StrOr("detail", f.Detail, "auto").Str("image_url", f.Address())
	}
	if f.URL != "" {
		return provider.Typed("input_file").Str("file_url", f.URL)
	}
	return provider.Typed("input_file").Str("filename", f.Name()).Str("file_data", f.Address())
}

// reply collects a message of the model into items.
type reply struct {
	items provider.List
	// texts are the texts of the current message.
	texts []provider.Item
	// reasoning is the current reasoning item, whose texts share an ID.
	reasoning *provider.Object
	id        string
	summary   provider.List
}

// replyItems returns the items of a message of the model. Texts are strings,
// because parts of a list would need a type that clients do not render.
func replyItems(content jsontree.Value) provider.List {
	var r reply
	for _, it := range provider.Items(content) {
		switch it.Kind {
		case "text":
			r.endReasoning()
			r.texts = append(r.texts, it)
		case "thinking":
			r.endText()
			r.think(it.V)
		default:
			r.endText()
			r.endReasoning()
			r.items.Add(item(it))
		}
	}
	r.endText()
	r.endReasoning()
	return r.items
}

func (r *reply) endText() {
	if r.texts != nil {
		r.items.Add(provider.NewObject().Str("role", provider.RoleAssistant).Set("content", provider.JoinTexts(r.texts)))
	}
	r.texts = nil
}

func (r *reply) endReasoning() {
	if r.reasoning != nil {
		r.items.Add(r.reasoning.Set("summary", r.summary))
	}
	r.reasoning, r.id, r.summary = nil, "", nil
}

// think adds reasoning, which the API only accepts with its ID. Consecutive
// blocks with the same ID are texts of one item.
func (r *reply) think(v jsontree.Value) {
	id, thinking := v.Get("id"), v.Get("thinking")
	if r.id != id.Str() || thinking.Kind() != jsontree.String {
		r.endReasoning()
	}
	if id.Str() == "" || thinking.Kind() != jsontree.String {
		return
	}
	if r.reasoning == nil {
		r.id, r.reasoning = id.Str(), provider.Typed("reasoning").Val("id", id).Keep(v, "encrypted_content")
	}
	if raw := thinking.Raw(); len(raw) > len(`""`) {
		r.summary.Add(provider.Typed("summary_text").Val("text", thinking))
	}
}

func callItem(c provider.Call) provider.JSON {
	return provider.Typed("function_call").
		Text("call_id", c.ID).
		Val("name", c.Name).
		Set("arguments", provider.ArgumentText(c.Arguments)).
		Filled("id", c.V.Get("tool_id"))
}

// resultItems returns a tool result. Results of OpenAI's tools are items; those
// of functions are a text or a list with files.
func resultItems(m *provider.Message) provider.List {
	var own provider.List
	isOwn, hasFile := false, false
	for _, it := range provider.Items(m.Content) {
		_, file := provider.FileOf(it)
		isOwn, hasFile = isOwn || isItem(it), hasFile || file
		own.Add(item(it))
	}
	if isOwn {
		return own
	}
	output := joinedOrEmpty(m.Content)
	if hasFile {
		output = inputParts.List(m.Content)
	}
	return provider.List{provider.Typed("function_call_output").Text("call_id", m.ResultID()).Set("output", output)}
}

func responseTool(t *provider.Tool) provider.JSON {
	switch t.Kind {
	case provider.FunctionTool:
		// Without strict, the API defaults to true, a template to false.
		strict := provider.Raw("false")
		if v := t.Definition.Get("strict"); v.Kind() == jsontree.Bool {
			strict = provider.Value(v)
		}
		return provider.Typed("function").
			Val("name", t.Name).
			Given("description", t.Definition.Get("description")).
			Set("parameters", t.SchemaOrEmpty()).
			Set("strict", strict)
	case provider.BuiltInTool:
		return builtIn(t)
	default:
		return provider.Value(t.V)
	}
}

func responseChoice(c provider.Choice) provider.JSON {
	if c.Mode != provider.ChooseNamed {
		return provider.Value(c.V)
	}
	return provider.Typed("function").Val("name", c.Name)
}
