package textindex

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/logstore/words"
)

// memory is the segment that new documents go into. It has no lock of its
// own: the index holds its lock for writing around add and for reading around
// everything else, until the segment is frozen and nothing changes any more.
type memory struct {
	prev    int64 // last id before this segment, none for the first one
	span    span
	docs    int
	scanner words.Scanner
	seed    uint64 // of its hashes

	slots   []uint64 // hash table: upper half of the hash << 32 | entry + 1
	entries []entry
	terms   []byte        // the marked terms of all entries, end to end
	buckets [256][]uint32 // entries by first rune of the term: see bucketOf
	table   docTable
	pool    slicePool
}

// none stands for "no document".
const none = -1

// entry is a term and its posting list. Document numbers count from the
// segment's first id. The newest posting is kept out of the bytes of the list
// because further fields of the same document may still join its mask.
type entry struct {
	head  uint64 // see words.Hash
	term  uint32 // offset in terms
	last  uint32 // document of the newest posting
	gap   uint32 // its distance to the one before
	docs  uint32
	chain chain // the postings before the newest
	size  uint8 // length of the marked term
	mask  uint8 // fields of the newest posting
	// apostrophes says whether the term has any.
	apostrophes bool
}

func newMemory(prev int64) *memory {
	m := &memory{
		prev:  prev,
		span:  span{first: none, last: none},
		slots: make([]uint64, 1<<12),
	}
	// Nobody who sends texts should know which terms collide.
	m.seed = maphash.String(maphash.MakeSeed(), "")
	m.scanner.Seed(m.seed)
	m.entries = append(m.entries, entry{}) // the empty key
	return m
}

// fits reports whether the distance of id to the first document can be told.
func (m *memory) fits(id int64) bool {
	return m.docs == 0 || id-m.span.first <= math.MaxUint32
}

// bytes is about how much memory the segment takes.
func (m *memory) bytes() int {
	const perEntry = 56 // with its share of the buckets
	return len(m.slots)*8 + cap(m.entries)*perEntry + cap(m.terms) + m.pool.bytes() + m.table.bytes()
}

// add takes in a document. Its id must be above all before it.
func (m *memory) add(d Doc, fields []string) {
	if m.docs == 0 {
		m.span.first = d.ID
	}
	m.span.last = d.ID
	m.docs++
	m.table.add(d)
	doc, present := uint32(d.ID-m.span.first), uint8(existsBit)
	for f, text := range fields {
		if text == "" {
			continue
		}
		bit := uint8(1) << f
		present |= bit
		m.scanner.Reset(text)
		for m.scanner.Next() {
			m.post(m.entry(&m.scanner), doc, bit)
		}
	}
	m.post(&m.entries[0], doc, present)
}

// post adds doc with the fields of mask to the list of e.
func (m *memory) post(e *entry, doc uint32, mask uint8) {
	if e.docs > 0 && e.last == doc {
		e.mask |= mask
		return
	}
	if e.docs == 0 {
		e.gap = doc
	} else {
		var buf [binary.MaxVarintLen64 + 1]byte
		m.pool.append(&e.chain, appendPosting(buf[:0], uint64(e.gap), e.mask))
		e.gap = doc - e.last
	}
	e.docs++
	e.last, e.mask = doc, mask
}

// entry returns the entry of the scanner's word and makes it if it is new.
func (m *memory) entry(s *words.Scanner) *entry {
	mask := uint64(len(m.slots) - 1)
	sum, head := s.Hash()
	for i := sum & mask; ; i = (i + 1) & mask {
		slot := m.slots[i]
		if slot == 0 {
			m.slots[i] = sum>>32<<32 | uint64(len(m.entries)+1)
			return m.newEntry(s, head)
		}
		if slot>>32 != sum>>32 {
			continue
		}
		if e := &m.entries[uint32(slot)-1]; e.head == head && m.same(e, s.Marked()) {
			return e
		}
	}
}

// same reports whether e is the entry of term, given that the heads are
// equal.
func (m *memory) same(e *entry, term []byte) bool {
	return int(e.size) == len(term) && (len(term) <= 8 || bytes.Equal(m.term(e), term))
}

func (m *memory) newEntry(s *words.Scanner, head uint64) *entry {
	number, term := uint32(len(m.entries)), s.Marked()
	m.entries = append(m.entries, entry{
		head:        head,
		term:        uint32(len(m.terms)),
		size:        uint8(len(term)),
		apostrophes: s.Apostrophes(),
	})
	m.terms = append(m.terms, term...)
	bucket := bucketOf(term)
	m.buckets[bucket] = append(m.buckets[bucket], number)
	if len(m.entries)*4 > len(m.slots)*3 {
		m.grow()
	}
	return &m.entries[number]
}

// bucketOf returns the bucket of the terms with the same first rune as term. The
// many runes beyond ASCII share half of the buckets.
func bucketOf(term []byte) int {
	if term[0] < utf8.RuneSelf {
		return int(term[0])
	}
	r, _ := utf8.DecodeRune(term)
	return utf8.RuneSelf + int(r%utf8.RuneSelf)
}

// grow doubles the hash table.
func (m *memory) grow() {
	m.slots = make([]uint64, 2*len(m.slots))
	mask := uint64(len(m.slots) - 1)
	for number := 1; number < len(m.entries); number++ {
		term, _ := words.Uncut(m.term(&m.entries[number]))
		sum, _ := words.Hash(m.seed, term)
		i := sum & mask
		for m.slots[i] != 0 {
			i = (i + 1) & mask
		}
		m.slots[i] = sum>>32<<32 | uint64(number+1)
	}
}

// term returns the marked term of e.
func (m *memory) term(e *entry) []byte {
	return m.terms[e.term : e.term+uint32(e.size)]
}

// list appends the sparse posting list of e to dst.
func (m *memory) list(dst []byte, e *entry) []byte {
	dst = m.pool.read(dst, e.chain)
	if e.docs > 0 {
		dst = appendPosting(dst, uint64(e.gap), e.mask)
	}
	return dst
}
