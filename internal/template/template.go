// Package template checks, normalises, patches and renders prompt templates,
// and finds the snippets they use.
//
// Templates are trees of the client's bytes. Functions copy everything that
// they do not need to change as written.
package template

import (
	"iter"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template/render"
)

// Kind is the kind of a template.
type Kind uint8

// The kinds of templates. None is the kind of values that are not templates.
const (
	None Kind = iota
	Chat
	Completion
)

var kinds = map[string]Kind{"chat": Chat, "completion": Completion}

// KindOf returns the kind of a template by its type or, without a type, by its
// members.
func KindOf(template jsontree.Value) Kind {
	switch named := template.Get("type"); {
	case named.Given():
		kind, _ := lookUp(kinds, named)
		return kind
	case template.Get("messages").Given():
		return Chat
	case template.Get("content").Given():
		return Completion
	default:
		return None
	}
}

// lookUp looks up a JSON string in a map, usually without copying the string.
func lookUp[T any](words map[string]T, v jsontree.Value) (found T, ok bool) {
	if v.Kind() != jsontree.String {
		return found, false
	}
	raw := v.Raw()
	if found, ok = words[string(raw[1:len(raw)-1])]; ok {
		return found, true
	}
	found, ok = words[v.Str()] // it may contain escapes
	return found, ok
}

// holders iterates over the holders of content: the messages of a chat, or the
// completion itself, with index 0.
func holders(template jsontree.Value) iter.Seq2[int, jsontree.Value] {
	switch KindOf(template) {
	case Chat:
		return template.Get("messages").Elems()
	case Completion:
		return func(yield func(int, jsontree.Value) bool) { yield(0, template) }
	default:
		return func(func(int, jsontree.Value) bool) {}
	}
}

// texts iterates over the texts of the text items of a holder.
func texts(holder jsontree.Value) iter.Seq[jsontree.Value] {
	return func(yield func(jsontree.Value) bool) {
		for _, item := range holder.Get("content").Elems() {
			if text, ok := itemText(item); ok && !yield(text) {
				return
			}
		}
	}
}

// itemText returns the text of a text item.
func itemText(item jsontree.Value) (text jsontree.Value, ok bool) {
	if !item.Get("type").Is("text") {
		return jsontree.Value{}, false
	}
	text = item.Get("text")
	return text, text.Kind() == jsontree.String
}

// holderFormat returns the template format of a holder.
func holderFormat(holder jsontree.Value) render.Format {
	if holder.Get("template_format").Is(string(render.Jinja2)) {
		return render.Jinja2
	}
	return render.FString
}

// FormatOf returns the template format outside of messages, such as in tools
// and schemas: Jinja2 if any message uses it.
func FormatOf(template jsontree.Value) render.Format {
	for _, holder := range holders(template) {
		if holderFormat(holder) == render.Jinja2 {
			return render.Jinja2
		}
	}
	return render.FString
}
