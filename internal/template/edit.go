package template

import (
	"cmp"
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// editor replaces parts of a JSON text and copies the rest. Parts must not
// overlap. It inserts single members into existing text, which
// jsontree.Writer, the writer of whole values, cannot do.
type editor struct {
	base  jsontree.Value
	edits []edit
	text  []byte // the replacements, concatenated
}

// edit replaces the bytes start to end of the base with the editor's text from
// the given offset on.
type edit struct {
	start, end int
	from, to   int
}

// begin starts replacing v with what is appended to the editor's text until the
// matching call of finish.
func (e *editor) begin(v jsontree.Value) edit {
	at := v.Offset(e.base)
	return edit{start: at, end: at + len(v.Raw()), from: len(e.text)}
}

func (e *editor) finish(begun edit) {
	begun.to = len(e.text)
	e.edits = append(e.edits, begun)
}

// replace replaces v with a JSON text.
func (e *editor) replace(v jsontree.Value, json []byte) {
	begun := e.begin(v)
	e.text = append(e.text, json...)
	e.finish(begun)
}

// replaceString replaces v with a string.
func (e *editor) replaceString(v jsontree.Value, text string) {
	begun := e.begin(v)
	e.text = jsontree.AppendQuoted(e.text, text)
	e.finish(begun)
}

// set sets a member of an object of the base, replacing an existing one.
func (e *editor) set(object jsontree.Value, key string, json []byte) {
	if member := object.Get(key); member.Kind() != jsontree.Absent {
		e.replace(member, json)
		return
	}
	begun := e.begin(object)
	if object.Len() > 0 { // before the other members
		begun.start++
		begun.end = begun.start
	} else {
		e.text = append(e.text, '{')
	}
	e.text = jsontree.AppendQuoted(e.text, key)
	e.text = append(append(e.text, ':'), json...)
	if object.Len() > 0 {
		e.text = append(e.text, ',')
	} else {
		e.text = append(e.text, '}')
	}
	e.finish(begun)
}

// splice replaces elements of an array with any number of elements. For each
// element, write either returns false to keep it, or appends its replacement,
// separated by commas, and returns true. keep edits the elements that stay.
func (e *editor) splice(array jsontree.Value, write func(element jsontree.Value) bool, keep func(element jsontree.Value)) {
	end := array.Offset(e.base) + 1
	begun := false
	for _, element := range array.Elems() {
		at := element.Offset(e.base)
		gap := edit{start: end, end: at, from: len(e.text)}
		end = at + len(element.Raw())
		if begun {
			e.text = append(e.text, ',')
		}
		inner := len(e.text)
		if !write(element) {
			e.finish(gap)
			begun = true
			keep(element)
			continue
		}
		gap.end = end // remove the element with the separator before it
		if len(e.text) == inner {
			e.text = e.text[:gap.from]
		} else {
			begun = true
		}
		e.finish(gap)
	}
}

// bytes returns the text with all edits, or the base itself if there are none.
func (e *editor) bytes() []byte {
	raw := e.base.Raw()
	if len(e.edits) == 0 {
		return raw
	}
	slices.SortStableFunc(e.edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	out := make([]byte, 0, len(raw)+len(e.text))
	at := 0
	for _, d := range e.edits {
		out = append(out, raw[at:d.start]...)
		out = append(out, e.text[d.from:d.to]...)
		at = d.end
	}
	return append(out, raw[at:]...)
}
