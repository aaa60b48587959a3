package kwargs

import (
	"iter"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// The roles of a template's messages.
const (
	roleSystem      = "system"
	roleDeveloper   = "developer"
	roleUser        = "user"
	roleAssistant   = "assistant"
	roleTool        = "tool"
	roleFunction    = "function"
	rolePlaceholder = "placeholder"
)

// roleOf returns a message's role. Messages that were injected at run time may
// use another provider's words; what is not known is said by the user.
func roleOf(message jsontree.Value) string {
	switch role := message.Get("role").Str(); role {
	case roleSystem, roleDeveloper, roleUser, roleAssistant, roleTool, roleFunction, rolePlaceholder:
		return role
	case "model", "ai":
		return roleAssistant
	default:
		return roleUser
	}
}

// message is one message of the conversation.
type message struct {
	role    string
	v       jsontree.Value
	content jsontree.Value
}

// messages ranges over the conversation. A completion is one message of the
// user's. Placeholders are only among them when they are to be kept.
func (b *builder) messages() iter.Seq[message] {
	return func(yield func(message) bool) {
		if isCompletion(b.in.Template) {
			yield(message{role: roleUser, content: b.in.Template.Get("content")})
			return
		}
		for _, v := range b.in.Template.Get("messages").Elems() {
			m := message{role: roleOf(v), v: v, content: v.Get("content")}
			if v.Kind() != jsontree.Object || m.role == rolePlaceholder && !b.in.KeepPlaceholders {
				continue
			}
			if !yield(m) {
				return
			}
		}
	}
}

// item is one item of a message's content. The text of a text item stands
// apart because injected messages may have a string for their content.
type item struct {
	kind    string
	v, text jsontree.Value
}

func items(content jsontree.Value) iter.Seq[item] {
	return func(yield func(item) bool) {
		if content.Kind() == jsontree.String {
			yield(item{kind: "text", text: content})
			return
		}
		for _, v := range content.Elems() {
			it := item{kind: v.Get("type").Str(), v: v, text: v.Get("text")}
			if it.kind == "text" && it.text.Kind() != jsontree.String {
				continue
			}
			if !yield(it) {
				return
			}
		}
	}
}

// systemItems ranges over the texts of all instructions.
func (b *builder) systemItems() iter.Seq[item] {
	return func(yield func(item) bool) {
		for m := range b.messages() {
			if m.role != roleSystem && m.role != roleDeveloper {
				continue
			}
			for it := range items(m.content) {
				if it.kind == "text" && !yield(it) {
					return
				}
			}
		}
	}
}

// joined writes all texts of a content as one string. It writes nothing and
// reports false when there is no text.
func (b *builder) joined(content jsontree.Value) bool {
	start := len(b.buf)
	b.separate()
	b.buf = append(b.buf, '"')
	found := false
	for it := range items(content) {
		if it.kind == "text" {
			b.inner(it.text)
			found = true
		}
	}
	if !found {
		b.buf = b.buf[:start]
		return false
	}
	b.buf = append(b.buf, '"')
	return true
}

// inner appends what stands between the quotes of a string: texts that were
// written as JSON can be joined as such.
func (b *builder) inner(text jsontree.Value) {
	raw := text.Raw()
	b.buf = append(b.buf, raw[1:len(raw)-1]...)
}

// joinedOrEmpty is joined with an empty string for no text.
func (b *builder) joinedOrEmpty(content jsontree.Value) {
	if !b.joined(content) {
		b.quoted("")
	}
}

// call is the call of a function by the model.
type call struct {
	id, name, arguments jsontree.Value
	v                   jsontree.Value
}

// calls ranges over the calls that a message makes. The one of the old kind
// has no id, so its function's name serves as one, as in the result.
func calls(m jsontree.Value) iter.Seq[call] {
	return func(yield func(call) bool) {
		for _, v := range m.Get("tool_calls").Elems() {
			function := v.Get("function")
			c := call{id: v.Get("id"), name: function.Get("name"), arguments: function.Get("arguments"), v: v}
			if c.name.Kind() == jsontree.String && !yield(c) {
				return
			}
		}
		old := m.Get("function_call")
		if name := old.Get("name"); name.Kind() == jsontree.String {
			yield(call{id: name, name: name, arguments: old.Get("arguments"), v: old})
		}
	}
}

// argumentText writes a call's arguments as the JSON text they are kept as.
func (b *builder) argumentText(arguments jsontree.Value) {
	switch arguments.Kind() {
	case jsontree.String:
		b.raw(arguments.Raw())
	case jsontree.Absent, jsontree.Null:
		b.quoted("{}")
	default:
		b.quoted(string(arguments.Compact()))
	}
}

// argumentObject writes a call's arguments as an object. A text that is none
// is kept under a name, so that nothing the model said is lost.
func (b *builder) argumentObject(arguments jsontree.Value) {
	if arguments.Kind() == jsontree.Object {
		b.raw(arguments.Raw())
		return
	}
	text := arguments.AppendStr(nil)
	if parsed, err := jsontree.Parse(text); err == nil && parsed.Kind() == jsontree.Object {
		b.raw(parsed.Raw())
		return
	}
	b.open('{')
	if len(text) > 0 {
		b.member("arguments", arguments)
	}
	b.close('}')
}

// resultID returns the id of the call that a tool's message answers.
func resultID(m message) jsontree.Value {
	if m.role == roleFunction {
		return m.v.Get("name")
	}
	return m.v.Get("tool_call_id")
}

// functionName returns the name of the function whose result m is, for the
// providers that match results by it.
func (b *builder) functionName(m message) jsontree.Value {
	if name := m.v.Get("name"); name.Str() != "" {
		return name
	}
	if b.names == nil {
		b.names = map[string]jsontree.Value{}
		for other := range b.messages() {
			for c := range calls(other.v) {
				b.names[c.id.Str()] = c.name
			}
		}
	}
	id := resultID(m)
	if name, ok := b.names[id.Str()]; ok {
		return name
	}
	return id
}

// turns writes the messages of providers that know only two roles.
type turns struct {
	b *builder
	// list is the name under which a message has its content.
	list  string
	role  string
	start int
	// results says that the open message holds nothing but tools' results.
	results bool
}

// begin opens a message of the role unless it can go on with the open one.
func (t *turns) begin(role string, join bool) {
	if join && t.role == role {
		return
	}
	t.end()
	t.start, t.role = len(t.b.buf), role
	t.b.open('{')
	t.b.str("role", role)
	t.b.key(t.list)
	t.b.open('[')
}

// end closes the open message, or takes it back if there is nothing in it.
func (t *turns) end() {
	if t.role != "" {
		t.b.closeUnlessEmpty(t.start, "]}")
	}
	t.role, t.results = "", false
}

// beginResult opens a message for a tool's result. Results in a row belong to
// calls that were made at once, and are answered at once.
func (t *turns) beginResult() {
	t.begin(roleUser, t.results)
	t.results = true
}
