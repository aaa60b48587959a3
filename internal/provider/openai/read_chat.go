package openai

import (
	"cmp"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// chatMembers are the members of a chat message that a blueprint has too.
var chatMembers = []string{
	"role", "content", "name", "tool_calls", "function_call", "tool_call_id", "annotations", "refusal",
	"reasoning", "reasoning_content", "reasoning_details", "images", "audio",
}

// chatInput reads the arguments of chat completions and of similar APIs.
func chatInput(r *provider.Reading) (provider.Blueprint, bool) {
	list := r.Peek("messages")
	if !list.Given() {
		return provider.Blueprint{}, false
	}
	b := provider.Blueprint{Turns: chatTurns(list)}
	readTools(r, &b)
	return b, true
}

// readTools moves the tools and the tool choice into the blueprint.
func readTools(r *provider.Reading, b *provider.Blueprint) {
	b.Tools = provider.ReadTools(r.LiftIf("tools", jsontree.Array))
	if functions := r.LiftIf("functions", jsontree.Array); functions.Given() {
		b.Functions = provider.Value(functions)
	}
	if call := r.LiftIf("function_call", jsontree.String, jsontree.Object); call.Given() {
		b.FunctionCall = provider.Value(call)
	}
	b.ToolChoice = provider.ReadChoice(r.LiftIf("tool_choice", jsontree.String, jsontree.Object))
}

// chatTurns reads a list of messages, or one message.
func chatTurns(list jsontree.Value) []provider.Turn {
	var out []provider.Turn
	read := func(v jsontree.Value) {
		if t, ok := chatTurn(v, provider.RoleUser); ok {
			out = append(out, t)
		}
	}
	if list.Kind() != jsontree.Array {
		read(list)
	}
	for _, v := range list.Elems() {
		read(v)
	}
	return out
}

// chatTurn reads a chat message, with the other role if it has none. It returns
// false if v is not a message.
func chatTurn(v jsontree.Value, other string) (provider.Turn, bool) {
	if v.Kind() == jsontree.String {
		return provider.Say(other, provider.PlainText(v)), true
	}
	word, content := v.Get("role"), v.Get("content")
	calls, call := provider.Field(v, "tool_calls"), provider.Field(v, "function_call")
	if !word.Given() && !content.Given() && !calls.Given() && !call.Given() {
		return provider.Turn{}, false
	}
	t := provider.NewTurn(word, other)
	t.From(v, chatMembers...)
	t.Name = provider.StringOrNil(v.Get("name"))
	for c := range provider.GivenElems(calls) {
		t.Calls.Add(chatCall(c))
	}
	if call.Kind() == jsontree.Object {
		t.FunctionCall = provider.Value(call)
	}
	if id := provider.Field(v, "tool_call_id"); id.Given() {
		t.CallID = provider.String(id)
	}
	addReasoning(&t, v)
	addAnnotated(&t, content, v.Get("annotations"))
	if refusal := v.Get("refusal"); refusal.Str() != "" {
		t.Add(provider.PlainText(refusal))
	}
	addMedia(&t, v)
	return t, true
}

// AddContent adds the content of a message to t.
func AddContent(t *provider.Turn, content jsontree.Value) { addAnnotated(t, content, jsontree.Value{}) }

// addAnnotated adds a content. Annotations next to the content belong to its
// text.
func addAnnotated(t *provider.Turn, content, annotations jsontree.Value) {
	switch content.Kind() {
	case jsontree.Absent, jsontree.Null:
	case jsontree.String:
		if content.Str() == "" && !t.Empty() {
			return // streams use an empty string for no text
		}
		t.Add(annotated(content, annotations))
	case jsontree.Array:
		for part := range provider.GivenElems(content) {
			t.Add(Part(part))
		}
	default:
		t.Add(Part(content))
	}
}

// annotated returns a text block with the annotations of a chat completion,
// whose fields are nested one level deeper than in a blueprint.
func annotated(text, annotations jsontree.Value) provider.JSON {
	if annotations.Kind() != jsontree.Array || annotations.Len() == 0 {
		return provider.PlainText(text)
	}
	var list provider.List
	for _, a := range annotations.Elems() {
		inner := provider.Field(a, "url_citation")
		if inner.Kind() == jsontree.Object {
			list.Add(provider.Typed("url_citation").Rest(inner))
		} else {
			list.Add(provider.Value(a))
		}
	}
	return provider.Typed("text").Val("text", text).Set("id", nil).Set("annotations", list)
}

// addReasoning adds the reasoning that some providers put next to the content.
// OpenRouter sends it twice; reasoning_details is more complete.
func addReasoning(t *provider.Turn, v jsontree.Value) {
	added := false
	for _, detail := range provider.Field(v, "reasoning_details").Elems() {
		if text := provider.FirstGiven(detail, "text", "summary"); text.Kind() == jsontree.String {
			t.Add(provider.ThinkingBlock(provider.Value(text), detail, "text", "summary"))
			added = true
		}
	}
	if text := provider.FirstGiven(v, "reasoning_content", "reasoning"); !added && text.Str() != "" {
		t.Add(provider.ThinkingBlock(provider.Value(text), jsontree.Value{}))
	}
}

// addMedia adds generated images and speech.
func addMedia(t *provider.Turn, v jsontree.Value) {
	for _, image := range v.Get("images").Elems() {
		url := provider.Field(image, "image_url")
		if url.Kind() == jsontree.Object {
			url = url.Get("url")
		}
		if url.Str() != "" {
			mime := cmp.Or(provider.DataMIME(url.Str()), "image/png")
			t.Add(provider.OutputMedia(url.Str(), mime, image, "image_url", "index"))
		}
	}
	audio := v.Get("audio")
	if data := audio.Get("data").Str(); data != "" {
		mime := audioMIME(audio.Get("format").Str())
		t.Add(provider.OutputMedia(provider.DataURL(mime, data), mime, audio, "data", "format"))
	}
}

// chatCall returns a tool call unchanged if a blueprint allows it, else
// converts it.
func chatCall(v jsontree.Value) provider.JSON {
	function, custom := v.Get("function"), v.Get("custom")
	whole := v.Get("type").Kind() == jsontree.String && v.Get("id").Kind() == jsontree.String &&
		function.Get("name").Kind() == jsontree.String && function.Get("arguments").Kind() == jsontree.String
	switch {
	case whole:
		return provider.Value(v)
	case custom.Given():
		function = custom
	case function.Kind() != jsontree.Object:
		function = v
	}
	arguments := provider.FirstGiven(function, "arguments", "input")
	return provider.FunctionCall(v.Get("id"), function.Get("name"), arguments).
		Rest(v, "custom", "name", "input", "arguments")
}

// chatOutput reads the first choice of a chat completion.
func chatOutput(x provider.Exchange) (provider.Turn, bool) {
	choice := provider.First(x.Response.Get("choices"))
	for _, v := range []jsontree.Value{choice.Get("message"), choice.Get("delta")} {
		if t, ok := chatTurn(v, provider.RoleAssistant); ok {
			return t, true
		}
	}
	// The Python library assembles streams with the members of the message in
	// the choice itself.
	t, ok := chatTurn(choice, provider.RoleAssistant)
	t.From(jsontree.Value{})
	return t, ok
}
