package textbench

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/vellum"
)

// fst is the plain design of Lucene and Tantivy: segments with a finite state
// transducer for the terms and a Roaring bitmap of ids for each. Each commit writes
// a segment, and eight of about the same size are merged at once.
type fst struct {
	dir      string
	durable  bool
	pending  map[string][]uint32
	docs     int
	segments []*fstSegment // oldest first
	written  int
}

func openFST(dir string, durable bool) (engine, error) {
	return &fst{dir: dir, durable: durable, pending: map[string][]uint32{}}, nil
}

func (e *fst) add(id int64, doc document) error {
	for _, word := range distinct(doc.text()) {
		e.pending[word] = append(e.pending[word], uint32(id))
	}
	e.docs++
	return nil
}

func (e *fst) commit() error {
	w, err := e.create()
	if err != nil {
		return err
	}
	for _, term := range slices.Sorted(maps.Keys(e.pending)) {
		if err := w.add([]byte(term), roaring.BitmapOf(e.pending[term]...)); err != nil {
			return err
		}
	}
	s, err := w.finish(e.docs, e.durable)
	if err != nil {
		return err
	}
	e.segments = append(e.segments, s)
	e.pending, e.docs = map[string][]uint32{}, 0
	return e.merge()
}

func (e *fst) create() (*fstWriter, error) {
	e.written++
	return newFSTWriter(filepath.Join(e.dir, fmt.Sprintf("%06d", e.written)))
}

// mergeFactor is that of textindex.
const mergeFactor = 8

// merge joins the newest segments as long as enough of them are about as small as
// the last one.
func (e *fst) merge() error {
	for {
		from, top := len(e.segments), level(e.segments[len(e.segments)-1].docs)
		for from > 0 && level(e.segments[from-1].docs) <= top {
			from--
		}
		if len(e.segments)-from < mergeFactor {
			return nil
		}
		run := e.segments[from:]
		w, err := e.create()
		if err != nil {
			return err
		}
		docs, err := mergeFST(w, run)
		if err != nil {
			return err
		}
		merged, err := w.finish(docs, e.durable)
		if err != nil {
			return err
		}
		for _, s := range run {
			if err := errors.Join(s.close(), os.Remove(s.path)); err != nil {
				return err
			}
		}
		e.segments = append(e.segments[:from], merged)
	}
}

func level(docs int) (n int) {
	for ; docs >= mergeFactor; docs /= mergeFactor {
		n++
	}
	return n
}

func (e *fst) search(q string) (found result, err error) {
	words, err := patterns(q)
	if err != nil {
		return found, err
	}
	for _, s := range slices.Backward(e.segments) {
		var all *roaring.Bitmap
		for _, word := range words {
			one, err := s.find(word)
			if err != nil {
				return found, err
			}
			if all == nil {
				all = one
			} else {
				all.And(one)
			}
			if all.IsEmpty() {
				break
			}
		}
		found.count += int(all.GetCardinality())
		for ids := all.ReverseIterator(); ids.HasNext() && len(found.newest) < newestIDs; {
			found.newest = append(found.newest, int64(ids.Next()))
		}
	}
	return found, nil
}

func (e *fst) close() error {
	var errs []error
	for _, s := range e.segments {
		errs = append(errs, s.close())
	}
	return errors.Join(errs...)
}

// mergeFST writes the terms of all segments with their bitmaps joined.
func mergeFST(w *fstWriter, run []*fstSegment) (docs int, err error) {
	cursors := make([]*fstCursor, 0, len(run))
	for _, s := range run {
		docs += s.docs
		c := &fstCursor{segment: s}
		if c.terms, err = s.terms.Iterator(nil, nil); err == nil {
			cursors = append(cursors, c)
		} else if !errors.Is(err, vellum.ErrIteratorDone) {
			return 0, err
		}
	}
	for len(cursors) > 0 {
		term := slices.Clone(lowest(cursors))
		ids := roaring.New()
		for i := 0; i < len(cursors); i++ {
			done, err := cursors[i].take(term, ids)
			if err != nil {
				return 0, err
			}
			if done {
				cursors = slices.Delete(cursors, i, i+1)
				i--
			}
		}
		if err := w.add(term, ids); err != nil {
			return 0, err
		}
	}
	return docs, nil
}

// fstCursor is at a term of a segment.
type fstCursor struct {
	segment *fstSegment
	terms   *vellum.FSTIterator
}

func lowest(cursors []*fstCursor) []byte {
	term, _ := cursors[0].terms.Current()
	for _, c := range cursors[1:] {
		if other, _ := c.terms.Current(); string(other) < string(term) {
			term = other
		}
	}
	return term
}

// take adds the ids of the term to ids and moves on, if the cursor is there. It
// reports whether no term is left.
func (c *fstCursor) take(term []byte, ids *roaring.Bitmap) (done bool, err error) {
	current, value := c.terms.Current()
	if string(current) != string(term) {
		return false, nil
	}
	own, err := c.segment.bitmap(value)
	if err != nil {
		return false, err
	}
	ids.Or(own)
	err = c.terms.Next()
	if errors.Is(err, vellum.ErrIteratorDone) {
		return true, nil
	}
	return false, err
}
