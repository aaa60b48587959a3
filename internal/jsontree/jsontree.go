// Package jsontree reads one JSON text into a tree whose nodes keep their
// exact bytes. Handlers check shapes on the tree and store or echo parts of
// the body verbatim, so a body is decoded once and numbers, key order and
// unknown keys survive as they were written.
package jsontree

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
	"unsafe"
)

// Kind is the JSON type of a value.
type Kind uint8

// The JSON types. Absent is the kind of the zero Value.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"absent", "null", "a boolean", "a number", "a string", "an array", "an object"}

// String names the kind as an error message would: "an object".
func (k Kind) String() string { return kindNames[k] }

// Limits on one text. They keep a hostile body from costing more than its
// size suggests.
const (
	// MaxDepth is the deepest nesting of arrays and objects.
	MaxDepth = 200
	// MaxValues is the highest number of values in one text.
	MaxValues = 2_000_000
)

// The reasons of an Error that callers distinguish.
var (
	ErrUTF8    = errors.New("invalid UTF-8")
	ErrTooDeep = fmt.Errorf("nested deeper than %d levels", MaxDepth)
	ErrTooMany = fmt.Errorf("more than %d values", MaxValues)
)

// The other reasons of an Error.
var (
	errEnd       = errors.New("unexpected end of text")
	errCharacter = errors.New("unexpected character")
	errTrailing  = errors.New("unexpected text after the value")
	errNumber    = errors.New("invalid number")
	errString    = errors.New("unterminated string")
	errControl   = errors.New("control character in string")
	errEscape    = errors.New("invalid escape sequence in string")
)

// Error says why a text is not JSON that this package reads. It wraps the
// reason.
type Error struct {
	// Offset is where reading stopped.
	Offset int
	reason error
}

// Error returns the reason and the place.
func (e *Error) Error() string { return fmt.Sprintf("%v at byte %d", e.reason, e.Offset) }

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.reason }

// node is one value in the flat tree. Children of a container are a chain of
// siblings; keys are kept with the quotes they came in.
type node struct {
	start, end       int32
	keyStart, keyEnd int32
	child, next      int32
	count            int32
	kind             Kind
	escaped          bool // the string holds a backslash
	keyEscaped       bool
}

// TreeSize returns the approximate memory size of the tree of a text in bytes,
// without the text and never much less. Each value but the outermost follows
// one of three characters; those in strings count too, which is little in
// natural text.
func TreeSize(text []byte) int { return maxNodes(text) * int(unsafe.Sizeof(node{})) }

// maxNodes returns a number that the values of a text do not exceed.
func maxNodes(text []byte) int {
	values := 1
	for _, sign := range [...]byte{',', '[', '{'} {
		values += bytes.Count(text, []byte{sign})
	}
	return values
}

// expected returns the number of nodes to make room for.
func expected(text []byte) int {
	likely := 16 + min(len(text)/24, maxExpected)
	if len(text) > maxCounted {
		return likely
	}
	return min(likely, maxNodes(text))
}

// maxExpected bounds how many values are expected from the size of a text: a
// long one is long texts rather than many values.
const maxExpected = 1 << 10

// maxCounted is the size of texts whose values are counted before.
const maxCounted = 4 << 10

type document struct {
	text  []byte
	nodes []node
}

// Value is one value of a parsed text. The zero Value is absent. Values keep
// the text they were parsed from alive and must not outlive changes to it.
type Value struct {
	doc *document
	at  int32
}

// Parse reads exactly one JSON value with nothing but white space around it.
// The returned tree refers to text: the caller must not change it afterwards.
func Parse(text []byte) (Value, error) {
	doc := &document{nodes: make([]node, 0, expected(text))}
	return doc.parse(text, MaxDepth)
}

// wrapping is the number of levels that ParseWrapped allows around a value.
const wrapping = 8

// ParseWrapped is Parse for a text of this program in which values that Parse accepts
// are a few levels deep.
func ParseWrapped(text []byte) (Value, error) {
	doc := &document{nodes: make([]node, 0, expected(text))}
	return doc.parse(text, MaxDepth+wrapping)
}

// parse makes the document that of a text.
func (d *document) parse(text []byte, maxDepth int) (Value, error) {
	d.text = text
	if len(text) > math.MaxInt32 {
		return Value{}, &Error{reason: ErrTooMany}
	}
	if !utf8.Valid(text) {
		return Value{}, &Error{invalidAt(text), ErrUTF8}
	}
	p := parser{doc: d, text: text, maxDepth: maxDepth, pause: pauseBytes}
	p.skipSpace()
	if err := p.value(0); err != nil {
		return Value{}, &Error{p.pos, err}
	}
	p.skipSpace()
	if p.pos != len(text) {
		return Value{}, &Error{p.pos, errTrailing}
	}
	return Value{doc: d}, nil
}

// Parser parses many texts with the same memory. The zero value is ready to use.
type Parser struct{ doc document }

// maxKept is the size of the largest tree whose memory is kept, in nodes.
const maxKept = 1 << 12

// Parse is like the function Parse, but a tree is valid only until the next call.
func (p *Parser) Parse(text []byte) (Value, error) {
	if cap(p.doc.nodes) > maxKept {
		p.doc.nodes = nil
	}
	p.doc.nodes = p.doc.nodes[:0]
	return p.doc.parse(text, MaxDepth)
}

