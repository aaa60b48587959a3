package textindex

import (
	"bytes"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/logstore/words"
)

// A key is a term as the dictionary sorts it: the term without apostrophes,
// then, only if it has apostrophes, rawMark and the exact term, then, only if
// the word was longer than a term may be, words.CutMark. Neither mark can be part
// of a word. Bytewise order thus puts all spellings of a word side by side
// and makes "starts with" a range.
//
// The empty key stands for "any text at all": every document has a posting
// there, with the fields that are not empty and existsBit.
const (
	rawMark = 0x00
	// maxKey is the length of the longest key.
	maxKey = 2*words.MaxTerm + 2
)

// appendKey appends the key of a marked term to dst.
func appendKey(dst, marked []byte) []byte {
	term, cut := words.Uncut(marked)
	at := len(dst)
	dst = words.Fold(dst, term)
	if len(dst)-at != len(term) {
		dst = append(dst, rawMark)
		dst = append(dst, term...)
	}
	if cut {
		dst = append(dst, words.CutMark)
	}
	return dst
}

// rawTerm returns the term of a key as it was written.
func rawTerm(key []byte) (raw []byte, cut bool) {
	key, cut = words.Uncut(key)
	if i := bytes.IndexByte(key, rawMark); i >= 0 {
		return key[i+1:], cut
	}
	return key, cut
}

// foldedLen is the length of the part of key before its marks.
func foldedLen(key []byte) int {
	for i, c := range key {
		if c <= words.CutMark {
			return i
		}
	}
	return len(key)
}

// sharedPrefix is the length of the longest common prefix of two keys that
// ends between runes and before the marks.
func sharedPrefix(a, b []byte) int {
	n, i := min(len(a), len(b)), 0
	for i < n && a[i] == b[i] && a[i] > words.CutMark {
		i++
	}
	for i > 0 && (i < len(a) && !utf8.RuneStart(a[i]) || i < len(b) && !utf8.RuneStart(b[i])) {
		i--
	}
	return i
}
