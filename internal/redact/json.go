package redact

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// JSON returns a JSON text with everything replaced that Value replaces.
func (p *Pass) JSON(text []byte, keys ...string) ([]byte, bool) {
	if len(text) == 0 {
		return text, false
	}
	tree, err := jsontree.Parse(text)
	if err != nil { // a text that is no JSON
		changed, found := p.Text(string(text), keys...)
		return jsontree.AppendQuoted(nil, changed), found
	}
	return p.Value(tree, keys...)
}

// Value returns the text of a JSON value with everything replaced in its strings and
// numbers that the rules find, and whether they found anything; the names of members
// stay. The keys lead to it.
func (p *Pass) Value(v jsontree.Value, keys ...string) ([]byte, bool) {
	p.at.set(keys)
	w := walker{pass: p}
	w.value(v, -1)
	if len(w.edits) == 0 {
		return v.Raw(), false
	}
	return v.Splice(w.edits), true
}

// walker collects the edits of one JSON text.
type walker struct {
	pass  *Pass
	edits []jsontree.Edit
}

// value visits a value. selected is the rule whose path selected it or something
// around it, -1 if none did.
func (w *walker) value(v jsontree.Value, selected int) {
	if selected < 0 {
		if rule, ok := w.pass.rules.pathRule(w.pass.at.keys); ok {
			selected = rule
		}
	}
	switch v.Kind() {
	case jsontree.Object:
		w.members(v, selected)
	case jsontree.Array:
		for i, element := range v.Elems() {
			w.element(i, element, selected)
		}
	case jsontree.String, jsontree.Number:
		w.leaf(v, selected)
	}
}

func (w *walker) members(v jsontree.Value, selected int) {
	if !w.pass.needsPlace() {
		for member := range v.Fields() {
			w.value(member, selected)
		}
		return
	}
	for key, member := range v.Members() {
		w.child(key, member, selected)
	}
}

func (w *walker) child(key string, v jsontree.Value, selected int) {
	w.pass.at.push(key)
	w.value(v, selected)
	w.pass.at.pop()
}

func (w *walker) element(i int, v jsontree.Value, selected int) {
	if !w.pass.needsPlace() {
		w.value(v, selected)
		return
	}
	w.pass.at.pushIndex(i)
	w.value(v, selected)
	w.pass.at.pop()
}

// minNumber is the number of digits from which on a number may be that of a card or
// a phone.
const minNumber = 8

// leaf replaces a string or a number, or pieces of it.
func (w *walker) leaf(v jsontree.Value, selected int) {
	switch {
	case selected >= 0:
		w.whole(v, selected)
	case v.Kind() == jsontree.String:
		w.pieces(v, v.View())
	case len(v.Raw()) >= minNumber && !strings.ContainsAny(string(v.Raw()), ".eE"):
		w.pieces(v, string(v.Raw()))
	}
}

func (w *walker) whole(v jsontree.Value, rule int) {
	text := v.Str()
	if v.Kind() == jsontree.Number {
		text = string(v.Raw())
	}
	after := w.pass.replace(rule, text)
	if w.pass.rules.list[rule].Action == Drop {
		w.edits = append(w.edits, jsontree.Edit{Value: v, Text: []byte("null")})
		return
	}
	w.edits = append(w.edits, jsontree.Edit{Value: v, Text: jsontree.AppendQuoted(nil, after)})
}

func (w *walker) pieces(v jsontree.Value, text string) {
	if changed, found := w.pass.text(text); found {
		w.edits = append(w.edits, jsontree.Edit{Value: v, Text: jsontree.AppendQuoted(nil, changed)})
	}
}