// MustParse is Parse for constants. It panics when text is not valid.
func MustParse(text string) Value {
	v, err := Parse([]byte(text))
	if err != nil {
		panic("jsontree: " + err.Error() + ": " + text)
	}
	return v
}

// invalidAt returns the offset of the first byte that is not UTF-8.
func invalidAt(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(text)
}

func (v Value) node() *node { return &v.doc.nodes[v.at] }

// Kind returns the value's type.
func (v Value) Kind() Kind {
	if v.doc == nil {
		return Absent
	}
	return v.node().kind
}

// Given reports whether the value is neither absent nor null.
func (v Value) Given() bool { return v.Kind() > Null }

// Raw returns the value's bytes as they were written, nil when absent.
func (v Value) Raw() []byte {
	if v.doc == nil {
		return nil
	}
	n := v.node()
	return v.doc.text[n.start:n.end:n.end]
}

// Offset returns where Raw begins within the raw bytes of its ancestor in.
func (v Value) Offset(in Value) int { return int(v.node().start - in.node().start) }

// Len returns the number of members or elements of a container, 0 otherwise.
func (v Value) Len() int {
	if v.doc == nil {
		return 0
	}
	return int(v.node().count)
}

// Get returns the member of that name, absent if there is none or v is not an
// object. Of several members with one name the last counts.
func (v Value) Get(key string) Value {
	var found Value
	if v.Kind() != Object {
		return found
	}
	nodes, quoted := v.doc.nodes, int32(len(key)+len(`""`))
	for at := nodes[v.at].child; at > 0; at = nodes[at].next {
		// Most names have another length, which needs no look at the text.
		if n := &nodes[at]; n.keyEnd-n.keyStart != quoted && !n.keyEscaped {
			continue
		}
		if member := (Value{v.doc, at}); member.isKey(key) {
			found = member
		}
	}
	return found
}

// isKey reports whether v is the member of that name, without copying the name.
func (v Value) isKey(name string) bool {
	n := v.node()
	inner := v.doc.text[n.keyStart+1 : n.keyEnd-1]
	if n.keyEscaped {
		return unquote(inner) == name
	}
	return string(inner) == name
}

// Key returns the name under which v is a member of its object.
func (v Value) Key() string {
	n := v.node()
	if n.keyEnd == 0 {
		return ""
	}
	inner := v.doc.text[n.keyStart+1 : n.keyEnd-1]
	if n.keyEscaped {
		return unquote(inner)
	}
	return string(inner)
}

// RawKey returns the member's name as it was written, with its quotes.
func (v Value) RawKey() []byte {
	n := v.node()
	return v.doc.text[n.keyStart:n.keyEnd:n.keyEnd]
}

// Str returns the text of a string, "" for every other kind.
func (v Value) Str() string {
	if v.Kind() != String {
		return ""
	}
	n := v.node()
	inner := v.doc.text[n.start+1 : n.end-1]
	if n.escaped {
		return unquote(inner)
	}
	return string(inner)
}

// Is reports whether v is the string text. It does not copy the string.
func (v Value) Is(text string) bool {
	if v.Kind() != String {
		return false
	}
	n := v.node()
	inner := v.doc.text[n.start+1 : n.end-1]
	if n.escaped {
		return len(inner) <= maxEscape*len(text) && unquote(inner) == text
	}
	return string(inner) == text
}

// maxEscape is the length of the longest escape sequence of one byte.
const maxEscape = len(`\u0000`)

// AppendStr appends the text of a string, nothing for every other kind.
func (v Value) AppendStr(dst []byte) []byte {
	if v.Kind() != String {
		return dst
	}
	n := v.node()
	inner := v.doc.text[n.start+1 : n.end-1]
	if n.escaped {
		return appendUnquoted(dst, inner)
	}
	return append(dst, inner...)
}

// Bool returns the value of a boolean, false for every other kind.
func (v Value) Bool() bool { return v.Kind() == Bool && v.Raw()[0] == 't' }

// Int returns the value of a whole number: 5, 5.0 and 5e2 are whole. ok is
// false for other kinds, fractions, and numbers beyond 64 bits.
func (v Value) Int() (n int64, ok bool) {
	if v.Kind() != Number {
		return 0, false
	}
	return ParseInt(string(v.Raw()))
}

// ParseInt reads a JSON number as a whole number, as Value.Int does.
func ParseInt(text string) (n int64, ok bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// Float returns the value of a number that fits a float64.
func (v Value) Float() (f float64, ok bool) {
	if v.Kind() != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v.Raw()), 64)
	return f, err == nil
}

// Compact returns the value's bytes without white space between tokens.
func (v Value) Compact() []byte {
	if v.doc == nil {
		return nil
	}
	return v.AppendCompact(make([]byte, 0, len(v.Raw())))
}

// AppendCompact appends what Compact returns.
func (v Value) AppendCompact(dst []byte) []byte {
	raw := v.Raw()
	from := 0
	for i := 0; i < len(raw); {
		switch raw[i] {
		case ' ', '\t', '\n', '\r':
			dst = append(dst, raw[from:i]...)
			i++
			from = i
		case '"':
			i = stringEnd(raw, i)
		default:
			i++
		}
	}
	return append(dst, raw[from:]...)
}

// stringEnd returns the index behind the string that starts at i.
func stringEnd(raw []byte, i int) int {
	for i++; raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			i++
		}
	}
	return i + 1
}
