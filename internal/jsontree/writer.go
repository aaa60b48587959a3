package jsontree

import (
	"errors"
	"flag"
	"io"
	"math"
	"slices"
	"strconv"
	"sync"
)

// Writer appends one JSON value to a buffer. It places commas, colons and
// brackets itself, so that what it returns is always valid JSON; calls that
// would break it, such as a member without a key, are bugs and panic.
//
// A container is written by a function that writes its contents to the same
// Writer:
//
//	w := jsontree.NewWriter(nil)
//	w.Object(func() {
//		w.Key("name").String(name)
//		w.Key("sizes").Array(func() {
//			for _, size := range sizes {
//				w.Int(size)
//			}
//		})
//	})
//	return w.Bytes()
//
// As long as such functions capture the Writer rather than receive it as an
// argument, nothing but the buffer is allocated.
type Writer struct {
	buf    []byte
	start  int
	within container
}

// container is what the next call writes into.
type container uint8

const (
	// topLevel takes a single value.
	topLevel container = iota
	// inArray takes any number of values.
	inArray
	// inObject takes keys, each followed by a value.
	inObject
)

// NewWriter returns a writer that appends its value to dst.
func NewWriter(dst []byte) Writer { return Writer{buf: dst, start: len(dst)} }

// Bytes returns the buffer with the finished value. It panics when there is no
// value or a container is still open.
func (w *Writer) Bytes() []byte {
	if w.within != topLevel || len(w.buf) == w.start {
		panic("jsontree: the JSON value is incomplete")
	}
	return w.buf
}

// Flush writes the beginning of an unfinished value to a stream and drops it
// from the buffer, so that a large value need not be in memory as a whole. At
// the end Bytes returns what was not flushed.
func (w *Writer) Flush(to io.Writer) error {
	if w.Len() == 0 {
		return nil
	}
	last := len(w.buf) - 1 // it decides about the next comma
	_, err := to.Write(w.buf[w.start:last])
	w.buf[w.start] = w.buf[last]
	w.buf = w.buf[:w.start+1]
	return err
}

// Grow makes room for n more bytes.
func (w *Writer) Grow(n int) { w.buf = slices.Grow(w.buf, n) }

// Len returns the number of bytes written until now.
func (w *Writer) Len() int { return len(w.buf) - w.start }

// No value ends with one of the bytes that open a container or follow a key,
// so the last byte tells what may come next.
func (w *Writer) last() byte { return w.buf[len(w.buf)-1] }

// next prepares for a value.
func (w *Writer) next() {
	switch w.within {
	case inObject:
		if w.last() != ':' {
			panic("jsontree: a member needs a key")
		}
	case inArray:
		if w.last() != '[' {
			w.buf = append(w.buf, ',')
		}
	default:
		if len(w.buf) != w.start {
			panic("jsontree: a JSON text has one value only")
		}
	}
}

// nextKey prepares for a key.
func (w *Writer) nextKey() {
	if w.within != inObject {
		panic("jsontree: a key outside of an object")
	}
	switch w.last() {
	case '{':
	case ':':
		panic("jsontree: a key without a value")
	default:
		w.buf = append(w.buf, ',')
	}
}

// Key begins a member of the object being written; the next call must write
// its value. Keys are not checked for duplicates.
func (w *Writer) Key(name string) *Writer {
	w.nextKey()
	if plainPrefix(name) < len(name) {
		w.buf = append(AppendQuoted(w.buf, name), ':')
		return w
	}
	w.buf = append(slices.Grow(w.buf, len(name)+3), '"')
	w.buf = append(w.buf, name...)
	w.buf = append(w.buf, '"', ':')
	return w
}

// Object writes an object whose members are written by the function.
func (w *Writer) Object(members func()) { w.container(inObject, '{', '}', members) }

// Array writes an array whose elements are written by the function.
func (w *Writer) Array(elements func()) { w.container(inArray, '[', ']', elements) }

func (w *Writer) container(kind container, opening, closing byte, contents func()) {
	w.next()
	outer := w.within
	w.within = kind
	w.buf = append(w.buf, opening)
	contents()
	if w.last() == ':' {
		panic("jsontree: a key without a value")
	}
	w.buf = append(w.buf, closing)
	w.within = outer
}

// String writes a string.
func (w *Writer) String(text string) {
	w.next()
	w.buf = AppendQuoted(w.buf, text)
}

// StringOrNull writes a string, or null when it is empty.
func (w *Writer) StringOrNull(text string) {
	if text == "" {
		w.Null()
		return
	}
	w.String(text)
}

// OptString writes a string, or null for nil.
func (w *Writer) OptString(text *string) {
	if text == nil {
		w.Null()
		return
	}
	w.String(*text)
}

// Strings writes an array of strings.
func (w *Writer) Strings(texts []string) {
	w.Array(func() {
		for _, text := range texts {
			w.String(text)
		}
	})
}

