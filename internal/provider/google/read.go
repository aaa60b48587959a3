package google

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// input reads the arguments of content generation and of chats. Instructions
// and tools are among the arguments or in the configuration, which has three
// names.
func input(r *provider.Reading) (provider.Blueprint, bool) {
	contents, message := r.Lift("contents"), r.Lift("message")
	history := r.Lift("history")
	if !contents.Given() && !message.Given() {
		message = provider.First(r.Args)
	}
	if !contents.Given() && !message.Given() && !history.Given() {
		return provider.Blueprint{}, false
	}
	var b provider.Blueprint
	for _, place := range []jsontree.Value{r.Kwargs, r.Peek("config"), r.Peek(configName)} {
		readConfig(r, place, &b)
	}
	for _, v := range []jsontree.Value{history, contents, message} {
		b.Turns = append(b.Turns, readContents(v)...)
	}
	return b, true
}

func readConfig(r *provider.Reading, place jsontree.Value, b *provider.Blueprint) {
	if system := r.LiftFrom(place, "system_instruction"); system.Given() {
		t := provider.Say(provider.RoleSystem)
		for _, read := range readContents(system) {
			t.Blocks = append(t.Blocks, read.Blocks...)
		}
		b.Turns = append(b.Turns, t)
	}
	if tools := provider.Field(place, "tools"); tools.Kind() == jsontree.Array {
		b.Tools = append(b.Tools, provider.ReadTools(r.LiftFrom(place, "tools"))...)
	}
	// It stays a parameter as well: it may hold more than a blueprint shows.
	if choice := readChoice(provider.Field(place, "tool_config")); choice != nil {
		b.ToolChoice = choice
	}
}

func readChoice(v jsontree.Value) provider.JSON {
	calling := provider.Field(v, "function_calling_config")
	mode, names := calling.Get("mode").Str(), provider.Field(calling, "allowed_function_names")
	if mode == modes[provider.ChooseNamed] && names.Len() == 1 {
		return provider.NamedChoice(provider.First(names))
	}
	for _, word := range []string{provider.ChooseAuto, provider.ChooseNone, provider.ChooseRequired} {
		if modes[word] == mode {
			return provider.Text(word)
		}
	}
	return nil
}

// readContents returns the messages of contents, which are a text, a part, a
// message, or a list of any of them. Consecutive parts are one message.
func readContents(v jsontree.Value) []provider.Turn {
	if v.Kind() != jsontree.Array {
		return readContent(v)
	}
	var out []provider.Turn
	open := false
	for _, element := range v.Elems() {
		read := readContent(element)
		bare := !element.Get("parts").Given() && len(read) == 1 && read[0].Role == provider.RoleUser
		if n := len(out); open && bare {
			out[n-1].Join(read[0])
			continue
		}
		out = append(out, read...)
		open = bare
	}
	return out
}

func readContent(v jsontree.Value) []provider.Turn {
	switch v.Kind() {
	case jsontree.Absent, jsontree.Null:
		return nil
	case jsontree.Object:
	default:
		return []provider.Turn{provider.Say(provider.RoleUser, provider.PlainText(v))}
	}
	t := provider.NewTurn(v.Get("role"), provider.RoleUser)
	single := v.Get("parts")
	switch single.Kind() {
	case jsontree.Array, jsontree.Null:
		return t.Read(single, readPart)
	case jsontree.Absent:
		single = v // a part, not a message with parts
	}
	if result := readPart(&t, single); result != nil {
		return []provider.Turn{*result}
	}
	return []provider.Turn{t}
}

// readPart adds one part to t, or returns the message that it is by itself.
func readPart(t *provider.Turn, v jsontree.Value) *provider.Turn {
	if result := provider.Field(v, "function_response"); result.Kind() == jsontree.Object {
		return readResult(result)
	}
	if call := provider.Field(v, "function_call"); call.Kind() == jsontree.Object {
		t.Calls.Add(readCall(v, call))
	} else {
		t.Add(readBlock(v))
	}
	return nil
}

// readAnswer is readPart for a part that the model generated: files of its own
// are not the same block as files that it was sent.
func readAnswer(t *provider.Turn, v jsontree.Value) *provider.Turn {
	inline := provider.Field(v, "inline_data")
	if data := inline.Get("data"); data.Kind() == jsontree.String && v.Get("text").Kind() != jsontree.String {
		mime := provider.Field(inline, "mime_type").Str()
		t.Add(provider.OutputMedia(provider.DataURL(mime, data.Str()), mime, v, "inline_data"))
		return nil
	}
	return readPart(t, v)
}

// readCall returns a function call. Calls without an id are answered by name,
// so the name stands in for one.
func readCall(part, call jsontree.Value) provider.JSON {
	o := provider.FunctionCall(provider.FirstGiven(call, "id", "name"), call.Get("name"), call.Get("args"))
	if signature := provider.Field(part, "thought_signature"); signature.Given() {
		o.Set("provider_metadata", provider.NewObject().Val("thought_signature", signature))
	}
	return o.Rest(call, "id", "name", "args")
}

func readResult(v jsontree.Value) *provider.Turn {
	t := provider.ToolResult(provider.FirstGiven(v, "id", "name"))
	t.Name = provider.StringOrNil(v.Get("name"))
	t.From(v, "id", "name", "response")
	if response := v.Get("response"); response.Given() {
		t.Add(provider.PlainText(response))
	}
	return &t
}

func readBlock(v jsontree.Value) provider.JSON {
	text, signature := v.Get("text"), provider.Field(v, "thought_signature")
	inline, file := provider.Field(v, "inline_data"), provider.Field(v, "file_data")
	code, result := provider.Field(v, "executable_code"), provider.Field(v, "code_execution_result")
	data, uri := inline.Get("data"), provider.Field(file, "file_uri")
	textMembers := []string{"text", "thought", "thought_signature"}
	switch {
	case text.Kind() == jsontree.String && v.Get("thought").Bool():
		return provider.SignedThinking(provider.Value(text), provider.StringOrNil(signature), nil, v, textMembers...)
	case text.Kind() == jsontree.String:
		return provider.PlainText(text).Given("thought_signature", signature).Rest(v, textMembers...)
	case data.Kind() == jsontree.String:
		return readFile(v, inline, data, provider.FormatBase64)
	case uri.Kind() == jsontree.String:
		return readFile(v, file, uri, provider.FormatURL)
	case code.Kind() == jsontree.Object:
		return provider.Typed("code").Text("code", code.Get("code")).Rest(code).Rest(v, "executable_code")
	case result.Kind() == jsontree.Object:
		return provider.Typed("code_execution_result").Text("output", result.Get("output")).
			Rest(result).Rest(v, "code_execution_result")
	default:
		return provider.TypedBlock(v)
	}
}

func readFile(v, file, url jsontree.Value, format string) provider.JSON {
	title, mime := provider.Field(file, "display_name").Str(), provider.Field(file, "mime_type").Str()
	return provider.MediaBlock(title, mime, url, format, v, "inline_data", "file_data")
}

// output reads the first candidate of an answer.
func output(x provider.Exchange) (provider.Turn, bool) {
	content := provider.First(x.Response.Get("candidates")).Get("content")
	return provider.ReadReply(content.Get("role"), content.Get("parts"), readAnswer)
}
