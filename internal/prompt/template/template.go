// Package template knows the shape of prompt templates, chats and completions:
// which rules they keep, the form in which they are stored, how a patch changes
// them, which snippets they name, and what comes out when values are filled in.
//
// Templates are trees of the client's own bytes. What a function here does not
// have to change is copied as it was written.
package template

import (
	"iter"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt/render"
)

// Kind says how a template holds what is said.
type Kind uint8

// The kinds of template. None is the kind of everything that is no template.
const (
	None Kind = iota
	Chat
	Completion
)

var kinds = map[string]Kind{"chat": Chat, "completion": Completion}

// KindOf returns the kind that a template names; one that names none is known
// by what it holds.
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

// lookUp finds the word that a JSON string says, without a copy of the string
// in the common case.
func lookUp[T any](words map[string]T, v jsontree.Value) (found T, ok bool) {
	if v.Kind() != jsontree.String {
		return found, false
	}
	raw := v.Raw()
	if found, ok = words[string(raw[1:len(raw)-1])]; ok {
		return found, true
	}
	found, ok = words[v.Str()] // it may be written with escapes
	return found, ok
}

// holders ranges over what holds the content of a template: the messages of a
// chat, or the completion itself, which counts as the message with index 0.
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

// texts ranges over the text items of a holder: it yields the value that is
// the text.
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

// holderFormat returns the language of a holder's texts.
func holderFormat(holder jsontree.Value) render.Format {
	if holder.Get("template_format").Is(string(render.Jinja2)) {
		return render.Jinja2
	}
	return render.FString
}

// FormatOf returns the language of what stands outside of messages, such as
// tools and schemas: Jinja2 as soon as one message is written in it.
func FormatOf(template jsontree.Value) render.Format {
	for _, holder := range holders(template) {
		if holderFormat(holder) == render.Jinja2 {
			return render.Jinja2
		}
	}
	return render.FString
}