// Int writes a whole number.
func (w *Writer) Int(n int64) {
	w.next()
	w.buf = strconv.AppendInt(w.buf, n, 10)
}

// OptInt writes a whole number, or null for nil.
func (w *Writer) OptInt(n *int64) {
	if n == nil {
		w.Null()
		return
	}
	w.Int(*n)
}

// Float writes a number with as many digits as are needed to read it back,
// in the form of encoding/json. JSON has no infinity and no NaN: they become
// null.
func (w *Writer) Float(f float64) {
	w.next()
	w.buf = AppendFloat(w.buf, f)
}

// OptFloat writes a number as Float does, or null for nil.
func (w *Writer) OptFloat(f *float64) {
	if f == nil {
		w.Null()
		return
	}
	w.Float(*f)
}

// Bool writes a boolean.
func (w *Writer) Bool(b bool) {
	w.next()
	w.buf = strconv.AppendBool(w.buf, b)
}

// Null writes null.
func (w *Writer) Null() {
	w.next()
	w.buf = append(w.buf, "null"...)
}

// Value writes a parsed value byte for byte, or null when it is absent.
func (w *Writer) Value(v Value) {
	w.next()
	w.buf = appendOrNull(w.buf, v.Raw())
}

// Compact writes a parsed value without white space between its tokens, or
// null when it is absent.
func (w *Writer) Compact(v Value) {
	w.next()
	if v.Kind() == Absent {
		w.buf = append(w.buf, "null"...)
		return
	}
	w.buf = v.AppendCompact(w.buf)
}

// Raw writes a text that is known to be one JSON value because it was parsed
// or written before, or null when it is empty. Text that has not been checked
// must be parsed and written with Value. Tests check the text and panic when
// it is not valid.
func (w *Writer) Raw(text []byte) {
	w.next()
	if len(text) > 0 && (isOpen(text[len(text)-1]) || checkRaw() && !valid(text)) {
		panic("jsontree: invalid raw JSON: " + string(text[:min(len(text), 200)]))
	}
	w.buf = appendOrNull(w.buf, text)
}

// RawOr is Raw, but writes the JSON text otherwise when text is empty.
func (w *Writer) RawOr(text []byte, otherwise string) {
	if len(text) == 0 {
		text = []byte(otherwise)
	}
	w.Raw(text)
}

// isOpen reports whether a value or key must follow the byte.
func isOpen(c byte) bool { return c == '{' || c == '[' || c == ':' || c == ',' }

func appendOrNull(dst, text []byte) []byte {
	if len(text) == 0 {
		return append(dst, "null"...)
	}
	return append(dst, text...)
}

// Member writes a member of a parsed object, key and value byte for byte.
func (w *Writer) Member(v Value) {
	w.KeyOf(v)
	w.Value(v)
}

// KeyOf is Key with the name that v has in its own object.
func (w *Writer) KeyOf(v Value) *Writer {
	w.nextKey()
	w.buf = append(append(w.buf, v.RawKey()...), ':')
	return w
}

// Members writes the members of a parsed object byte for byte, except those
// named.
func (w *Writer) Members(object Value, except ...string) {
	switch {
	case object.Kind() != Object || object.Len() == 0:
	case len(except) == 0:
		w.nextKey()
		w.contents(object)
	default:
		for at := object.node().child; at > 0; at = object.doc.nodes[at].next {
			v := Value{object.doc, at}
			if !slices.ContainsFunc(except, v.isKey) {
				w.Member(v)
			}
		}
	}
}

// Elements writes the elements of a parsed array byte for byte.
func (w *Writer) Elements(array Value) {
	if w.within != inArray {
		panic("jsontree: elements outside of an array")
	}
	if array.Kind() != Array || array.Len() == 0 {
		return
	}
	w.next()
	w.contents(array)
}

// contents writes the text between the brackets of a container.
func (w *Writer) contents(v Value) {
	raw := v.Raw()
	w.buf = append(w.buf, raw[1:len(raw)-1]...)
}

// AppendFloat appends a number as Writer.Float writes it.
func AppendFloat(dst []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(dst, "null"...)
	}
	format := byte('f')
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	dst = strconv.AppendFloat(dst, f, format, -1, 64)
	if n := len(dst); format == 'e' && n >= 4 && dst[n-3] == '-' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1] // e-09 becomes e-9
		dst = dst[:n-1]
	}
	return dst
}

// checkRaw reports whether Raw checks its text: in tests, except benchmarks,
// which measure what users run.
var checkRaw = sync.OnceValue(func() bool {
	bench := flag.Lookup("test.bench")
	return bench != nil && bench.Value.String() == ""
})

// valid reports whether text is one JSON value. Limits of the parser do not
// count: a value may have been written in parts.
func valid(text []byte) bool {
	_, err := Parse(text)
	return err == nil || errors.Is(err, ErrTooDeep) || errors.Is(err, ErrTooMany)
}
