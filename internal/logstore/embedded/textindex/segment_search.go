package textindex

import (
	"bytes"

	"github.com/promptuary/promptuary/internal/logstore/words"
)

// everything returns the list of all documents.
func (s *segment) everything() list {
	c := s.cursor(0)
	c.next()
	return c.list
}

// search returns the lists of the terms that fit p, and of those that were
// cut and might.
func (s *segment) search(p *pattern) (sure, cut []list) {
	if p.anchored() {
		return s.searchFrom(p), nil
	}
	return s.searchAll(p)
}

// searchFrom looks at the keys that start as the pattern does.
func (s *segment) searchFrom(p *pattern) (sure []list) {
	folded := words.Fold(nil, p.text)
	s.keysFrom(folded, func(key []byte, l list) bool {
		if !bytes.HasPrefix(key, folded) || p.endsWord && foldedLen(key) != len(folded) {
			return false
		}
		if raw, cut := rawTerm(key); p.fits(raw, cut) {
			sure = append(sure, l)
		}
		return true
	})
	return sure
}

// searchAll looks at all blocks that may have a key to be found.
func (s *segment) searchAll(p *pattern) (sure, cut []list) {
	f := searcher{pattern: p, automaton: newAutomaton(p.text)}
	var want signature
	want.addText(p.text, p.endsWord)
	for b := range int(s.blocks()) {
		if s.signature(b).admits(&want) {
			f.block(s, b)
		}
	}
	return f.sure, f.cut
}

// searcher runs an automaton over keys that knows after each byte how much of
// the pattern was just seen, and takes up its state where a key parts from
// the one before.
type searcher struct {
	pattern   *pattern
	automaton *automaton
	states    [maxKey + 1]uint8
	sure, cut []list
}

// block looks at the keys of one block.
func (f *searcher) block(s *segment, number int) {
	const nowhere = maxKey + 1
	found := nowhere // length of the prefix of the key that has the text
	c := s.cursor(number)
	for c.next() && c.block == number+1 {
		if c.shared < found {
			found = nowhere
		}
		end, rest := c.shared, c.suffix
		for len(rest) > 0 && rest[0] > words.CutMark {
			f.states[end+1] = f.automaton.next(f.states[end], rest[0])
			end++
			rest = rest[1:]
			if f.states[end] == f.automaton.final && found == nowhere {
				found = end
			}
		}
		fits, isCut := found != nowhere, false
		if f.pattern.endsWord {
			fits = f.states[end] == f.automaton.final
		}
		if len(rest) > 0 {
			fits, isCut = f.pattern.fitsMarked(fits, rest)
		}
		if fits {
			f.sure = append(f.sure, c.list)
		} else if isCut {
			f.cut = append(f.cut, c.list)
		}
	}
}

// automaton finds a text in a stream of bytes. Its state is how many bytes of
// the text were just seen.
type automaton struct {
	table []uint8 // 256 entries per state
	final uint8
}

// newAutomaton makes the automaton of a text that is not empty. A text longer
// than any term is never found.
func newAutomaton(text []byte) *automaton {
	if len(text) > words.MaxTerm {
		return &automaton{table: make([]uint8, 256), final: 1}
	}
	a := &automaton{table: make([]uint8, 256*(len(text)+1)), final: uint8(len(text))}
	fall := uint8(0) // state after the text without its first byte
	for i, b := range text {
		copy(a.table[i*256:(i+1)*256], a.table[int(fall)*256:])
		a.table[i*256+int(b)] = uint8(i + 1)
		if i > 0 {
			fall = a.next(fall, b)
		}
	}
	copy(a.table[len(text)*256:], a.table[int(fall)*256:(int(fall)+1)*256])
	return a
}

func (a *automaton) next(state, b uint8) uint8 {
	return a.table[int(state)*256+int(b)]
}
