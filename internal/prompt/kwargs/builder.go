package kwargs

import (
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// builder writes one payload from front to back.
type builder struct {
	buf    []byte
	in     Input
	params *params
	// names are the called functions by the id of their call, once needed.
	names map[string]jsontree.Value
}

func newBuilder(in Input, s shape) *builder {
	size := 256 + len(in.Template.Raw()) + len(in.Parameters.Raw()) + len(in.Overrides.Raw())
	return &builder{buf: make([]byte, 0, size), in: in, params: mergeParams(in, s)}
}

// last returns the byte that was written last. It tells an empty container
// from one with members: no value ends in an opening bracket or a colon.
func (b *builder) last() byte {
	if len(b.buf) == 0 {
		return 0
	}
	return b.buf[len(b.buf)-1]
}

// separate writes the comma that the next key or element needs.
func (b *builder) separate() {
	switch b.last() {
	case 0, '{', '[', ':':
	default:
		b.buf = append(b.buf, ',')
	}
}

func (b *builder) open(bracket byte) {
	b.separate()
	b.buf = append(b.buf, bracket)
}

func (b *builder) close(bracket byte) { b.buf = append(b.buf, bracket) }

// closeUnlessEmpty closes the containers that were opened since start, or
// takes them back when the innermost is empty. It reports whether it closed
// them.
func (b *builder) closeUnlessEmpty(start int, brackets string) bool {
	if c := b.last(); c == '[' || c == '{' {
		b.buf = b.buf[:start]
		return false
	}
	b.buf = append(b.buf, brackets...)
	return true
}

// key writes a member's name, which must need no escaping.
func (b *builder) key(name string) {
	b.separate()
	b.buf = append(append(append(b.buf, '"'), name...), '"', ':')
}

// raw writes a value that is JSON text already.
func (b *builder) raw(text []byte) {
	b.separate()
	b.buf = append(b.buf, text...)
}

func (b *builder) quoted(text string) {
	b.separate()
	b.buf = jsontree.AppendQuoted(b.buf, text)
}

// str writes a member whose value is a string.
func (b *builder) str(name, text string) {
	b.key(name)
	b.quoted(text)
}

// member writes a member whose value was read before, null when it is absent.
func (b *builder) member(name string, v jsontree.Value) {
	b.key(name)
	if v.Kind() == jsontree.Absent {
		b.raw(nullText)
		return
	}
	b.raw(v.Raw())
}

// text writes a member as a string, empty unless v is one.
func (b *builder) text(name string, v jsontree.Value) {
	b.key(name)
	if v.Kind() != jsontree.String {
		b.quoted("")
		return
	}
	b.raw(v.Raw())
}

// given writes a member unless it is null or absent.
func (b *builder) given(name string, v jsontree.Value) {
	if v.Given() {
		b.member(name, v)
	}
}

// keep carries over those members of v that a provider knows by these names.
func (b *builder) keep(v jsontree.Value, names ...string) {
	for _, name := range names {
		b.given(name, v.Get(name))
	}
}

// rest carries over all members of v that are not null, but for those named.
func (b *builder) rest(v jsontree.Value, except ...string) {
	for key, member := range v.Members() {
		if member.Given() && !slices.Contains(except, key) {
			b.separate()
			b.buf = append(append(b.buf, member.RawKey()...), ':')
			b.buf = append(b.buf, member.Raw()...)
		}
	}
}

var nullText = []byte("null")

// derive starts an argument that follows from the template. It reports false
// when the parameters name the argument themselves, because they win.
func (b *builder) derive(name string) bool {
	if b.params.has(name) {
		return false
	}
	b.key(name)
	return true
}

// finish writes the model and all parameters that have no other place.
func (b *builder) finish() {
	if b.in.Model != "" && b.derive("model") {
		b.quoted(b.in.Model)
	}
	b.params.writeAll(b)
}
