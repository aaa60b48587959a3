package trace

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// eventRoles are the events with one message each, and its role.
var eventRoles = map[string]string{
	"gen_ai.system.message":    provider.RoleSystem,
	"gen_ai.user.message":      provider.RoleUser,
	"gen_ai.assistant.message": provider.RoleAssistant,
	"gen_ai.tool.message":      provider.RoleTool,
}

// choiceEvent has a message of the output. The other two are of an early version
// and have all messages.
const (
	choiceEvent     = "gen_ai.choice"
	promptEvent     = "gen_ai.content.prompt"
	completionEvent = "gen_ai.content.completion"
)

// eventNamed returns the attributes of the first event with the name.
func (v *view) eventNamed(name string) jsontree.Value {
	for _, e := range v.events {
		if e.name == name {
			return e.attributes
		}
	}
	return jsontree.Value{}
}

// eventMessages reads the messages from events of the span.
func (v *view) eventMessages() (input, output []message) {
	for _, e := range v.events {
		role, known := eventRoles[e.name]
		switch {
		case known:
			input = append(input, e.messages(e.attributes, role)...)
		case e.name == choiceEvent:
			output = append(output, e.choice()...)
		case e.name == promptEvent:
			input = append(input, readMessages(e.attributes.Get("gen_ai.prompt"), provider.RoleUser)...)
		case e.name == completionEvent:
			output = append(output, readMessages(e.attributes.Get("gen_ai.completion"), provider.RoleAssistant)...)
		}
	}
	return input, output
}

// get returns an attribute of the event, which may have the name of the event as
// prefix.
func (e event) get(attributes jsontree.Value, name string) jsontree.Value {
	return given(attributes, name, e.name+"."+name)
}

// messages reads a message whose members are attributes.
func (e event) messages(attributes jsontree.Value, role string) []message {
	m := message{role: roleOf(e.get(attributes, "role"), role), name: e.get(attributes, "name").Str()}
	content := e.get(attributes, "content")
	if parts := structured(content); isContent(parts) {
		content = parts
	}
	read := m.readCalls(content, e.get(attributes, "tool_calls"))
	if id := given(attributes, "tool_call_id", e.name+".tool_call_id", "id", e.name+".id"); m.role == provider.RoleTool && id.Given() {
		read[0].callID = asText(id)
	}
	return filledOnly(read...)
}

// choice reads a message of the output, which is an attribute with its JSON, or
// attributes for each member.
func (e event) choice() []message {
	inner := e.get(e.attributes, "message")
	if parsed := structured(inner); parsed.Kind() == jsontree.Object {
		return e.messages(parsed, provider.RoleAssistant)
	}
	if inner.Given() {
		return filledOnly(say(provider.RoleAssistant, asText(inner)))
	}
	return e.messages(e.attributes, provider.RoleAssistant)
}
