package textindex

import (
	"bytes"
	"encoding/binary"
)

// cursor walks over the entries of a dictionary in order. It does not put
// the keys together: it tells what is new in each.
type cursor struct {
	s     *segment
	block int // next block to enter
	pos   int
	end   int
	at    uint64 // of the next list in the postings

	// fresh says that the entry is the first of a block, so that suffix is
	// the whole key whatever it shares with the one before.
	fresh  bool
	shared int
	suffix []byte
	list   list
}

// cursor returns a cursor before the first entry of a block.
func (s *segment) cursor(block int) cursor {
	return cursor{s: s, block: block}
}

// next moves to the next entry and reports whether there is one.
func (c *cursor) next() bool {
	c.fresh = c.pos == c.end
	if c.fresh {
		if c.block >= int(c.s.blocks()) {
			return false
		}
		c.enter()
	}
	dict := c.s.dict
	c.shared = int(dict[c.pos])
	start := c.pos + 2
	stop := start + int(dict[c.pos+1])
	c.suffix = dict[start:stop]
	size := uint64(dict[stop])
	stop++
	if size >= 0x80 {
		var n int
		size, n = binary.Uvarint(dict[stop-1:])
		stop += n - 1
	}
	c.pos = stop
	c.list = list{at: c.at, size: uint32(size >> 1), dense: size&1 != 0}
	c.at += size >> 1
	return true
}

func (c *cursor) enter() {
	start, at := c.s.block(c.block)
	c.block++
	end, _ := c.s.block(c.block)
	c.pos, c.end, c.at = int(start), int(end), at
}

// skipBlocks leaves out the blocks ahead whose keys all start with prefix.
// The cursor must be at the end of a block.
func (c *cursor) skipBlocks(prefix []byte) {
	for c.block+1 < int(c.s.blocks()) && bytes.HasPrefix(c.s.firstKey(c.block), prefix) &&
		bytes.HasPrefix(c.s.firstKey(c.block+1), prefix) {
		c.block++
	}
}

// keyCursor is a cursor that does put the keys together.
type keyCursor struct {
	cursor
	key []byte
}

func (c *keyCursor) next() bool {
	if !c.cursor.next() {
		return false
	}
	c.key = append(c.key[:c.shared], c.suffix...)
	return true
}

// keysFrom calls fn for the keys from the given one on until it returns false.
func (s *segment) keysFrom(key []byte, fn func(key []byte, l list) bool) {
	c := keyCursor{cursor: s.cursor(s.seek(key)), key: make([]byte, 0, maxKey)}
	for c.next() {
		if bytes.Compare(c.key, key) >= 0 && !fn(c.key, c.list) {
			return
		}
	}
}
