package textindex

import (
	"sync"

	"github.com/promptuary/promptuary/internal/logstore/words"
)

// scratch holds the buffers in which lists in memory are put together.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// find returns the lists of the terms that equal w, and of all that match it.
func (m *memory) find(w *words.Word) (equals, all []list) {
	var rows words.Distance
	rows.Start(w)
	var buf [words.MaxTerm]byte
	for _, number := range m.buckets[bucketOf(w.Text)] {
		e := &m.entries[number]
		term, cut := words.Uncut(m.term(e))
		if e.apostrophes {
			term = words.Fold(buf[:0], term)
		}
		switch w.Judge(&rows, term, cut) {
		case words.Equal:
			equals = append(equals, m.listOf(number))
			fallthrough
		case words.Near:
			all = append(all, m.listOf(number))
		}
	}
	return equals, all
}

// listOf returns the place of the list of an entry.
func (m *memory) listOf(number uint32) list {
	return list{at: uint64(number), size: m.entries[number].chain.size + 1}
}

// or adds the documents of l that have a field of mask to dst.
func (m *memory) or(dst *Set, l list, mask uint8) {
	buf := scratch.Get().(*[]byte)
	*buf = m.list((*buf)[:0], &m.entries[l.at])
	orSparse(dst, *buf, m.span, mask)
	scratch.Put(buf)
}

// count returns the number of documents.
func (m *memory) count() int {
	return m.docs
}

// ids returns the range of the documents' ids.
func (m *memory) ids() span {
	return m.span
}

// everything returns the list of all documents.
func (m *memory) everything() list {
	return m.listOf(0)
}

// search returns the lists of the terms that fit p, and of those that were
// cut and might.
func (m *memory) search(p *pattern) (sure, cut []list) {
	first, last := 0, len(m.buckets)-1
	if p.anchored() {
		first = bucketOf(p.text)
		last = first
	}
	for _, bucket := range m.buckets[first : last+1] {
		for _, number := range bucket {
			term, isCut := words.Uncut(m.term(&m.entries[number]))
			switch {
			case p.fits(term, isCut):
				sure = append(sure, m.listOf(number))
			case isCut && p.beyondCut():
				cut = append(cut, m.listOf(number))
			}
		}
	}
	return sure, cut
}
