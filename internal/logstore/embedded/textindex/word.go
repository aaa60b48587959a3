package textindex

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

// maxWords is how many different words of a query are looked at; those that
// come later are ignored.
const maxWords = 64

// word is one word of a query with the rules for the words it matches: all
// that start with it, and, with the same first rune, those within limit edits
// of it as a whole and those of which some prefix is within slack edits. A word
// of a run equals all that start with it: they have its characters.
type word struct {
	text  []byte // without apostrophes
	cut   bool
	run   bool
	runes []rune // of text, padded: see distance.go
	n     int    // number of runes
	limit uint8
	slack uint8
}

// Words returns the different words of a query as Match compares them, in
// the order of the text: lower case, without apostrophes, cut to 64 bytes. The
// last character of a run is no word of its own, unless it is the only one.
func Words(q string) []string {
	var words []string
	for _, w := range parseWords(q) {
		words = append(words, string(w.text))
	}
	return words
}

func parseWords(q string) []*word {
	var words []*word
	var s Scanner
	s.Reset(q)
	for len(words) < maxWords && s.Next() {
		if s.tail {
			continue // the run may go on in a text
		}
		text := appendFolded(nil, s.Term())
		if !slices.ContainsFunc(words, func(w *word) bool {
			return w.cut == s.Cut() && bytes.Equal(w.text, text)
		}) {
			words = append(words, newWord(text, s.Cut(), s.run))
		}
	}
	return words
}

func newWord(text []byte, cut, run bool) *word {
	runes := bytes.Runes(text)
	w := &word{text: text, cut: cut, run: run, n: len(runes)}
	if !run && !slices.ContainsFunc(runes, unicode.IsNumber) {
		switch {
		case w.n >= 6:
			w.limit = 2
		case w.n >= 3:
			w.limit = 1
		}
		if w.n >= 5 {
			w.slack = 1
		}
	}
	w.runes = padRunes(runes)
	return w
}

// fuzzy reports whether words with a different spelling match.
func (w *word) fuzzy() bool {
	return w.limit > 0
}

// head returns the bytes of the first rune.
func (w *word) head() []byte {
	_, size := utf8.DecodeRune(w.text)
	return w.text[:size]
}

// verdict is how a term compares with a word.
type verdict uint8

const (
	differs verdict = iota
	near            // starts with it or is spelt like it
	equal
)

// judge compares w with a term that has no apostrophes and lies in the range
// of w.head.
func (w *word) judge(rows *distance, term []byte, cut bool) verdict {
	if bytes.HasPrefix(term, w.text) {
		if w.run || len(term) == len(w.text) && cut == w.cut {
			return equal
		}
		return near
	}
	// No edit makes up for more bytes than the longest rune has.
	if !w.fuzzy() || len(term)+int(w.limit)*utf8.UTFMax < len(w.text) || !bytes.HasPrefix(term, w.head()) {
		return differs
	}
	state, depth := alive, 1
	for i := len(w.head()); i < len(term); {
		r, size := rune(term[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(term[i:])
		}
		i += size
		depth++
		if state = rows.step(w, depth, r); state != alive {
			break
		}
	}
	if state == accepted || state == alive && rows.end(w, depth) {
		return near
	}
	return differs
}
