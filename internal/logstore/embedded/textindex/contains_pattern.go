package textindex

import (
	"bytes"
	"unicode/utf8"
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
	rest, cut = cutTerm(rest)
	switch {
	case len(rest) > 0:
		fits = p.fits(rest[1:], cut)
	case p.endsWord:
		fits = false // nobody knows how the word ends
	}
	return fits, cut
}

// parsePatterns finds the patterns of a value that occurs somewhere in a
// text, or right at its start or end. Complete says that the one pattern is
// all there is to the value, so that a word which fits is proof.
//
// What stands next to the value in the text is not known. A run at the edge
// of the value may thus be a part of a longer word, and apostrophes and marks
// there may or may not belong to one; they are left out of the pattern.
func parsePatterns(value string, atStart, atEnd bool) (patterns []pattern, complete bool) {
	var run []byte    // lower-case letters, digits, marks and apostrophes
	var core, end int // where its first letter is, and the end without apostrophes
	began := atStart
	flush := func(ends bool) {
		if end > core {
			patterns = append(patterns, newPattern(run[core:end], began, ends))
			complete = end-core == len(run)
		}
		run, core, end = run[:0], 0, 0
	}
	for _, r := range value {
		r, class := lowerRune(r)
		if class == separator {
			flush(true)
			began = true
			continue
		}
		at := len(run)
		run = utf8.AppendRune(run, r)
		switch {
		case class == wordRune && end == 0:
			core, end = at, len(run)
		case class != apostrophe && end > 0:
			end = len(run)
		}
	}
	whole := !began && len(run) > 0
	flush(atEnd)
	return patterns, complete && whole && !atEnd && len(patterns) == 1
}

func newPattern(text []byte, starts, ends bool) pattern {
	p := pattern{startsWord: starts, endsWord: ends}
	if !starts {
		p.text = append(p.text, text...)
		return p
	}
	var s Scanner
	s.Reset(string(text))
	s.Next()
	p.text = append(p.text, s.Term()...)
	p.cut = s.Cut()
	return p
}
