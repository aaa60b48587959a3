package words

import "unicode/utf8"

// CutMark stands behind a term of which the word was longer. It cannot be part of a
// word.
const CutMark = 0x01

// Uncut splits the cut mark from a term.
func Uncut(marked []byte) (term []byte, cut bool) {
	if n := len(marked); n > 0 && marked[n-1] == CutMark {
		return marked[:n-1], true
	}
	return marked, false
}

// Fold appends term without its apostrophes to dst.
func Fold(dst, term []byte) []byte {
	for i := 0; i < len(term); {
		if term[i] < utf8.RuneSelf {
			if term[i] != '\'' {
				dst = append(dst, term[i])
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(term[i:])
		if r != '’' {
			dst = append(dst, term[i:i+size]...)
		}
		i += size
	}
	return dst
}
