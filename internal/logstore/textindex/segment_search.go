package textindex

import "bytes"

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
	folded := appendFolded(nil, p.text)
	s.keysFrom(folded, func(key []byte, l list) bool {
		if !bytes.HasPrefix(key, folded) || p.endsWord && foldedLen(key) != len(folded) {
			return false
		}
		if _, raw, cut := splitKey(key); p.fits(raw, cut) {
			sure = append(sure, l)
		}
		return true
	})
	return sure
}

// searchAll looks at all keys. It runs an automaton that knows after each
// byte how much of the pattern was just seen, and takes up its state where
// the key parts from the one before.
func (s *segment) searchAll(p *pattern) (sure, cut []list) {
	a := newAutomaton(p.text)
	var states [maxKey + 1]uint8
	const nowhere = maxKey + 1
	found := nowhere // length of the prefix of the key that has the text
	c := s.cursor(0)
	c.next() // the empty key is no term
	for c.next() {
		if c.shared < found {
			found = nowhere
		}
		end, rest := c.shared, c.suffix
		for len(rest) > 0 && rest[0] > cutMark {
			states[end+1] = a.next(states[end], rest[0])
			end++
			rest = rest[1:]
			if states[end] == a.final && found == nowhere {
				found = end
			}
		}
		fits := found != nowhere
		if p.endsWord {
			fits = len(rest) == 0 && states[end] == a.final
		}
		isCut := false
		if len(rest) > 0 {
			fits, isCut = p.fitsMarked(fits, rest)
		}
		if fits {
			sure = append(sure, c.list)
		} else if isCut {
			cut = append(cut, c.list)
		}
	}
	return sure, cut
}

// fitsMarked decides about a key that has the marks rest behind its folded
// part, which fits or not.
func (p *pattern) fitsMarked(fits bool, rest []byte) (now, cut bool) {
	rest, cut = cutTerm(rest)
	if len(rest) > 0 {
		fits = p.fits(rest[1:], cut)
	}
	return fits, cut
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
	if len(text) > maxTerm {
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
