package template

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template/render"
)

// InjectPlaceholders replaces the placeholder messages of a chat with the
// messages in the variables they name. A placeholder without messages is
// removed. The injected messages are not rendered: they are data, not
// templates.
func InjectPlaceholders(template jsontree.Value, values *render.Values) []byte {
	if KindOf(template) != Chat {
		return template.Raw()
	}
	in := injection{editor: editor{base: template}, values: values}
	messages := template.Get("messages")
	for _, message := range messages.Elems() {
		if isPlaceholder(message) {
			in.splice(messages, in.write, func(jsontree.Value) {})
			break
		}
	}
	return in.bytes()
}

func isPlaceholder(message jsontree.Value) bool { return message.Get("role").Is("placeholder") }

// injection is the state of InjectPlaceholders.
type injection struct {
	editor
	values *render.Values
}

// write appends the messages of a placeholder, up to the size limit of a
// rendered template.
func (in *injection) write(message jsontree.Value) bool {
	if !isPlaceholder(message) {
		return false
	}
	value, _ := in.values.Get(message.Get("name").Str())
	start := len(in.text)
	for _, injected := range value.Elems() {
		if injected.Kind() != jsontree.Object || isPlaceholder(injected) || len(in.text)+len(injected.Raw()) > maxRendered {
			continue
		}
		if len(in.text) > start {
			in.text = append(in.text, ',')
		}
		in.text = appendInjected(in.text, injected)
	}
	return true
}

// appendInjected appends a message, whose content may be a string.
func appendInjected(dst []byte, message jsontree.Value) []byte {
	content := message.Get("content")
	if content.Kind() != jsontree.String {
		return append(dst, message.Raw()...)
	}
	w := jsontree.NewWriter(nil)
	w.Array(func() {
		w.Object(func() {
			w.Key("type").String("text")
			w.Key("text").Value(content)
		})
	})
	return appendObject(dst, message, []field{
		{"role", message.Get("role").Compact()},
		{"content", w.Bytes()},
	})
}

// AppendMessages appends messages to a chat. It skips placeholders and values
// that are not objects.
func AppendMessages(chat, messages jsontree.Value) []byte {
	w := jsontree.NewWriter(nil)
	w.Array(func() {
		for _, message := range chat.Get("messages").Elems() {
			w.Value(message)
		}
		for _, message := range messages.Elems() {
			if message.Kind() == jsontree.Object && !isPlaceholder(message) {
				w.Raw(appendInjected(nil, message))
			}
		}
	})
	return appendObject(nil, chat, []field{{"messages", w.Bytes()}})
}
