package textindex

import (
	"bytes"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/logstore/words"
)

// pattern is what one run of letters and digits in a substring says about the
// words of a text that contains it: some word has this text in it, at its
// start if startsWord, at its end if endsWord.
type pattern struct {
	text                 []byte
	startsWord, endsWord bool
	// cut says that text is only the start of a word too long for a term. It
	// is set only together with startsWord.
	cut bool
}

// anchored reports whether a look at one place of the dictionary is enough.
func (p *pattern) anchored() bool {
	return p.startsWord
}

// beyondCut reports whether the part of a term that was cut away decides.
func (p *pattern) beyondCut() bool {
	return !p.startsWord
}

// fits reports whether a term is as the pattern wants it.
func (p *pattern) fits(term []byte, cut bool) bool {
	switch {
	case p.startsWord && p.endsWord:
		return cut == p.cut && bytes.Equal(term, p.text)
	case p.startsWord && p.cut:
		return cut && bytes.Equal(term, p.text)
	case p.startsWord:
		return bytes.HasPrefix(term, p.text)
	case p.endsWord:
		return !cut && bytes.HasSuffix(term, p.text)
	}
	return bytes.Contains(term, p.text)
}

// fitsMarked decides about a key that has the marks rest behind its folded
// part, which fits or not.
func (p *pattern) fitsMarked(fits bool, rest []byte) (now, cut bool) {
	rest, cut = words.Uncut(rest)
	switch {
	case len(rest) > 0:
		fits = p.fits(rest[1:], cut)
	case p.endsWord:
		fits = false // nobody knows how the word ends
	}
	return fits, cut
}

// maxPatterns is how many patterns of a value are looked at. Those that come
// later would hardly narrow anything down.
const maxPatterns = 64

// parsePatterns finds the patterns of a value that occurs somewhere in a
// text, or right at its start or end. Complete says that the one pattern is
// all there is to the value, so that a word which fits is proof.
//
// What stands next to the value in the text is not known. A run of letters at
// the edge of the value may thus be a part of a longer word, and apostrophes and
// marks there may or may not belong to one; they are left out of the pattern.
func parsePatterns(value string, atStart, atEnd bool) (patterns []pattern, complete bool) {
	p := patternParser{began: atStart}
	size := 0
	for _, r := range value {
		r, class := words.Lower(r)
		size += utf8.RuneLen(r)
		p.add(r, class)
		if len(p.patterns) >= maxPatterns {
			return p.patterns[:maxPatterns], false
		}
	}
	p.flush(atEnd)
	return p.patterns, len(p.patterns) == 1 && len(p.patterns[0].text) == size && !atStart && !atEnd
}

// patternParser collects the runes of one word, or of one run of a script
// without spaces, and makes patterns of them.
type patternParser struct {
	patterns []pattern
	run      []byte // lower-case letters, digits, marks and apostrophes
	// core is where the first letter of a word is, end its end without
	// apostrophes, began whether the word cannot have begun earlier.
	core, end int
	began     bool
	// characters are where the last two characters of a script without spaces
	// start. There are none in a word.
	characters []int
}

func (p *patternParser) add(r rune, class uint8) {
	inRun := len(p.characters) > 0
	switch {
	case class == words.RunLetter:
		if !inRun {
			p.flush(true)
		}
		p.addCharacter(r)
		return
	case class == words.Mark && inRun:
		p.run = utf8.AppendRune(p.run, r)
		return
	case class == words.Separator || inRun:
		p.flush(true)
		p.began = true
	}
	if class == words.Separator {
		return
	}
	at := len(p.run)
	p.run = utf8.AppendRune(p.run, r)
	switch {
	case class == words.Letter && p.end == 0:
		p.core, p.end = at, len(p.run)
	case class != words.Apostrophe && p.end > 0:
		p.end = len(p.run)
	}
}

// addCharacter starts a character. The two before it are known to be a word.
func (p *patternParser) addCharacter(r rune) {
	if len(p.characters) == 2 {
		p.patterns = append(p.patterns, newPattern(p.run, true, true))
		p.run = append(p.run[:0], p.run[p.characters[1]:]...)
		p.characters = p.characters[:1]
	}
	p.characters = append(p.characters, len(p.run))
	p.run = utf8.AppendRune(p.run, r)
}

// flush makes a pattern of what is left of a word or run. Ends says that it
// cannot go on in the text.
func (p *patternParser) flush(ends bool) {
	switch {
	case len(p.characters) > 0:
		p.patterns = append(p.patterns, newPattern(p.run, true, ends))
	case p.end > p.core:
		p.patterns = append(p.patterns, newPattern(p.run[p.core:p.end], p.began, ends))
	}
	p.run, p.core, p.end, p.characters = p.run[:0], 0, 0, p.characters[:0]
}

func newPattern(text []byte, starts, ends bool) pattern {
	p := pattern{startsWord: starts, endsWord: ends}
	if !starts {
		p.text = append(p.text, text...)
		return p
	}
	var s words.Scanner
	s.Reset(string(text))
	s.Next()
	p.text = append(p.text, s.Term()...)
	p.cut = s.Cut()
	return p
}
