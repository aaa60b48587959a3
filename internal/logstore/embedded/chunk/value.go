package chunk

import (
	"encoding/binary"
	"runtime"
	"unicode/utf8"
	"unsafe"
)

// next returns the column of the next value. A value of the wrong type would
// overwrite memory of DuckDB, so it is a bug.
func (a *Appender) next(k kind) *column {
	c := &a.columns[a.at]
	if c.kind != k {
		panic("chunk: a value has the wrong type")
	}
	a.at++
	return c
}

// Null adds a missing value of any type.
func (a *Appender) Null() {
	c := &a.columns[a.at]
	a.at++
	c.valid[a.row/64] &^= 1 << (a.row % 64)
	if c.kind.isList() {
		c.lists[a.row] = List{}
	}
}

// Int adds a whole number to a column of type BIGINT.
func (a *Appender) Int(n int64) { a.next(intKind).ints[a.row] = n }

// Float adds a number to a column of type DOUBLE.
func (a *Appender) Float(f float64) { a.next(floatKind).floats[a.row] = f }

// Bool adds a value to a column of type BOOLEAN.
func (a *Appender) Bool(b bool) { a.next(boolKind).bools[a.row] = b }

// Text adds a text to a column of type VARCHAR. DuckDB cannot store one that is
// not UTF-8; it becomes null.
func (a *Appender) Text(s string) {
	if !utf8.ValidString(s) {
		a.Null()
		return
	}
	a.texts.write(&a.next(textKind).texts[a.row], s)
}

// Bytes is Text with the text in a buffer, which may change afterwards.
func (a *Appender) Bytes(b []byte) { a.Text(unsafe.String(unsafe.SliceData(b), len(b))) }

// Texts adds a list to a column of type VARCHAR[]. Elements that are not UTF-8
// are left out.
func (a *Appender) Texts(elements []string) {
	c := a.next(textsKind)
	first := c.count
	for _, s := range elements {
		if !utf8.ValidString(s) {
			continue
		}
		if c.count == c.room {
			c.reserve(2 * c.room)
		}
		a.texts.write(&c.elements[c.count], s)
		c.count++
	}
	c.lists[a.row] = List{uint64(first), uint64(c.count - first)}
}

// Ints adds a list to a column of type BIGINT[].
func (a *Appender) Ints(elements []int64) {
	c := a.next(intsKind)
	if need := c.count + len(elements); need > c.room {
		c.reserve(max(need, 2*c.room))
	}
	c.lists[a.row] = List{uint64(c.count), uint64(len(elements))}
	c.count += copy(c.numbers[c.count:], elements)
}

// Text is duckdb_string_t: the length, and the bytes of a short text, or the
// first four bytes and the address of a longer one.
type Text struct {
	_      [0]uint64 // aligned like an address
	length uint32
	bytes  [maxInline]byte
}

const maxInline = 12

// View returns the text, which is valid as long as the chunk is.
func (t *Text) View() string {
	if t.length <= maxInline {
		return unsafe.String(&t.bytes[0], t.length)
	}
	return unsafe.String(*(**byte)(unsafe.Pointer(&t.bytes[4])), t.length)
}

// arena holds the longer texts of a chunk until DuckDB has copied them. Its
// memory is pinned, because DuckDB has addresses in it.
type arena struct {
	free   []byte
	pinner runtime.Pinner
}

// blockBytes is the size of the blocks of memory of an arena.
const blockBytes = 256 << 10

func (a *arena) write(to *Text, s string) {
	*to = Text{length: uint32(len(s))}
	if len(s) <= maxInline {
		copy(to.bytes[:], s)
		return
	}
	kept := a.keep(s)
	copy(to.bytes[:4], s)
	binary.NativeEndian.PutUint64(to.bytes[4:], uint64(uintptr(unsafe.Pointer(unsafe.SliceData(kept)))))
}

// keep returns a copy of a text in pinned memory.
func (a *arena) keep(s string) []byte {
	if len(a.free) < len(s) {
		a.free = make([]byte, max(blockBytes, len(s)))
		a.pinner.Pin(unsafe.SliceData(a.free))
	}
	kept := a.free[:len(s):len(s)]
	a.free = a.free[copy(kept, s):]
	return kept
}

// release frees the texts.
func (a *arena) release() {
	a.pinner.Unpin()
	a.free = nil
}
