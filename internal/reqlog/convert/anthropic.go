package convert

import "github.com/promptuary/promptuary/internal/jsontree"

// anthropicKeys are the members of a message that a blueprint has a place for.
var anthropicKeys = []string{"role", "content"}

// anthropicInput reads the arguments of Anthropic's messages interface.
func anthropicInput(r *request) (template, bool) {
	list := r.peek("messages")
	if list.Kind() != jsontree.Array {
		return template{}, false
	}
	var t template
	if system := r.lift("system"); system.Given() {
		t.messages = append(t.messages, anthropicMessage(say(roleSystem), system)...)
	}
	for _, v := range list.Elems() {
		if v.Kind() != jsontree.Object || !v.Get("role").Given() && !v.Get("content").Given() {
			continue
		}
		m := newMessage(v.Get("role"), roleUser)
		m.source, m.known = v, anthropicKeys
		t.messages = append(t.messages, anthropicMessage(m, v.Get("content"))...)
	}
	t.tools = toolList(r.liftIf("tools", jsontree.Array))
	// It stays a parameter as well: it may hold more than a blueprint shows.
	t.toolChoice = toolChoice(r.peek("tool_choice"))
	return t, true
}

// anthropicMessage returns the messages that one message's content makes.
func anthropicMessage(m message, content jsontree.Value) []message {
	if content.Kind() == jsontree.Array {
		return fold(m, content, anthropicPart)
	}
	if content.Given() {
		m.add(plainText(asString(content)))
	}
	return []message{m}
}

// anthropicPart adds one part to m, or returns the message it is by itself.
func anthropicPart(m *message, v jsontree.Value) *message {
	kind := v.Get("type").Str()
	switch kind {
	case "tool_use":
		m.calls = append(m.calls, toolCall(v.Get("id"), v.Get("name"), v.Get("input"),
			func(o *object) { o.rest(v, "name", "input") }))
	case "tool_result":
		return anthropicResult(v)
	case "image", "document":
		m.add(anthropicFile(v, kind))
	default:
		m.add(chatPart(v))
	}
	return nil
}

// anthropicResult returns the message of a tool's result.
func anthropicResult(v jsontree.Value) *message {
	m := message{
		role: roleTool, shown: roleTool, callID: stringOrEmpty(field(v, "tool_use_id")),
		source: v, known: []string{"type", "content", "tool_use_id"},
	}
	content := v.Get("content")
	if content.Kind() != jsontree.Array {
		chatContent(&m, content, jsontree.Value{})
		return &m
	}
	for part := range givenElems(content) {
		switch kind := part.Get("type").Str(); kind {
		case "image", "document":
			m.add(anthropicFile(part, kind))
		default:
			m.add(chatPart(part))
		}
	}
	return &m
}

// anthropicFile returns the block of an image or a document. One that is kept
// at the provider stays as it was written.
func anthropicFile(v jsontree.Value, kind string) []byte {
	source, title := v.Get("source"), v.Get("title").Str()
	if title == "" {
		title = kind
	}
	data, url := source.Get("data"), source.Get("url")
	mime := field(source, "media_type").Str()
	switch {
	case source.Get("type").Str() == "text" && data.Kind() == jsontree.String:
		return textBlock(data.Raw(), nil, v, "source")
	case data.Kind() == jsontree.String:
		return mediaBlock(media{title: title, mime: mime, url: data.Raw(), base64: true}, v, "source", "title")
	case url.Kind() == jsontree.String && kind == "image":
		return imageBlock(url.Raw(), jsontree.Value{}, v, "source")
	case url.Kind() == jsontree.String:
		return mediaBlock(media{title: title, mime: "application/pdf", url: url.Raw()}, v, "source", "title")
	default:
		return v.Raw()
	}
}

// anthropicOutput reads the content of Anthropic's answer.
func anthropicOutput(c Call) (message, bool) {
	content := c.Response.Get("content")
	if content.Kind() != jsontree.Array {
		return message{}, false
	}
	m := newMessage(c.Response.Get("role"), roleAssistant)
	for part := range givenElems(content) {
		if result := anthropicPart(&m, part); result != nil {
			m.add(part.Raw())
		}
	}
	return m, !m.empty()
}
