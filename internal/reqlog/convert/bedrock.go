package convert

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// bedrockInput reads the arguments of Bedrock's converse interface.
func bedrockInput(r *request) (template, bool) {
	list := r.peek("messages")
	if list.Kind() != jsontree.Array {
		return template{}, false
	}
	var t template
	if system := r.lift("system"); system.Given() {
		t.messages = append(t.messages, bedrockMessage(say(roleSystem), system)...)
	}
	for _, v := range list.Elems() {
		if v.Kind() != jsontree.Object || !v.Get("role").Given() && !v.Get("content").Given() {
			continue
		}
		m := newMessage(v.Get("role"), roleUser)
		m.source, m.known = v, []string{"role", "content"}
		t.messages = append(t.messages, bedrockMessage(m, v.Get("content"))...)
	}
	config := r.peek("tool_config")
	if config.Get("tools").Kind() == jsontree.Array {
		t.tools = toolList(r.liftFrom(config, "tools"))
	}
	// It stays a parameter as well: it may hold more than a blueprint shows.
	t.toolChoice = bedrockToolChoice(field(config, "tool_choice"))
	return t, true
}

func bedrockToolChoice(v jsontree.Value) []byte {
	switch {
	case v.Get("auto").Given():
		return quote("auto")
	case v.Get("any").Given():
		return quote("required")
	case v.Get("tool").Given():
		return namedTool(v.Get("tool").Get("name"))
	default:
		return nil
	}
}

func bedrockMessage(m message, content jsontree.Value) []message {
	if content.Kind() == jsontree.Array {
		return fold(m, content, bedrockPart)
	}
	if content.Given() {
		m.add(plainText(asString(content)))
	}
	return []message{m}
}

// bedrockPart adds one part to m, or returns the message it is by itself.
func bedrockPart(m *message, v jsontree.Value) *message {
	use, result := field(v, "tool_use"), field(v, "tool_result")
	switch {
	case use.Kind() == jsontree.Object:
		m.calls = append(m.calls, toolCall(field(use, "tool_use_id"), use.Get("name"), use.Get("input"),
			func(o *object) { o.rest(use, "tool_use_id", "name", "input") }))
	case result.Kind() == jsontree.Object:
		return bedrockResult(result)
	default:
		m.add(bedrockBlock(v))
	}
	return nil
}

func bedrockResult(v jsontree.Value) *message {
	m := message{
		role: roleTool, shown: roleTool, callID: stringOrEmpty(field(v, "tool_use_id")),
		source: v, known: []string{"tool_use_id", "content"},
	}
	for part := range givenElems(v.Get("content")) {
		if value := part.Get("json"); value.Given() {
			m.add(plainText(asString(value)))
			continue
		}
		m.add(bedrockBlock(part))
	}
	return &m
}

func bedrockBlock(v jsontree.Value) []byte {
	if text := v.Get("text"); text.Kind() == jsontree.String {
		return textBlock(text.Raw(), nil, v)
	}
	reasoning := field(v, "reasoning_content")
	if inner := field(reasoning, "reasoning_text"); inner.Get("text").Kind() == jsontree.String {
		return thinkingBlock(inner.Get("text").Raw(), stringRaw(inner.Get("signature")), nil, inner, "text")
	}
	for _, kind := range []string{"image", "document", "video", "audio"} {
		if block := bedrockFile(v, kind); block != nil {
			return block
		}
	}
	return typedBlock(v)
}

// bedrockFile returns the block of a file, nil if v holds none of that kind or
// its bytes were not recorded as text.
func bedrockFile(v jsontree.Value, kind string) []byte {
	file := v.Get(kind)
	source := file.Get("source")
	m := media{title: file.Get("name").Str(), mime: bedrockMIME(kind, file.Get("format").Str())}
	if m.title == "" {
		m.title = kind
	}
	data, uri := source.Get("bytes"), field(source, "s3_location").Get("uri")
	switch {
	case data.Kind() == jsontree.String:
		m.url, m.base64 = data.Raw(), true
	case uri.Kind() == jsontree.String:
		m.url = uri.Raw()
	default:
		return nil
	}
	return mediaBlock(m, v, kind)
}

// bedrockMIME returns the MIME type of a format, which is a file ending.
func bedrockMIME(kind, format string) string {
	switch {
	case kind != "document":
		return kind + "/" + strings.ReplaceAll(format, "three_gp", "3gpp")
	case format == "txt" || format == "md":
		return "text/plain"
	case format == "html" || format == "csv":
		return "text/" + format
	default:
		return "application/" + format
	}
}

// bedrockOutput reads the message of Bedrock's answer.
func bedrockOutput(c Call) (message, bool) {
	v := c.Response.Get("output").Get("message")
	m := newMessage(v.Get("role"), roleAssistant)
	for part := range givenElems(v.Get("content")) {
		if result := bedrockPart(&m, part); result != nil {
			m.add(typedBlock(part))
		}
	}
	return m, !m.empty()
}
