package trace

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// readMessages reads the messages in an attribute: a list of messages, an object
// with such a list, one message, or a plain text of this role. The formats of
// conventions and providers have distinct members and types of parts, so that
// one reader serves all.
func readMessages(attribute jsontree.Value, role string) []message {
	v := structured(attribute)
	if inner := given(v, "messages", "choices"); inner.Kind() == jsontree.Array {
		v = inner
	}
	if v.Kind() != jsontree.Array {
		return readMessage(v, role)
	}
	var out []message
	for _, element := range v.Elems() {
		out = append(out, readMessage(element, role)...)
	}
	return out
}

// messageMembers are the members by which an object is a message.
var messageMembers = []string{"role", "parts", "content", "tool_calls", "toolCalls", "function_call"}

// readMessage reads one message. The results of tools in it become messages of
// their own.
func readMessage(v jsontree.Value, role string) []message {
	if v.Kind() != jsontree.Object {
		return filledOnly(say(role, asText(v)))
	}
	if inner := v.Get("message"); inner.Kind() == jsontree.Object {
		v = inner
	}
	if !given(v, messageMembers...).Given() {
		return message{role: role}.read(v) // a part or data
	}
	m := message{role: roleOf(v.Get("role"), role), name: v.Get("name").Str()}
	content := given(v, "parts", "content")
	m.add(thinkingBlock, given(v, "reasoning_content", "thinking", "reasoning").Str())
	out := m.readCalls(content, given(v, "tool_calls", "toolCalls"))
	if legacy := v.Get("function_call"); legacy.Kind() == jsontree.Object {
		out[len(out)-1].addCall(callOf(legacy))
	}
	if id := given(v, "tool_call_id", "toolCallId"); id.Given() && len(out) == 1 {
		out[0].callID = asText(id)
	}
	return filledOnly(out...)
}

// readCalls reads the content of a message and the calls that are listed beside
// it, which belong to the last of the messages.
func (m message) readCalls(content, calls jsontree.Value) []message {
	out := m.read(content)
	if len(out) == 0 {
		out = []message{m}
	}
	for _, c := range structured(calls).Elems() {
		out[len(out)-1].addCall(callOf(c))
	}
	return out
}

func filledOnly(messages ...message) []message {
	out := messages[:0]
	for _, m := range messages {
		if !m.empty() {
			out = append(out, m)
		}
	}
	return out
}

// read adds content to a message: a text, a part or a list of parts. It returns
// the messages that result, none if there is no content.
func (m message) read(content jsontree.Value) []message {
	if content.Kind() != jsontree.Array {
		return m.readParts(content)
	}
	parts := make([]jsontree.Value, 0, content.Len())
	for _, part := range content.Elems() {
		parts = append(parts, part)
	}
	return m.readParts(parts...)
}

func (m message) readParts(parts ...jsontree.Value) []message {
	var out []message
	bare := message{role: m.role, name: m.name}
	for _, part := range parts {
		result, separate := m.part(part)
		if !separate {
			continue
		}
		if !m.empty() {
			out = append(out, m)
		}
		m = bare
		out = append(out, result)
	}
	if !m.empty() {
		out = append(out, m)
	}
	return out
}

// part adds a part to the message, or returns a separate message for the result
// of a tool.
func (m *message) part(v jsontree.Value) (result message, separate bool) {
	if v.Kind() != jsontree.Object {
		m.add(textBlock, asText(v))
		return message{}, false
	}
	switch kind := strings.ReplaceAll(v.Get("type").Str(), "-", "_"); kind {
	case "", "text", "input_text", "output_text", "refusal":
		m.addText(v)
	case "reasoning", "thinking":
		m.add(thinkingBlock, asText(given(v, "content", "text", "thinking", "summary")))
		m.sign(v.Get("signature").Str())
	case "tool_call", "tool_use", "function_call", "function":
		m.addCall(callOf(v))
	case "tool_call_response", "tool_result", "function_call_output":
		return resultOf(v), true
	default:
		m.other(v, kind)
	}
	return message{}, false
}

