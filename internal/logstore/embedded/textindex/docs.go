package textindex

import (
	"encoding/binary"
	"math"
)

// Doc is a document without its texts. Queries can ask for the newest documents of
// an owner, see Newest.
type Doc struct {
	ID          int64
	Owner, Time int64
}

// docTable has the owner and the time of each document of a segment, as it is in the
// file: one after the other
//
//	pages   per run of docRun ids that has a document, three 64-bit numbers: the
//	        first id divided by docRun, the highest time, and the owner of all
//	        documents or, if there are several, minus the number of the run in owners
//	        plus one
//	times   docRun 64-bit numbers per page, noTime where there is no document
//	owners  likewise, for pages with several owners
type docTable struct {
	pages, times, owners []byte
}

const (
	docRun       = 256
	docPageSize  = 3 * 8
	docTimesSize = docRun * 8

	noTime = math.MinInt64
)

func number(b []byte, i int) int64       { return int64(binary.LittleEndian.Uint64(b[i*8:])) }
func setNumber(b []byte, i int, n int64) { binary.LittleEndian.PutUint64(b[i*8:], uint64(n)) }

// docTableSize is the length of a table in a file.
func docTableSize(pages, ownerPages uint64) uint64 {
	return pages*(docPageSize+docTimesSize) + ownerPages*docTimesSize
}

// parseDocTable reads a table of the given size.
func parseDocTable(b []byte, pages uint64) docTable {
	times, owners := pages*docPageSize, pages*(docPageSize+docTimesSize)
	return docTable{pages: b[:times], times: b[times:owners], owners: b[owners:]}
}

// count returns the number of pages.
func (t *docTable) count() int { return len(t.pages) / docPageSize }

// ownerPages returns the number of pages with several owners.
func (t *docTable) ownerPages() int { return len(t.owners) / docTimesSize }

// bytes is how much memory the table takes.
func (t *docTable) bytes() int { return cap(t.pages) + cap(t.times) + cap(t.owners) }

// docPage is a page of a table.
type docPage struct {
	first  int64 // id
	latest int64
	owner  int64  // of all documents, 0 if there are several
	times  []byte // of the ids from first on
	owners []byte // likewise, nil if there is one
}

func (t *docTable) page(i int) docPage {
	head := t.pages[i*docPageSize : (i+1)*docPageSize]
	p := docPage{first: number(head, 0) * docRun, latest: number(head, 1), owner: number(head, 2), times: t.times[i*docTimesSize : (i+1)*docTimesSize]}
	if p.owner < 0 {
		at := int(-p.owner-1) * docTimesSize
		p.owner, p.owners = 0, t.owners[at:at+docTimesSize]
	}
	return p
}

// doc returns the document at a position of the page, if there is one.
func (p *docPage) doc(i int) (d Doc, ok bool) {
	d = Doc{ID: p.first + int64(i), Owner: p.owner, Time: number(p.times, i)}
	if p.owners != nil {
		d.Owner = number(p.owners, i)
	}
	return d, d.Time != noTime
}

// add adds a document, whose id must be above all before it.
func (t *docTable) add(d Doc) {
	last := t.count() - 1
	if last < 0 || number(t.pages[last*docPageSize:], 0) != d.ID/docRun {
		t.begin(d)
		last++
	}
	head, at := t.pages[last*docPageSize:], int(d.ID%docRun)
	setNumber(head, 1, max(number(head, 1), d.Time))
	setNumber(t.times[last*docTimesSize:], at, d.Time)
	owner := number(head, 2)
	if owner > 0 && owner != d.Owner {
		owner = t.split(owner)
		setNumber(head, 2, owner)
	}
	if owner < 0 {
		setNumber(t.owners[int(-owner-1)*docTimesSize:], at, d.Owner)
	}
}

// begin adds a page for a document.
func (t *docTable) begin(d Doc) {
	for _, n := range [...]int64{d.ID / docRun, noTime, d.Owner} {
		t.pages = binary.LittleEndian.AppendUint64(t.pages, uint64(n))
	}
	t.times = appendRun(t.times, noTime)
}

// split gives the last page a place for several owners, and returns its mark.
func (t *docTable) split(owner int64) (mark int64) {
	t.owners = appendRun(t.owners, owner)
	return -int64(t.ownerPages())
}

func appendRun(dst []byte, n int64) []byte {
	for range docRun {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(n))
	}
	return dst
}

// addTable adds the documents of a later segment, without those of gone.
func (t *docTable) addTable(from *docTable, gone *Set) {
	for i := range from.count() {
		p := from.page(i)
		for at := range docRun {
			if d, ok := p.doc(at); ok && !gone.Has(d.ID) {
				t.add(d)
			}
		}
	}
}
