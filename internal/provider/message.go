package provider

import (
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// The roles of messages in templates.
const (
	RoleSystem      = "system"
	RoleDeveloper   = "developer"
	RoleUser        = "user"
	RoleAssistant   = "assistant"
	RoleTool        = "tool"
	RoleFunction    = "function"
	RolePlaceholder = "placeholder"
)

// roles maps the providers' names of roles to the roles of templates.
var roles = map[string]string{
	RoleSystem: RoleSystem, RoleDeveloper: RoleDeveloper, RoleUser: RoleUser, RoleAssistant: RoleAssistant,
	RoleTool: RoleTool, RoleFunction: RoleFunction, RolePlaceholder: RolePlaceholder,
	"model": RoleAssistant, "ai": RoleAssistant, "chatbot": RoleAssistant, "human": RoleUser,
}

// roleOf returns the role for a name, or the other role if it is unknown.
func roleOf(word, other string) string {
	if role, ok := roles[word]; ok {
		return role
	}
	return other
}

// Message is one message of a template. V is absent for a completion.
type Message struct {
	Role       string
	V, Content jsontree.Value
}

// IsSystem reports whether the message is an instruction rather than part of
// the conversation.
func (m *Message) IsSystem() bool { return m.Role == RoleSystem || m.Role == RoleDeveloper }

// ResultID returns the ID of the call that a tool message answers.
func (m *Message) ResultID() jsontree.Value {
	if m.Role == RoleFunction {
		return m.V.Get("name")
	}
	return m.V.Get("tool_call_id")
}

// Messages returns the conversation. A completion is one user message.
// Placeholders are omitted unless they are to be kept.
func (a *Arguments) Messages() []Message {
	if a.messages != nil {
		return a.messages
	}
	if a.IsCompletion() {
		a.messages = []Message{{Role: RoleUser, Content: a.Template.Get("content")}}
		return a.messages
	}
	list := a.Template.Get("messages")
	a.messages = make([]Message, 0, list.Len())
	for _, v := range list.Elems() {
		m := Message{Role: roleOf(v.Get("role").Str(), RoleUser), V: v, Content: v.Get("content")}
		if v.Kind() == jsontree.Object && (m.Role != RolePlaceholder || a.KeepPlaceholders) {
			a.messages = append(a.messages, m)
		}
	}
	return a.messages
}

// Item is a content item. Text is the text of a text item: injected messages
// may have a string as their content.
type Item struct {
	Kind    string
	V, Text jsontree.Value
}

// IsText reports whether the item is a text.
func (it *Item) IsText() bool { return it.Kind == "text" }

// Items returns the items of a content.
func Items(content jsontree.Value) []Item {
	if content.Kind() == jsontree.String {
		return []Item{{Kind: "text", Text: content}}
	}
	items := make([]Item, 0, content.Len())
	for _, v := range content.Elems() {
		it := Item{Kind: v.Get("type").Str(), V: v, Text: v.Get("text")}
		if !it.IsText() || it.Text.Kind() == jsontree.String {
			items = append(items, it)
		}
	}
	return items
}

// SystemItems returns the texts of all instructions.
func (a *Arguments) SystemItems() []Item {
	var texts []Item
	for _, m := range a.Messages() {
		if m.IsSystem() {
			texts = append(texts, textsOf(m.Content)...)
		}
	}
	return texts
}

func textsOf(content jsontree.Value) []Item {
	return slices.DeleteFunc(Items(content), func(it Item) bool { return !it.IsText() })
}

// Joined returns all texts of a content as one string, or nil.
func Joined(content jsontree.Value) JSON {
	texts := textsOf(content)
	if len(texts) == 0 {
		return nil
	}
	return JoinTexts(texts)
}

// JoinTexts returns texts as one string.
func JoinTexts(texts []Item) JSON { return rawText(append(appendInner([]byte{'"'}, texts), '"')) }

// appendInner appends the texts without their quotes. It joins JSON strings by
// hand because jsontree.Writer would have to decode and quote them again.
func appendInner(dst []byte, texts []Item) []byte {
	for _, it := range texts {
		raw := it.Text.Raw()
		dst = append(dst, raw[1:len(raw)-1]...)
	}
	return dst
}

// JoinedLines returns the texts of the selected messages as one string, one
// line per message, and whether there is any text.
func (a *Arguments) JoinedLines(want func(*Message) bool) (lines JSON, found bool) {
	text := []byte{'"'}
	for _, m := range a.Messages() {
		if !want(&m) {
			continue
		}
		if len(text) > 1 {
			text = append(text, `\n`...)
		}
		text = appendInner(text, textsOf(m.Content))
	}
	return rawText(append(text, '"')), len(text) > 1
}

// Call is a function call by the model. A legacy function_call has no ID, so
// the name of the function is used instead, as in the result.
type Call struct {
	ID, Name, Arguments jsontree.Value
	V                   jsontree.Value
	Legacy              bool
}

// Calls returns the calls that a message makes.
func Calls(m jsontree.Value) []Call {
	var calls []Call
	for _, v := range m.Get("tool_calls").Elems() {
		function := v.Get("function")
		if name := function.Get("name"); name.Kind() == jsontree.String {
			calls = append(calls, Call{ID: v.Get("id"), Name: name, Arguments: function.Get("arguments"), V: v})
		}
	}
	legacy := m.Get("function_call")
	if name := legacy.Get("name"); name.Kind() == jsontree.String {
		calls = append(calls, Call{ID: name, Name: name, Arguments: legacy.Get("arguments"), V: legacy, Legacy: true})
	}
	return calls
}

// ArgumentText returns the arguments of a call as JSON text, as they are
// stored.
func ArgumentText(arguments jsontree.Value) JSON {
	if !arguments.Given() {
		return Text("{}")
	}
	return String(arguments)
}

// ArgumentObject returns the arguments of a call as an object. A text that is
// not an object is wrapped in one, so that nothing is lost.
func ArgumentObject(arguments jsontree.Value) JSON {
	if arguments.Kind() == jsontree.Object {
		return Value(arguments)
	}
	text := arguments.AppendStr(nil)
	if v, err := jsontree.Parse(text); err == nil && v.Kind() == jsontree.Object {
		return Value(v)
	}
	if len(text) == 0 {
		return NewObject()
	}
	return NewObject().Val("arguments", arguments)
}

// FunctionName returns the name of the function that returned m, for providers
// that match results by name.
func (a *Arguments) FunctionName(m *Message) jsontree.Value {
	if name := m.V.Get("name"); name.Str() != "" {
		return name
	}
	if a.names == nil {
		a.names = map[string]jsontree.Value{}
		for _, other := range a.Messages() {
			for _, c := range Calls(other.V) {
				a.names[c.ID.Str()] = c.Name
			}
		}
	}
	id := m.ResultID()
	if name, ok := a.names[id.Str()]; ok {
		return name
	}
	return id
}
