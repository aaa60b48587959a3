package provider

import (
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// maxGrown limits the number of values of an answer, because a value of two
// characters takes a hundred times its size in memory.
const maxGrown = 200_000

// Grown is a JSON value that is assembled from the pieces of a stream.
type Grown struct {
	kind jsontree.Kind
	// left is the number of values that may still be added.
	left *int
	// text is the text of a string, or the bytes of a literal or number.
	text    []byte
	keys    []string
	members map[string]*Grown
	elems   []*Grown
	// byIndex maps the indexes in pieces to elements.
	byIndex map[int64]*Grown
}

// NewGrown returns an absent value.
func NewGrown() *Grown {
	left := maxGrown
	return &Grown{left: &left}
}

// tooMany reports whether values were dropped because there are too many.
func (g *Grown) tooMany() bool { return *g.left < 0 }

// part returns a new value within g, and whether the limit allows it.
func (g *Grown) part() (fresh *Grown, ok bool) {
	*g.left--
	return &Grown{left: g.left}, !g.tooMany()
}

// continued are the members whose strings are streamed in pieces. Others are
// sent whole, and sometimes repeatedly.
var continued = []string{
	"content", "refusal", "arguments", "input", "reasoning", "reasoning_content", "text", "thinking", "summary",
	"data", "transcript",
}

// Take adds a piece of the value under a key.
func (g *Grown) Take(key string, piece jsontree.Value) {
	switch kind := piece.Kind(); {
	case kind == jsontree.Absent, kind == jsontree.Null && g.kind != jsontree.Absent:
	case kind == jsontree.Object:
		g.Become(kind)
		for name, v := range piece.Members() {
			g.Member(name).Take(name, v)
		}
	case kind == jsontree.Array:
		g.Become(kind)
		for _, v := range piece.Elems() {
			g.Element(key, v).Take("", v)
		}
	case kind == jsontree.String && g.kind == jsontree.String && slices.Contains(continued, key):
		g.text = piece.AppendStr(g.text)
	default:
		g.Set(piece)
	}
}

// Set replaces the value.
func (g *Grown) Set(v jsontree.Value) {
	*g = Grown{left: g.left}
	switch v.Kind() {
	case jsontree.Object, jsontree.Array:
		g.Take("", v)
	case jsontree.String:
		g.kind, g.text = v.Kind(), v.AppendStr(nil)
	default:
		g.kind, g.text = v.Kind(), slices.Clone(v.Raw())
	}
}

// SetString replaces the value with a string.
func (g *Grown) SetString(text string) {
	*g = Grown{left: g.left, kind: jsontree.String, text: []byte(text)}
}

// Become replaces the value with an empty one of the kind, unless it has that
// kind.
func (g *Grown) Become(kind jsontree.Kind) {
	if g.kind != kind {
		*g = Grown{kind: kind, left: g.left}
	}
}

// Get returns a member, or nil.
func (g *Grown) Get(name string) *Grown { return g.members[name] }

// IsTrue reports whether the value is true. It may be nil.
func (g *Grown) IsTrue() bool { return g != nil && g.kind == jsontree.Bool && string(g.text) == "true" }

// Member returns a member of an object, and adds it if it does not exist.
func (g *Grown) Member(name string) *Grown {
	g.Become(jsontree.Object)
	found, ok := g.members[name]
	if ok {
		return found
	}
	fresh, ok := g.part()
	if ok {
		if g.members == nil {
			g.members = map[string]*Grown{}
		}
		g.members[name] = fresh
		g.keys = append(g.keys, name)
	}
	return fresh
}

// Element returns the element that a piece belongs to: the one with its index,
// else a new one. The index of a tool call only identifies the call and is not
// written.
func (g *Grown) Element(key string, piece jsontree.Value) *Grown {
	index, ok := piece.Get("index").Int()
	if !ok {
		return g.Add()
	}
	found := g.At(index)
	if key == "tool_calls" {
		found.hide("index")
	}
	return found
}

// At returns the element with an index, and adds it if it does not exist.
func (g *Grown) At(index int64) *Grown {
	found := g.byIndex[index]
	if found == nil {
		found = g.Add()
		if g.byIndex == nil {
			g.byIndex = map[int64]*Grown{}
		}
		if !g.tooMany() {
			g.byIndex[index] = found
		}
	}
	return found
}

// Add appends an element to an array and returns it.
func (g *Grown) Add() *Grown {
	g.Become(jsontree.Array)
	fresh, ok := g.part()
	if ok {
		g.elems = append(g.elems, fresh)
	}
	return fresh
}

// Last returns the last element, or nil.
func (g *Grown) Last() *Grown {
	if len(g.elems) == 0 {
		return nil
	}
	return g.elems[len(g.elems)-1]
}

// hide excludes a member from the output.
func (g *Grown) hide(name string) {
	if _, ok := g.members[name]; ok {
		return
	}
	if g.Member(name); !g.tooMany() {
		g.keys = g.keys[:len(g.keys)-1]
	}
}

// Bytes returns the value as JSON, null if nothing was added, or an error if it
// has too many values.
func (g *Grown) Bytes() ([]byte, *Error) {
	if g.tooMany() {
		return nil, Malformed("it has more than %d values", maxGrown)
	}
	return bytesOf(g, 0), nil
}

func (g *Grown) write(w *jsontree.Writer) {
	switch g.kind {
	case jsontree.String:
		w.String(string(g.text))
	case jsontree.Array:
		w.Array(func() {
			for _, element := range g.elems {
				element.write(w)
			}
		})
	case jsontree.Object:
		w.Object(func() {
			for _, name := range g.keys {
				w.Key(name)
				g.members[name].write(w)
			}
		})
	default:
		w.Raw(g.text)
	}
}
