package redact

import "math/bits"

// finder finds what a detector describes in a text. It is called with the index of
// each pair of bytes that is one of its triggers, those of words only at their
// beginning, and returns where the piece begins and ends; end is 0 if there is none.
type finder func(text string, at int) (start, end int)

// description is a detector's finder and the pairs of bytes at which it looks.
type description struct {
	triggers func(first, second byte) bool
	find     finder
}

var descriptions = map[Detector]description{
	Email:  {emailTriggers, findEmail},
	Phone:  {phoneTriggers, findPhone},
	Card:   {cardTriggers, findCard},
	IBAN:   {ibanTriggers, findIBAN},
	Secret: {secretTriggers, findSecret},
	IP:     {ipTriggers, findIP},
}

// finders are those of the detectors in use, by trigger.
type finders struct {
	list []ruledFinder
	// first has the finders that look at a byte, as bits of indexes in list, and
	// pairs those that look at it if a second one follows.
	first [256]uint8
	pairs *[256][256]uint8
}

type ruledFinder struct {
	detector Detector
	rule     int
	find     finder
}

// add adds the finder of a rule. A detector that an earlier rule has is left out:
// that rule takes all it finds.
func (f *finders) add(detector Detector, rule int) {
	for _, known := range f.list {
		if known.detector == detector {
			return
		}
	}
	if f.pairs == nil {
		f.pairs = new([256][256]uint8)
	}
	d, bit := descriptions[detector], uint8(1)<<len(f.list)
	for pair := range 1 << 16 {
		if first, second := byte(pair>>8), byte(pair); d.triggers(first, second) {
			f.first[first] |= bit
			f.pairs[first][second] |= bit
		}
	}
	f.list = append(f.list, ruledFinder{detector, rule, d.find})
}

// match is a piece of a text that a rule found.
type match struct{ start, end, rule int }

// appendMatches appends what the finders find.
func (f *finders) appendMatches(found []match, text string) []match {
	if len(f.list) == 0 {
		return found
	}
	last := len(text) - 1
	for i := 0; i < last; i++ {
		c := text[i]
		if f.first[c] != 0 {
			if wanted := f.pairs[c][text[i+1]]; wanted != 0 {
				found = f.tryAt(found, text, i, wanted)
			}
		}
		if isWord[c] { // nothing begins within a word
			for i+1 < last && isWord[text[i+1]] {
				i++
			}
		}
	}
	return found
}

func (f *finders) tryAt(found []match, text string, i int, wanted uint8) []match {
	for ; wanted != 0; wanted &= wanted - 1 {
		one := &f.list[bits.TrailingZeros8(wanted)]
		if start, end := one.find(text, i); end > 0 {
			found = append(found, match{start, end, one.rule})
		}
	}
	return found
}

// isWord has the bytes of words: a piece that is part of a longer word is not what
// it looks like.
var isWord = func() (word [256]bool) {
	for c := range word {
		b := byte(c)
		word[c] = isDigit(b) || 'a' <= b && b <= 'z' || isUpper(b) || b == '_'
	}
	return word
}()

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// byteAt returns the byte at an index, 0 outside of the text.
func byteAt(text string, i int) byte {
	if i < 0 || i >= len(text) {
		return 0
	}
	return text[i]
}

// begins reports whether a piece may begin at an index. For bytes of words, that
// was looked at before.
func begins(text string, at int) bool { return at == 0 || !isWord[text[at-1]] }

// ends reports whether a piece may end before an index.
func ends(text string, at int) bool { return at >= len(text) || !isWord[text[at]] }
