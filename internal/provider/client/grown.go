package client

import (
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// maxGrown bounds how many values one answer may be put together from. Values
// of two characters would take a hundred times their size.
const maxGrown = 200_000

// grown is a JSON value that is put together from pieces.
type grown struct {
	kind jsontree.Kind
	// left is how many more values the whole may have.
	left *int
	// text is the text of a string, or the bytes of what has no parts.
	text    []byte
	keys    []string
	members map[string]*grown
	elems   []*grown
	// byIndex finds the elements that pieces refer to by an index.
	byIndex map[int64]*grown
}

func newGrown() *grown {
	left := maxGrown
	return &grown{left: &left}
}

// tooMany reports whether values were left out because there are too many.
func (g *grown) tooMany() bool { return *g.left < 0 }

// part returns a new value that is part of g, and whether there is room for
// it.
func (g *grown) part() (fresh *grown, ok bool) {
	*g.left--
	return &grown{left: g.left}, !g.tooMany()
}

// continued are the strings that come in pieces. Others come whole, at times
// again and again.
var continued = []string{
	"content", "refusal", "arguments", "input", "reasoning", "reasoning_content", "text", "thinking", "summary",
	"data", "transcript",
}

// take adds a piece of the value that stands under the key.
func (g *grown) take(key string, piece jsontree.Value) {
	switch kind := piece.Kind(); kind {
	case jsontree.Absent:
	case jsontree.Null:
		if g.kind == jsontree.Absent {
			g.set(piece)
		}
	case jsontree.Object:
		g.become(kind)
		for name, v := range piece.Members() {
			g.member(name).take(name, v)
		}
	case jsontree.Array:
		g.become(kind)
		for _, v := range piece.Elems() {
			g.element(key, v).take("", v)
		}
	case jsontree.String:
		if g.kind == jsontree.String && slices.Contains(continued, key) {
			g.text = piece.AppendStr(g.text)
			return
		}
		g.set(piece)
	default:
		g.set(piece)
	}
}

// set replaces the value.
func (g *grown) set(v jsontree.Value) {
	*g = grown{left: g.left}
	switch v.Kind() {
	case jsontree.Object, jsontree.Array:
		g.take("", v)
	case jsontree.String:
		g.kind, g.text = v.Kind(), v.AppendStr(nil)
	default:
		g.kind, g.text = v.Kind(), slices.Clone(v.Raw())
	}
}

func (g *grown) become(kind jsontree.Kind) {
	if g.kind != kind {
		*g = grown{kind: kind, left: g.left}
	}
}

// member returns the member of an object, which it makes if need be.
func (g *grown) member(name string) *grown {
	g.become(jsontree.Object)
	found, ok := g.members[name]
	if ok {
		return found
	}
	fresh, ok := g.part()
	if ok {
		if g.members == nil {
			g.members = map[string]*grown{}
		}
		g.members[name] = fresh
		g.keys = append(g.keys, name)
	}
	return fresh
}

// element returns the element that a piece belongs to: the one with its
// index, else a new one. The index of a tool call is only there to tell the
// pieces of several apart.
func (g *grown) element(key string, piece jsontree.Value) *grown {
	index, ok := piece.Get("index").Int()
	if !ok {
		return g.add()
	}
	found := g.at(index)
	if key == "tool_calls" {
		found.hide("index")
	}
	return found
}

// at returns the element that pieces refer to by the index, which it makes if
// need be.
func (g *grown) at(index int64) *grown {
	found := g.byIndex[index]
	if found == nil {
		found = g.add()
		if g.byIndex == nil {
			g.byIndex = map[int64]*grown{}
		}
		if !g.tooMany() {
			g.byIndex[index] = found
		}
	}
	return found
}

func (g *grown) add() *grown {
	g.become(jsontree.Array)
	fresh, ok := g.part()
	if ok {
		g.elems = append(g.elems, fresh)
	}
	return fresh
}

// hide lets a member be taken and not written.
func (g *grown) hide(name string) {
	if _, ok := g.members[name]; ok {
		return
	}
	if g.member(name); !g.tooMany() {
		g.keys = g.keys[:len(g.keys)-1]
	}
}

// whole returns the value as JSON, or a failure when it has too many parts.
func (g *grown) whole() ([]byte, *Error) {
	if g.tooMany() {
		return nil, malformed("it has more than %d parts", maxGrown)
	}
	return g.append(nil), nil
}

// append appends the value as JSON, null when nothing was taken.
func (g *grown) append(dst []byte) []byte {
	switch g.kind {
	case jsontree.Absent:
		return append(dst, "null"...)
	case jsontree.String:
		return jsontree.AppendQuoted(dst, string(g.text))
	case jsontree.Array:
		dst = append(dst, '[')
		for _, element := range g.elems {
			dst = element.append(separated(dst))
		}
		return append(dst, ']')
	case jsontree.Object:
		dst = append(dst, '{')
		for _, name := range g.keys {
			dst = jsontree.AppendQuoted(separated(dst), name)
			dst = g.members[name].append(append(dst, ':'))
		}
		return append(dst, '}')
	default:
		return append(dst, g.text...)
	}
}
