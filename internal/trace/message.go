package trace

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// conversation is what a span tells about the messages of a model call.
type conversation struct {
	input, output []message
	tools         []function
}

// message is a message of a template that is being built.
type message struct {
	role, name string
	// callID is the call that a message of a tool answers.
	callID string
	blocks []block
	calls  []call
}

// block is a content block: its type and its text, or the URL of an image.
type block struct{ kind, text, signature string }

// The types of blocks.
const (
	textBlock     = "text"
	thinkingBlock = "thinking"
	imageBlock    = "image_url"
)

// call is a call of a tool by the model.
type call struct{ id, name, arguments string }

// function is a tool that the model may call.
type function struct {
	name, description string
	parameters        jsontree.Value
}

// say returns a message with a text.
func say(role, text string) message {
	m := message{role: role}
	m.add(textBlock, text)
	return m
}

func (m *message) add(kind, text string) {
	if text != "" {
		m.blocks = append(m.blocks, block{kind: kind, text: text})
	}
}

// addCall adds a call. Only the model calls tools.
func (m *message) addCall(c call) {
	m.role = provider.RoleAssistant
	m.calls = append(m.calls, c)
}

func (m *message) empty() bool { return len(m.blocks) == 0 && len(m.calls) == 0 && m.callID == "" }

// roleNames are the names of roles that differ from those of templates.
var roleNames = map[string]string{
	"ai": provider.RoleAssistant, "model": provider.RoleAssistant, "bot": provider.RoleAssistant, "chatbot": provider.RoleAssistant,
	"human": provider.RoleUser, "function": provider.RoleTool, "tool_result": provider.RoleTool,
	provider.RoleSystem: provider.RoleSystem, provider.RoleDeveloper: provider.RoleDeveloper, provider.RoleUser: provider.RoleUser,
	provider.RoleAssistant: provider.RoleAssistant, provider.RoleTool: provider.RoleTool,
}

// roleOf returns the role with a name, or the other one if it is unknown.
func roleOf(name jsontree.Value, other string) string {
	if role, ok := roleNames[strings.ToLower(name.Str())]; ok {
		return role
	}
	return other
}

// texts returns the texts of messages, up to a size.
func texts(messages []message, limit int) string {
	var text strings.Builder
	for _, m := range messages {
		for _, b := range m.blocks {
			if b.kind == textBlock && text.Len() < limit {
				separate(&text)
				text.WriteString(cut(b.text, limit))
			}
		}
		for _, c := range m.calls {
			if text.Len() < limit {
				separate(&text)
				text.WriteString(c.name + " " + cut(c.arguments, limit))
			}
		}
	}
	return cut(text.String(), limit)
}

func separate(text *strings.Builder) {
	if text.Len() > 0 {
		text.WriteString("\n\n")
	}
}

// cut returns the beginning of a text, at most limit bytes.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "")
}

// writeChat returns the chat template with these messages.
func writeChat(messages []message, tools []function) []byte {
	w := jsontree.NewWriter(make([]byte, 0, chatSize(messages)))
	w.Object(func() {
		w.Key("type").String("chat")
		w.Key("messages").Array(func() {
			for i := range messages {
				messages[i].write(&w)
			}
		})
		if len(tools) > 0 {
			w.Key("tools").Array(func() {
				for _, tool := range tools {
					tool.write(&w)
				}
			})
		}
	})
	return w.Bytes()
}

// chatSize returns about how many bytes messages take as JSON.
func chatSize(messages []message) int {
	size := 64
	for _, m := range messages {
		size += 64
		for _, b := range m.blocks {
			size += 40 + len(b.text)
		}
		for _, c := range m.calls {
			size += 100 + len(c.name) + len(c.arguments)
		}
	}
	return size
}

func (m *message) write(w *jsontree.Writer) {
	w.Object(func() {
		w.Key("role").String(m.role)
		if m.name != "" {
			w.Key("name").String(m.name)
		}
		w.Key("content").Array(func() {
			for _, b := range m.blocks {
				b.write(w)
			}
		})
		if m.role == provider.RoleTool {
			w.Key("tool_call_id").String(m.callID)
		}
		if len(m.calls) > 0 {
			w.Key("tool_calls").Array(func() {
				for _, c := range m.calls {
					c.write(w)
				}
			})
		}
	})
}

func (b block) write(w *jsontree.Writer) {
	w.Object(func() {
		w.Key("type").String(b.kind)
		if b.kind == imageBlock {
			w.Key(imageBlock).Object(func() { w.Key("url").String(b.text) })
			return
		}
		w.Key(b.kind).String(b.text)
		if b.signature != "" {
			w.Key("signature").String(b.signature)
		}
	})
}

func (c call) write(w *jsontree.Writer) {
	w.Object(func() {
		w.Key("id").String(c.id)
		w.Key("type").String("function")
		w.Key("function").Object(func() {
			w.Key("name").String(c.name)
			w.Key("arguments").String(c.arguments)
		})
	})
}

func (f function) write(w *jsontree.Writer) {
	w.Object(func() {
		w.Key("type").String("function")
		w.Key("function").Object(func() {
			w.Key("name").String(f.name)
			if f.description != "" {
				w.Key("description").String(f.description)
			}
			if f.parameters.Kind() == jsontree.Object {
				w.Key("parameters").Value(f.parameters)
			}
		})
	})
}
