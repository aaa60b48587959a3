package jsontree

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// AppendQuoted appends text as a JSON string. Only what JSON requires is
// escaped; invalid UTF-8 becomes the replacement character.
func AppendQuoted(dst []byte, text string) []byte {
	plain := plainPrefix(text)
	if plain == len(text) {
		dst = append(slices.Grow(dst, len(text)+2), '"')
		dst = append(dst, text...)
		return append(dst, '"')
	}
	return appendEscapedText(dst, text, plain)
}

// appendEscapedText is AppendQuoted for a text whose first bytes are plain.
func appendEscapedText(dst []byte, text string, plain int) []byte {
	dst = append(dst, '"')
	from := 0
	for i := plain; i < len(text); {
		c := text[i]
		if plainByte(c) {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			dst = appendEscaped(append(dst, text[from:i]...), c)
			from = i + 1
			i += 1 + plainPrefix(text[i+1:])
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			dst = append(dst, text[from:i]...)
			dst = utf8.AppendRune(dst, utf8.RuneError)
			from = i + 1
		}
		i += size
	}
	dst = append(dst, text[from:]...)
	return append(dst, '"')
}

func appendEscaped(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	if c == '"' || c == '\\' {
		return append(dst, '\\', c)
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// plainPrefix returns how many bytes at the start of a text are known to be
// ASCII that needs no escape: all of them, or some.
func plainPrefix(s string) int {
	text := []byte(s) // never copied: nothing changes it
	i := 0
	for ; i+8 <= len(text); i += 8 {
		if !plainWord(binary.LittleEndian.Uint64(text[i:])) {
			return i
		}
	}
	if i > 0 && plainWord(binary.LittleEndian.Uint64(text[len(text)-8:])) {
		return len(text)
	}
	for i < len(text) && plainByte(text[i]) {
		i++
	}
	return i
}

func plainByte(c byte) bool {
	return c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\'
}

// plainWord reports whether eight bytes are ASCII that needs no escape. It
// looks at all of them at the same time: a byte b is below n exactly when b-n
// borrows from its highest bit, and equals n when b^n is below 1.
func plainWord(x uint64) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	quote, backslash := x^ones*'"', x^ones*'\\'
	return (x|(x-ones*0x20)|(quote-ones)|(backslash-ones))&highs == 0
}
