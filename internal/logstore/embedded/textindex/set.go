package textindex

import (
	"encoding/binary"
	"iter"
	"math/bits"
)

const (
	pageBits  = 16
	pageWords = 1 << (pageBits - 6)
)

// page is one run of 65536 ids. The lowest id of a word is its most
// significant bit, the order in which DuckDB stores a BIT.
type page [pageWords]uint64

// Set is a set of document ids: a bitmap in pages, of which only those that
// were written to exist. The zero value is an empty set. A set is not safe
// for use by several goroutines at once while one of them changes it.
type Set struct {
	first int64 // number of pages[0]
	pages []*page
}

// Base is the lowest id that the set has room for, a multiple of 65536. All
// sets that come from one index have the same base.
func (s *Set) Base() int64 {
	return s.first << pageBits
}

// Add puts id, which must not be negative, into the set.
func (s *Set) Add(id int64) {
	s.page(id >> pageBits).set(id)
}

func (p *page) set(id int64) {
	p[uint64(id)>>6%pageWords] |= 1 << 63 >> (uint64(id) & 63)
}

// Has reports whether id is in the set.
func (s *Set) Has(id int64) bool {
	p := s.at(id >> pageBits)
	return p != nil && p[uint64(id)>>6%pageWords]&(1<<63>>(uint64(id)&63)) != 0
}

// Empty reports whether nothing is in the set.
func (s *Set) Empty() bool {
	for _, p := range s.pages {
		if p != nil && !p.empty() {
			return false
		}
	}
	return true
}

func (p *page) empty() bool {
	for _, w := range p {
		if w != 0 {
			return false
		}
	}
	return true
}

// Count returns how many ids are in the set.
func (s *Set) Count() int {
	n := 0
	for _, p := range s.pages {
		if p == nil {
			continue
		}
		for _, w := range p {
			n += bits.OnesCount64(w)
		}
	}
	return n
}

// CountUpTo returns how many ids of the set are not above upto.
func (s *Set) CountUpTo(upto int64) int64 {
	count := 0
	for i, p := range s.pages {
		if p == nil {
			continue
		}
		id := (s.first + int64(i)) << pageBits // of the word's first bit
		for _, w := range p {
			if id > upto {
				return int64(count)
			}
			if beyond := id + 63 - upto; beyond > 0 {
				w = w >> beyond << beyond
			}
			count += bits.OnesCount64(w)
			id += 64
		}
	}
	return int64(count)
}

// Each yields the ids in rising order.
func (s *Set) Each() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for i, p := range s.pages {
			if p == nil {
				continue
			}
			id := (s.first + int64(i)) << pageBits
			for _, w := range p {
				for w != 0 {
					bit := bits.LeadingZeros64(w)
					w &^= 1 << 63 >> bit
					if !yield(id + int64(bit)) {
						return
					}
				}
				id += 64
			}
		}
	}
}

// IDs returns the lowest ids of the set, at most limit of them, in rising
// order. A limit below zero means all.
func (s *Set) IDs(limit int) []int64 {
	var ids []int64
	for id := range s.Each() {
		if limit >= 0 && len(ids) >= limit {
			break
		}
		ids = append(ids, id)
	}
	return ids
}

// Or adds the ids of other.
func (s *Set) Or(other *Set) {
	for i, p := range other.pages {
		if p == nil {
			continue
		}
		s.page(other.first + int64(i)).or(p)
	}
}

// take moves the ids of other, which is not to be used any more, into s.
func (s *Set) take(other *Set) {
	for i, p := range other.pages {
		if p == nil {
			continue
		}
		n := other.first + int64(i)
		if own := s.slot(n); *own == nil {
			*own = p
		} else {
			(*own).or(p)
		}
	}
}

func (p *page) or(other *page) {
	for i, w := range other {
		p[i] |= w
	}
}

// And removes the ids that are not in other.
func (s *Set) And(other *Set) {
	for i, p := range s.pages {
		if p == nil {
			continue
		}
		o := other.at(s.first + int64(i))
		if o == nil {
			s.pages[i] = nil
			continue
		}
		for j, w := range o {
			p[j] &= w
		}
	}
}

// AndNot removes the ids that are in other.
func (s *Set) AndNot(other *Set) {
	for i, p := range s.pages {
		o := other.at(s.first + int64(i))
		if p == nil || o == nil {
			continue
		}
		for j, w := range o {
			p[j] &^= w
		}
	}
}

// Clone returns a copy that shares nothing with the set.
func (s *Set) Clone() *Set {
	c := &Set{first: s.first, pages: make([]*page, len(s.pages))}
	for i, p := range s.pages {
		if p != nil {
			c.pages[i] = new(*p)
		}
	}
	return c
}

// Bits returns one bit per id from Base to at least upto, the lowest id in the
// most significant bit of the first byte. Cast from a BLOB to a DuckDB BIT,
// get_bit(bits, id - base) tells whether id is in the set.
func (s *Set) Bits(upto int64) []byte {
	n := max(upto-s.Base()+1, 8)
	out := make([]byte, (n+7)/8)
	for i, p := range s.pages {
		at := i * pageWords * 8
		if p == nil || at >= len(out) {
			continue
		}
		var buf [pageWords * 8]byte
		for j, w := range p {
			binary.BigEndian.PutUint64(buf[j*8:], w)
		}
		copy(out[at:], buf[:])
	}
	return out
}

// at returns page n, or nil if it does not exist.
func (s *Set) at(n int64) *page {
	if n < s.first || n-s.first >= int64(len(s.pages)) {
		return nil
	}
	return s.pages[n-s.first]
}

// page returns page n and makes it if it does not exist.
func (s *Set) page(n int64) *page {
	slot := s.slot(n)
	if *slot == nil {
		*slot = new(page)
	}
	return *slot
}

// slot returns the place of page n.
func (s *Set) slot(n int64) **page {
	s.reserve(n)
	for n-s.first >= int64(len(s.pages)) {
		s.pages = append(s.pages, nil)
	}
	return &s.pages[n-s.first]
}

// reserve makes sure that the set's base is not above page n.
func (s *Set) reserve(n int64) {
	switch {
	case len(s.pages) == 0:
		s.first = n
		s.pages = append(s.pages, nil)
	case n < s.first:
		s.pages = append(make([]*page, s.first-n), s.pages...)
		s.first = n
	}
}
