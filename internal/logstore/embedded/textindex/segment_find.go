package textindex

import (
	"bytes"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/logstore/words"
)

// find returns the lists of the terms that equal w, and of all that match it.
func (s *segment) find(w *words.Word) (equals, all []list) {
	if w.Run {
		all = s.findPrefix(w.Text)
		return all, all
	}
	s.keysFrom(w.Text, func(key []byte, l list) bool {
		same := bytes.HasPrefix(key, w.Text) && foldedLen(key) == len(w.Text)
		if same && (key[len(key)-1] == words.CutMark) == w.Cut {
			equals = append(equals, l)
		}
		return same
	})
	if w.Fuzzy() {
		f := finder{word: w}
		f.run(s)
		return equals, f.lists
	}
	return equals, s.findPrefix(w.Text)
}

// findPrefix returns the lists of the keys that start with text.
func (s *segment) findPrefix(text []byte) (all []list) {
	s.keysFrom(text, func(key []byte, l list) bool {
		starts := bytes.HasPrefix(key, text)
		if starts {
			all = append(all, l)
		}
		return starts
	})
	return all
}

// finder walks the part of a dictionary that starts with the first rune of a
// word. It keeps the rows of the distance for the current key and reuses
// those of the prefix that the next key shares. As soon as a prefix settles
// the matter, keys that share it are not looked at again.
type finder struct {
	word *words.Word
	rows words.Distance
	// key is the part of the current key that was looked at; depths[i] is
	// the number of runes in its first i bytes.
	key    []byte
	depths [maxKey]uint8
	// state is what is known of all keys that start with key.
	state words.State
	lists []list
}

func (f *finder) run(s *segment) {
	head := f.word.Head()
	f.rows.Start(f.word)
	f.key = append(make([]byte, 0, maxKey), head...)
	f.depths[len(head)] = 1
	c := s.cursor(s.seek(head))
	for c.next() {
		shared, suffix := c.shared, c.suffix
		if c.fresh {
			if bytes.Compare(suffix, head) < 0 {
				f.skipBefore(&c, head)
				continue
			}
			shared = sharedPrefix(f.key, suffix)
			suffix = suffix[shared:]
		}
		switch {
		case f.state != words.Alive && shared >= len(f.key):
			f.settled(c.list)
		case shared < len(head):
			return // beyond the range
		default:
			f.visit(shared, suffix, c.list)
		}
		if f.state == words.Dead && c.pos == c.end {
			c.skipBlocks(f.key)
		}
	}
}

// skipBefore moves through a block that starts before the range of head, up
// to and including its first key within the range.
func (f *finder) skipBefore(c *cursor, head []byte) {
	k := keyCursor{cursor: *c, key: append(make([]byte, 0, maxKey), c.suffix...)}
	for k.pos != k.end && k.next() {
		if bytes.HasPrefix(k.key, head) {
			f.visit(len(head), k.key[len(head):], k.list)
			break
		}
	}
	*c = k.cursor
}

// settled deals with a key that shares a prefix whose state is known.
func (f *finder) settled(l list) {
	if f.state == words.Accepted {
		f.lists = append(f.lists, l)
	}
}

// visit looks at a key of which shared bytes are known and suffix is new.
func (f *finder) visit(shared int, suffix []byte, l list) {
	f.key = f.key[:shared]
	f.state = words.Alive
	depth := int(f.depths[shared])
	for len(suffix) > 0 && suffix[0] > words.CutMark {
		r, size := rune(suffix[0]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(suffix)
		}
		f.key = append(f.key, suffix[:size]...)
		suffix = suffix[size:]
		depth++
		f.depths[len(f.key)] = uint8(depth)
		if f.state = f.rows.Step(f.word, depth, r); f.state != words.Alive {
			break
		}
	}
	if f.state == words.Accepted || f.state == words.Alive && f.rows.End(f.word, depth) {
		f.lists = append(f.lists, l)
	}
}
