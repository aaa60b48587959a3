package words

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

// MaxWords is how many different words of a query are looked at; those that
// come later are ignored.
const MaxWords = 64

// Word is one word of a query with the rules for the terms it matches: all
// that start with it, and, with the same first rune, those within limit edits
// of it as a whole and those of which some prefix is within slack edits. A word
// of a run equals all that start with it: they have its characters.
type Word struct {
	// Text is the word in lower case, without apostrophes, cut to MaxTerm bytes.
	Text []byte
	// Cut says that the word was longer, Run that it is of a script without spaces.
	Cut, Run bool

	runes []rune // of Text, padded: see distance.go
	n     int    // number of runes
	limit uint8
	slack uint8
}

// Parse returns the different words of a query in the order of its text. The last
// character of a run is no word of its own, unless it is the only one.
func Parse(q string) []*Word {
	var words []*Word
	var s Scanner
	s.Reset(q)
	for len(words) < MaxWords && s.Next() {
		if s.tail {
			continue // the run may go on in a text
		}
		text := Fold(nil, s.Term())
		if !slices.ContainsFunc(words, func(w *Word) bool {
			return w.Cut == s.Cut() && bytes.Equal(w.Text, text)
		}) {
			words = append(words, newWord(text, s.Cut(), s.run))
		}
	}
	return words
}

func newWord(text []byte, cut, run bool) *Word {
	runes := bytes.Runes(text)
	w := &Word{Text: text, Cut: cut, Run: run, n: len(runes)}
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
	w.runes = pad(runes)
	return w
}

// Len returns the number of runes.
func (w *Word) Len() int { return w.n }

// Fuzzy reports whether words with a different spelling match.
func (w *Word) Fuzzy() bool {
	return w.limit > 0
}

// Head returns the bytes of the first rune.
func (w *Word) Head() []byte {
	_, size := utf8.DecodeRune(w.Text)
	return w.Text[:size]
}

// Verdict is how a term compares with a word.
type Verdict uint8

const (
	// Differs says that the term does not match.
	Differs Verdict = iota
	// Near says that it starts with the word or is spelt like it.
	Near
	// Equal says that it is the word.
	Equal
)

// Judge compares w with a term that has no apostrophes and lies in the range
// of Head.
func (w *Word) Judge(rows *Distance, term []byte, cut bool) Verdict {
	if bytes.HasPrefix(term, w.Text) {
		if w.Run || len(term) == len(w.Text) && cut == w.Cut {
			return Equal
		}
		return Near
	}
	// No edit makes up for more bytes than the longest rune has.
	if !w.Fuzzy() || len(term)+int(w.limit)*utf8.UTFMax < len(w.Text) || !bytes.HasPrefix(term, w.Head()) {
		return Differs
	}
	state, depth := Alive, 1
	for i := len(w.Head()); i < len(term); {
		r, size := rune(term[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(term[i:])
		}
		i += size
		depth++
		if state = rows.Step(w, depth, r); state != Alive {
			break
		}
	}
	if state == Accepted || state == Alive && rows.End(w, depth) {
		return Near
	}
	return Differs
}
