// Package ascii looks at eight bytes of a text at the same time, which takes less time
// than looking at one after the other: words are short, and a processor guesses wrongly
// where each of them ends.
package ascii

import (
	"encoding/binary"
	"math/bits"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// Bytes are eight bytes of a text, the first one in the lowest bits.
type Bytes uint64

// At returns the bytes of a text from an index on, with zeros behind its end.
func At(text string, at int) Bytes {
	if rest := []byte(text[at:]); len(rest) >= 8 { // never copied: nothing changes it
		return Bytes(binary.LittleEndian.Uint64(rest))
	}
	var padded [8]byte
	copy(padded[:], text[at:])
	return Bytes(binary.LittleEndian.Uint64(padded[:]))
}

// Lower returns the bytes with letters in lower case. Bytes that are neither letters nor
// digits may change.
func (b Bytes) Lower() Bytes { return b | ones*0x20 }

// Prefix returns the first bytes as one number, of which the first byte is the highest.
func (b Bytes) Prefix(n int) uint64 { return bits.ReverseBytes64(uint64(b)) >> (64 - 8*n) }

// Mask marks some of eight bytes, each by its highest bit.
type Mask uint64

// Words marks the letters and the digits.
func (b Bytes) Words() Mask {
	low := b &^ highs
	return (within(low|ones*0x20, 'a', 'z') | within(low, '0', '9')) &^ Mask(b)
}

// within marks the bytes, all of which are below 0x80, that are in a range. It adds to
// each byte what carries into its highest bit from the first, and from behind the last
// byte of the range on.
func within(b Bytes, first, last byte) Mask {
	return Mask((b + ones*Bytes(0x80-first)) &^ (b + ones*Bytes(0x7f-last)) & highs)
}

// Starts marks the bytes that are marked while the byte before is not. The byte before
// the first one is marked if the highest byte of before is.
func (m Mask) Starts(before Mask) Mask { return m &^ (m<<8 | before>>56) }

// First returns the index of the first marked byte, 8 if none is.
func (m Mask) First() int { return bits.TrailingZeros64(uint64(m)) / 8 }

// Run returns how many bytes at the beginning are marked.
func (m Mask) Run() int { return (m ^ highs).First() }

// Rest returns the mask without its first marked byte.
func (m Mask) Rest() Mask { return m & (m - 1) }
