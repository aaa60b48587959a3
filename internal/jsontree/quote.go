package jsontree

import "unicode/utf8"

// AppendQuoted appends text as a JSON string. Only what JSON demands is
// escaped; bytes that are no UTF-8 become the replacement character.
func AppendQuoted(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' {
				i++
				continue
			}
			dst = append(dst, text[from:i]...)
			if c == '"' || c == '\\' {
				dst = append(dst, '\\', c)
			} else {
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
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
