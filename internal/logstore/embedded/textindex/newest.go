package textindex

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Wanted chooses documents of a set: those of an owner with an id of at most UpTo
// and a time from From to To.
type Wanted struct {
	Owner, UpTo int64
	From, To    int64
}

// Newest returns how many documents of a set, which the index has found, are wanted,
// and the ids of the n newest of them, by time and then by id. It fails if a segment is damaged or the index is
// closed.
func (ix *Index) Newest(found *Set, w Wanted, n int) (ids []int64, total int64, err error) {
	top := newest{found: found, wanted: w, n: n, lowest: Doc{Time: noTime}}
	ix.mu.RLock()
	if ix.closed {
		ix.mu.RUnlock()
		return nil, 0, ErrClosed
	}
	top.add(&ix.mem.table, ix.mem.span)
	frozen, segments := ix.frozen, ix.segments
	for _, s := range segments {
		s.acquire()
	}
	ix.mu.RUnlock()
	defer releaseAll(segments)
	// Ids are almost in the order of times, so most pages of older segments have
	// no document that is new enough.
	for _, m := range slices.Backward(frozen) {
		top.add(&m.table, m.span)
	}
	for _, s := range slices.Backward(segments) {
		if err := guarded(func() { top.add(&s.table, s.span) }); err != nil {
			ix.note(err)
			return nil, 0, err
		}
	}
	top.cut()
	for _, d := range top.docs {
		ids = append(ids, d.ID)
	}
	return ids, top.total, ix.Damaged()
}

// newest collects the newest documents of a set.
type newest struct {
	found  *Set
	wanted Wanted
	n      int
	total  int64
	// docs has all of the n newest until now. Once it was cut, those before lowest are
	// not among them.
	docs   []Doc
	lowest Doc
}

// add adds the documents of a segment. The first and the last page may also be pages
// of its neighbours, with other documents.
func (t *newest) add(table *docTable, ids span) {
	ids.last = min(ids.last, t.wanted.UpTo)
	for i := table.count() - 1; i >= 0; i-- {
		p := table.page(i)
		if p.first <= ids.last && p.latest >= t.wanted.From && (p.owner == 0 || p.owner == t.wanted.Owner) {
			t.addPage(&p, ids)
		}
	}
}

// addPage adds the documents of a page with one of the ids, 64 at a time.
func (t *newest) addPage(p *docPage, ids span) {
	all := p.owner != 0 && t.wanted.From == math.MinInt64 && t.wanted.To == math.MaxInt64
	for word := range docRun / 64 {
		first := p.first + int64(word)*64
		set := t.found.word(first / 64)
		if before := ids.first - first; before > 0 {
			set = set << before >> before
		}
		if after := first + 63 - ids.last; after > 0 {
			set = set >> after << after
		}
		if set == 0 {
			continue
		}
		if all && p.latest < t.lowest.Time {
			t.total += int64(bits.OnesCount64(set)) // none is new enough
			continue
		}
		for ; set != 0; set &^= 1 << 63 >> bits.LeadingZeros64(set) {
			d, ok := p.doc(word*64 + bits.LeadingZeros64(set))
			if ok && d.Owner == t.wanted.Owner && d.Time >= t.wanted.From && d.Time <= t.wanted.To {
				t.total++
				t.consider(d)
			}
		}
	}
}

// consider adds a document if it may be one of the newest.
func (t *newest) consider(d Doc) {
	if t.n == 0 || newestFirst(d, t.lowest) > 0 {
		return
	}
	if t.docs = append(t.docs, d); len(t.docs) >= 2*t.n+64 {
		t.cut()
	}
}

// cut sorts the documents and drops those that are not among the n newest.
func (t *newest) cut() {
	slices.SortFunc(t.docs, newestFirst)
	if t.n > 0 && len(t.docs) >= t.n {
		t.docs = t.docs[:t.n]
		t.lowest = t.docs[t.n-1]
	}
}

func newestFirst(a, b Doc) int {
	return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(b.ID, a.ID))
}