// addText adds the text of a part, or the whole part if it has none.
func (m *message) addText(v jsontree.Value) {
	text := given(v, "text", "content", "refusal")
	if text.Kind() == jsontree.Absent {
		text = v
	}
	m.add(textBlock, asText(text))
}

func (m *message) sign(signature string) {
	if n := len(m.blocks); n > 0 && m.blocks[n-1].kind == thinkingBlock {
		m.blocks[n-1].signature = signature
	}
}

// other adds an image, or a part of an unknown type as its JSON text.
func (m *message) other(v jsontree.Value, kind string) {
	if url := imageURL(v, kind); url != "" {
		m.add(imageBlock, url)
		return
	}
	m.add(textBlock, string(v.Compact()))
}

func imageURL(v jsontree.Value, kind string) string {
	switch kind {
	case "image_url":
		return given(v.Get("image_url"), "url").Str() + v.Get("image_url").Str()
	case "input_image":
		return v.Get("image_url").Str()
	case "uri":
		if v.Get("modality").Is("image") {
			return v.Get("uri").Str()
		}
	case "image":
		if url := v.Get("image").Str(); strings.Contains(url, "://") || strings.HasPrefix(url, "data:") {
			return url
		}
	}
	return ""
}

// callOf reads a call in the format of any convention or provider.
func callOf(v jsontree.Value) call {
	v = structured(v)
	inner := v
	if function := v.Get("function"); function.Kind() == jsontree.Object {
		inner = function
	}
	return call{
		id:        asText(given(v, "call_id", "toolCallId", "tool_call_id", "id")),
		name:      asText(given(inner, "name", "toolName", "tool_name")),
		arguments: asText(given(inner, "arguments", "args", "input")),
	}
}

// resultOf reads the result of a call.
func resultOf(v jsontree.Value) message {
	m := message{role: provider.RoleTool, callID: asText(given(v, "call_id", "toolCallId", "tool_call_id", "tool_use_id", "id"))}
	result := given(v, "response", "result", "output", "content")
	if value := result.Get("value"); result.Get("type").Given() && value.Given() {
		result = value
	}
	if read := m.read(result); isContent(result) && len(read) == 1 {
		return read[0]
	}
	m.add(textBlock, asText(result))
	return m
}

// isContent reports whether the result of a tool is a list of parts rather than
// data.
func isContent(v jsontree.Value) bool {
	return v.Kind() == jsontree.Array && provider.First(v).Get("type").Kind() == jsontree.String
}

// maxInnerDepth is how deeply the schema of a tool or a parameter may nest, so
// that what contains it does not nest too deeply to be read.
const maxInnerDepth = 100

// readTools reads definitions of tools in the format of any convention or
// provider: a list of objects or of their JSON texts.
func readTools(attribute jsontree.Value) []function {
	var out []function
	for _, element := range structured(attribute).Elems() {
		if f, ok := functionOf(element); ok {
			out = append(out, f)
		}
	}
	return out
}

func functionOf(v jsontree.Value) (f function, ok bool) {
	v = structured(v)
	if inner := v.Get("function"); inner.Kind() == jsontree.Object {
		v = inner
	}
	f = function{name: v.Get("name").Str(), description: v.Get("description").Str()}
	f.setParameters(given(v, "parameters", "input_schema", "inputSchema"))
	return f, f.name != ""
}

func (f *function) setParameters(schema jsontree.Value) {
	if schema = structured(schema); depth(schema) <= maxInnerDepth {
		f.parameters = schema
	}
}

// depth returns how deeply a value nests. The depth of a tree is limited.
func depth(v jsontree.Value) (levels int) {
	for _, element := range v.Elems() {
		levels = max(levels, depth(element))
	}
	for _, member := range v.Members() {
		levels = max(levels, depth(member))
	}
	return levels + 1
}
