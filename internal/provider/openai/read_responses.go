package openai

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// responsesInput reads the arguments of the Responses API, whose input is a
// text or a list of items.
func responsesInput(r *provider.Reading) (provider.Blueprint, bool) {
	input, instructions := r.Peek("input"), r.Peek("instructions")
	if !input.Given() && !instructions.Given() {
		return provider.Blueprint{}, false
	}
	var l itemList
	switch r.Lift("instructions"); instructions.Kind() {
	case jsontree.Array:
		l.addAll(instructions)
	case jsontree.String:
		l.turns = append(l.turns, provider.Say(provider.RoleSystem, provider.PlainText(instructions)))
	}
	if input.Kind() == jsontree.String {
		l.add(input)
	} else {
		l.addAll(input)
	}
	b := provider.Blueprint{Turns: l.turns}
	readTools(r, &b)
	return b, true
}

// responsesOutput reads all items of a response as one reply.
func responsesOutput(x provider.Exchange) (provider.Turn, bool) {
	reply := provider.Say(provider.RoleAssistant)
	items := x.Response.Get("output")
	for item := range provider.GivenElems(items) {
		if isMessage(item) {
			addParts(&reply, item)
		} else {
			addItem(&reply, item)
		}
	}
	return reply, !reply.Empty()
}

// itemList collects items into messages: text, reasoning and calls of one
// answer are separate items, but one message.
type itemList struct {
	turns []provider.Turn
	// thinking reports whether the last message contains only reasoning.
	thinking bool
}

func (l *itemList) addAll(items jsontree.Value) {
	for _, item := range items.Elems() {
		l.add(item)
	}
}

func (l *itemList) add(item jsontree.Value) {
	kind := item.Get("type").Str()
	switch {
	case item.Kind() == jsontree.String:
		l.turns = append(l.turns, provider.Say(provider.RoleUser, provider.PlainText(item)))
	case isMessage(item):
		l.addMessage(item)
	case kind == "function_call_output", kind == "custom_tool_call_output":
		t := provider.ToolResult(item.Get("call_id"))
		AddContent(&t, item.Get("output"))
		l.turns = append(l.turns, t)
	case strings.HasSuffix(kind, "_call_output"):
		t := provider.ToolResult(item.Get("call_id"))
		t.Add(provider.Value(item))
		l.turns = append(l.turns, t)
	case kind == "mcp_approval_response":
		l.turns = append(l.turns, provider.Say(provider.RoleUser, provider.Value(item)))
	case kind != "":
		l.addReply(item)
	}
}

// addReply adds an item to the current assistant message, or starts one.
// Reasoning belongs to the items after it, so it starts one too.
func (l *itemList) addReply(item jsontree.Value) {
	reply := provider.Say(provider.RoleAssistant)
	addItem(&reply, item)
	if reply.Empty() {
		return
	}
	thinks := item.Get("type").Str() == "reasoning"
	if n := len(l.turns); n > 0 && l.turns[n-1].Role == provider.RoleAssistant && (l.thinking || !thinks) {
		l.turns[n-1].Join(reply)
	} else {
		l.turns = append(l.turns, reply)
	}
	l.thinking = thinks
}

// addMessage adds a message item. An assistant message continues a message with
// only reasoning, but not one with text.
func (l *itemList) addMessage(item jsontree.Value) {
	t := provider.NewTurn(item.Get("role"), provider.RoleUser)
	t.Name = provider.StringOrNil(item.Get("name"))
	addParts(&t, item)
	if n := len(l.turns); n > 0 && l.thinking && t.Role == l.turns[n-1].Role {
		l.turns[n-1].Join(t)
	} else {
		l.turns = append(l.turns, t)
	}
	l.thinking = false
}

func isMessage(item jsontree.Value) bool {
	kind := item.Get("type").Str()
	return kind == "message" || kind == "" && (item.Get("role").Given() || item.Get("content").Given())
}

// addParts adds the content of a message item. Its texts get the ID of the
// item, so that later calls can refer to them.
func addParts(t *provider.Turn, item jsontree.Value) {
	content, id := item.Get("content"), provider.StringOrNil(item.Get("id"))
	if content.Kind() != jsontree.Array && content.Given() {
		t.Add(provider.TextBlock(provider.String(content), id, jsontree.Value{}))
	}
	for part := range provider.GivenElems(content) {
		if strings.HasSuffix(part.Get("type").Str(), "text") && part.Get("text").Kind() == jsontree.String {
			t.Add(textPart(part, id))
		} else {
			t.Add(Part(part))
		}
	}
}

// addItem adds an item that is not a message to the reply.
func addItem(t *provider.Turn, item jsontree.Value) {
	switch kind := item.Get("type").Str(); kind {
	case "reasoning":
		addSummary(t, item)
	case "function_call", "custom_tool_call":
		call := provider.FunctionCall(provider.FirstGiven(item, "call_id", "id"), item.Get("name"),
			provider.FirstGiven(item, "arguments", "input"))
		t.Calls.Add(call.Given("tool_id", item.Get("id")).
			Rest(item, "call_id", "name", "arguments", "input", "status"))
	case "image_generation_call":
		mime := imageMIME(provider.Field(item, "output_format").Str())
		url := provider.DataURL(mime, item.Get("result").Str())
		t.Add(provider.OutputMedia(url, mime, item, "result", "status"))
	case "code_interpreter_call":
		t.Add(provider.Typed("code").Text("code", item.Get("code")).Rest(item))
	case "web_search_call", "file_search_call":
		t.Add(search(item, strings.TrimSuffix(kind, "_call")))
	default:
		t.Add(provider.TypedBlock(item))
	}
}

// addSummary adds each text of a reasoning item. The first block has what is
// needed to send the item back, even if there is no text.
func addSummary(t *provider.Turn, item jsontree.Value) {
	id, source := provider.StringOrNil(item.Get("id")), item
	add := func(text provider.JSON) {
		t.Add(provider.SignedThinking(text, nil, id, source, "summary", "content", "status"))
		source = jsontree.Value{}
	}
	for _, list := range []jsontree.Value{item.Get("summary"), item.Get("content")} {
		for _, part := range list.Elems() {
			if text := part.Get("text"); text.Str() != "" {
				add(provider.Value(text))
			}
		}
	}
	if provider.Field(source, "encrypted_content").Given() {
		add(provider.Text(""))
	}
}

func search(item jsontree.Value, name string) provider.JSON {
	o := provider.Typed("server_tool_use").Text("id", item.Get("id")).Str("name", name)
	if action := item.Get("action"); action.Kind() == jsontree.Object {
		o.Val("input", action)
	} else {
		o.Set("input", provider.NewObject().Given("queries", item.Get("queries")))
	}
	return o.Rest(item, "action", "queries")
}
