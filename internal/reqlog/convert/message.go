package convert

import (
	"encoding/json"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// The roles that conversions give; a recorded message may have any other role
// of a blueprint.
const (
	roleSystem    = "system"
	roleUser      = "user"
	roleAssistant = "assistant"
	roleTool      = "tool"
)

// roles maps the words providers use to the roles of a blueprint.
var roles = map[string]string{
	"system": roleSystem, "user": roleUser, "assistant": roleAssistant, "tool": roleTool,
	"developer": "developer", "function": "function", "placeholder": "placeholder",
	"model": roleAssistant, "ai": roleAssistant, "chatbot": roleAssistant, "human": roleUser,
}

// message is a blueprint message in the making. Its byte slices are JSON text.
type message struct {
	role string
	// shown is the provider's own word for the role.
	shown string

	name         []byte
	blocks       [][]byte
	calls        [][]byte
	functionCall []byte
	callID       []byte

	// source is the recorded message, whose members outside known (in snake
	// case) are carried over.
	source jsontree.Value
	known  []string
}

// newMessage starts a message of the role that word means, or of the role
// otherwise when it means none.
func newMessage(word jsontree.Value, otherwise string) message {
	shown := word.Str()
	if shown == "" {
		shown = otherwise
	}
	role, ok := roles[shown]
	if !ok {
		role = otherwise
	}
	return message{role: role, shown: shown}
}

// say returns a message that holds the blocks and nothing else.
func say(role string, blocks ...[]byte) message {
	return message{role: role, shown: role, blocks: blocks}
}

func (m *message) add(block []byte) { m.blocks = append(m.blocks, block) }

// join adds all that other says.
func (m *message) join(other message) {
	m.blocks = append(m.blocks, other.blocks...)
	m.calls = append(m.calls, other.calls...)
}

func (m *message) empty() bool {
	return len(m.blocks) == 0 && len(m.calls) == 0 && m.functionCall == nil
}

func (m *message) json() []byte {
	o := newObject().
		raw("input_variables", emptyArray).
		str("template_format", "f-string").
		raw("content", array(m.blocks)).
		str("raw_request_display_role", m.shown).
		raw("dataset_examples", emptyArray).
		str("role", m.role)
	if m.role == roleAssistant || m.functionCall != nil {
		o.raw("function_call", m.functionCall)
	}
	o.raw("name", m.name)
	if len(m.calls) > 0 {
		o.raw("tool_calls", array(m.calls))
	} else if m.role == roleAssistant {
		o.raw("tool_calls", null)
	}
	switch {
	case m.callID != nil:
		o.raw("tool_call_id", m.callID)
	case m.role == roleTool:
		o.str("tool_call_id", "")
	}
	return o.rest(m.source, m.known...).end()
}

// fold reads the parts of one recorded message into m. A part may turn out to
// be the result of a tool, which is a message of its own in a blueprint: read
// returns it, and what stands around it stays in order.
func fold(m message, parts jsontree.Value, read func(*message, jsontree.Value) *message) []message {
	var out []message
	bare := m
	for part := range givenElems(parts) {
		result := read(&m, part)
		if result == nil {
			continue
		}
		if !m.empty() {
			out = append(out, m)
			m = bare
		}
		out = append(out, *result)
	}
	if len(out) == 0 || !m.empty() {
		out = append(out, m)
	}
	return out
}

// template is a blueprint template in the making. Its byte slices are JSON
// text.
type template struct {
	completion bool
	// content belongs to a completion, everything else to a chat.
	content  [][]byte
	messages []message

	functions    []byte
	tools        [][]byte
	functionCall []byte
	toolChoice   []byte
}

func (t *template) json() json.RawMessage {
	if t.completion {
		return newObject().
			raw("content", array(t.content)).
			str("template_format", "f-string").
			str("type", "completion").
			raw("input_variables", emptyArray).
			raw("dataset_examples", emptyArray).
			end()
	}
	messages := make([][]byte, len(t.messages))
	for i := range t.messages {
		messages[i] = t.messages[i].json()
	}
	functions := t.functions
	if functions == nil {
		functions = emptyArray
	}
	return newObject().
		raw("messages", array(messages)).
		raw("functions", functions).
		raw("tools", array(t.tools)).
		raw("function_call", t.functionCall).
		raw("tool_choice", t.toolChoice).
		str("type", "chat").
		raw("input_variables", emptyArray).
		raw("dataset_examples", emptyArray).
		end()
}
