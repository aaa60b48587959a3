package template

import (
	"cmp"
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// editor rewrites parts of a JSON text and copies the rest as it is. Parts
// must not overlap.
type editor struct {
	base  jsontree.Value
	edits []edit
	text  []byte // what is written, one edit behind the other
}

// edit replaces bytes start to end of the base by the bytes of the editor's
// text from the given place on.
type edit struct {
	start, end int
	from, to   int
}

// begin starts to replace v; what is appended to the editor's text until the
// matching call of finish takes its place.
func (e *editor) begin(v jsontree.Value) edit {
	at := v.Offset(e.base)
	return edit{start: at, end: at + len(v.Raw()), from: len(e.text)}
}

func (e *editor) finish(begun edit) {
	begun.to = len(e.text)
	e.edits = append(e.edits, begun)
}

// replace puts a JSON text in the place of v.
func (e *editor) replace(v jsontree.Value, json []byte) {
	begun := e.begin(v)
	e.text = append(e.text, json...)
	e.finish(begun)
}

// replaceString puts a string in the place of v.
func (e *editor) replaceString(v jsontree.Value, text string) {
	begun := e.begin(v)
	e.text = jsontree.AppendQuoted(e.text, text)
	e.finish(begun)
}

// set gives an object of the base a member, in the place of the one it has.
func (e *editor) set(object jsontree.Value, key string, json []byte) {
	if member := object.Get(key); member.Kind() != jsontree.Absent {
		e.replace(member, json)
		return
	}
	begun := e.begin(object)
	if object.Len() > 0 { // in front of the others
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

// splice replaces elements of an array by any number of elements. For each one
// write either reports false, to keep it, or appends what stands in its place,
// with commas between, and reports true. Edits within an element that is kept
// are made by keep.
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
		gap.end = end // the element goes with what stood before it
		if len(e.text) == inner {
			e.text = e.text[:gap.from]
		} else {
			begun = true
		}
		e.finish(gap)
	}
}

// bytes returns the text with all edits, which is the base's own as long as
// there are none.
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
