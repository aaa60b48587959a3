package convert

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// responsesInput reads the arguments of OpenAI's Responses interface, whose
// input is a text or a list of items.
func responsesInput(r *request) (template, bool) {
	input, instructions := r.peek("input"), r.peek("instructions")
	if !input.Given() && !instructions.Given() {
		return template{}, false
	}
	var l itemList
	switch instructions := r.lift("instructions"); instructions.Kind() {
	case jsontree.Array:
		l.addAll(instructions)
	case jsontree.String:
		l.messages = append(l.messages, say(roleSystem, plainText(instructions.Raw())))
	}
	if input.Kind() == jsontree.String {
		l.messages = append(l.messages, say(roleUser, plainText(input.Raw())))
	} else {
		l.addAll(input)
	}
	t := template{messages: l.messages}
	readTools(r, &t)
	return t, true
}

// responsesOutput reads all items of a response as one reply.
func responsesOutput(c Call) (message, bool) {
	items := c.Response.Get("output")
	if items.Kind() != jsontree.Array {
		return message{}, false
	}
	reply := say(roleAssistant)
	for item := range givenElems(items) {
		if isMessageItem(item) {
			messageParts(&reply, item)
		} else {
			replyItem(&reply, item)
		}
	}
	return reply, !reply.empty()
}

// itemList gathers items into messages: what a model said, thought and called
// in one go are several items, but one message.
type itemList struct {
	messages []message
	// thinking says that the last message holds nothing but reasoning.
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
		l.messages = append(l.messages, say(roleUser, plainText(item.Raw())))
	case isMessageItem(item):
		l.addMessage(item)
	case kind == "function_call_output", kind == "custom_tool_call_output":
		l.messages = append(l.messages, toolOutput(item))
	case strings.HasSuffix(kind, "_call_output"):
		m := say(roleTool, item.Raw())
		m.callID = stringOrEmpty(item.Get("call_id"))
		l.messages = append(l.messages, m)
	case kind == "mcp_approval_response":
		l.messages = append(l.messages, say(roleUser, item.Raw()))
	case kind != "":
		l.addReply(item)
	}
}

// addReply adds an item to the assistant message that is under way, or starts
// one. Reasoning leads to what follows it, so it starts one too.
func (l *itemList) addReply(item jsontree.Value) {
	reply := say(roleAssistant)
	replyItem(&reply, item)
	if reply.empty() {
		return
	}
	thinks := item.Get("type").Str() == "reasoning"
	if n := len(l.messages); n > 0 && l.messages[n-1].role == roleAssistant && (l.thinking || !thinks) {
		l.messages[n-1].join(reply)
	} else {
		l.messages = append(l.messages, reply)
	}
	l.thinking = thinks
}

// addMessage adds a message item. An assistant's goes on with its own
// reasoning, but not with what it said before.
func (l *itemList) addMessage(item jsontree.Value) {
	m := newMessage(item.Get("role"), roleUser)
	m.name = stringRaw(item.Get("name"))
	messageParts(&m, item)
	if n := len(l.messages); n > 0 && l.thinking && m.role == l.messages[n-1].role {
		l.messages[n-1].join(m)
	} else {
		l.messages = append(l.messages, m)
	}
	l.thinking = false
}

func isMessageItem(item jsontree.Value) bool {
	kind := item.Get("type").Str()
	return kind == "message" || kind == "" && (item.Get("role").Given() || item.Get("content").Given())
}

// messageParts adds the content of a message item. Its texts get the item's
// id, by which a later call can refer to them.
func messageParts(m *message, item jsontree.Value) {
	content, id := item.Get("content"), stringRaw(item.Get("id"))
	if content.Kind() != jsontree.Array {
		if content.Given() {
			m.add(textBlock(asString(content), id, jsontree.Value{}))
		}
		return
	}
	for part := range givenElems(content) {
		kind, text := part.Get("type").Str(), part.Get("text")
		if strings.HasSuffix(kind, "text") && text.Kind() == jsontree.String {
			m.add(textBlock(text.Raw(), id, part, emptyLogprobs(part)...))
			continue
		}
		m.add(chatPart(part))
	}
}

func toolOutput(item jsontree.Value) message {
	m := message{role: roleTool, shown: roleTool, callID: stringOrEmpty(item.Get("call_id"))}
	chatContent(&m, item.Get("output"), jsontree.Value{})
	return m
}

// replyItem adds an item that is not a message to what the model replied.
func replyItem(m *message, item jsontree.Value) {
	switch kind := item.Get("type").Str(); kind {
	case "reasoning":
		reasoningItem(m, item)
	case "function_call", "custom_tool_call":
		m.calls = append(m.calls, itemToolCall(item))
	case "image_generation_call":
		m.add(generatedImage(item))
	case "code_interpreter_call":
		m.add(newObject().str("type", "code").raw("code", stringOrEmpty(item.Get("code"))).rest(item).end())
	case "web_search_call", "file_search_call":
		m.add(serverToolUse(item, strings.TrimSuffix(kind, "_call")))
	default:
		m.add(typedBlock(item))
	}
}

// reasoningItem adds each text of a reasoning item. The first block carries
// what is needed to send the item back, which may be all there is.
func reasoningItem(m *message, item jsontree.Value) {
	id, source := stringRaw(item.Get("id")), item
	add := func(text []byte) {
		m.add(thinkingBlock(text, nil, id, source, "summary", "content", "status"))
		source = jsontree.Value{}
	}
	for _, list := range []jsontree.Value{item.Get("summary"), item.Get("content")} {
		for _, part := range list.Elems() {
			if text := part.Get("text"); text.Str() != "" {
				add(text.Raw())
			}
		}
	}
	if field(source, "encrypted_content").Given() {
		add(quote(""))
	}
}

func itemToolCall(item jsontree.Value) []byte {
	return toolCall(firstGiven(item, "call_id", "id"), item.Get("name"), firstGiven(item, "arguments", "input"),
		func(o *object) {
			o.given("tool_id", item.Get("id")).
				rest(item, "call_id", "name", "arguments", "input", "status")
		})
}

func serverToolUse(item jsontree.Value, name string) []byte {
	o := newObject().str("type", "server_tool_use").raw("id", stringOrEmpty(item.Get("id"))).str("name", name)
	if action := item.Get("action"); action.Kind() == jsontree.Object {
		o.raw("input", action.Raw())
	} else {
		o.raw("input", newObject().given("queries", item.Get("queries")).end())
	}
	return o.rest(item, "action", "queries").end()
}

// generatedImage returns the image that a model drew while it answered.
func generatedImage(item jsontree.Value) []byte {
	mime := imageMIME(field(item, "output_format").Str())
	return outputMedia(dataURL(mime, item.Get("result").Str()), mime, item, "result", "status")
}
