package jsontree

import "unicode/utf8"

// AppendQuoted appends text as a JSON string. Only what JSON requires is
// escaped; invalid UTF-8 becomes the replacement character.
func AppendQuoted(dst []byte, text string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(text); {
		if i+8 <= len(text) && plainWord(text[i:i+8]) {
			i += 8
			continue
		}
		c := text[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' {
				i++
				continue
			}
			dst = appendEscaped(append(dst, text[from:i]...), c)
			i++
			from = i
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

// plainWord reports whether eight bytes are ASCII that needs no escape. It
// looks at all of them at the same time: a byte x is below n exactly when
// x-n borrows from its highest bit, and equals n when x^n is below 1.
func plainWord(s string) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	_ = s[7]
	x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	quote, backslash := x^ones*'"', x^ones*'\\'
	return (x|(x-ones*0x20)|(quote-ones)|(backslash-ones))&highs == 0
}
