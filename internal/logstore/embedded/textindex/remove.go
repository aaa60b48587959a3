package textindex

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Removed is what Remove has changed.
type Removed struct {
	// Docs is the number of documents that are gone or have no words any more, and Segments that of the files
	// which were rewritten.
	Docs     int64
	Segments int
	// Before and After are the sizes of these files.
	Before, After int64
}

// Remove removes documents, and the texts of others, which stay without words. The
// files that have one of them are rewritten; queries go on in the meantime, and may find
// the documents until it returns. Documents that the index does not have are
// ignored. After an error or a crash, each file is as before or as after. It gives
// up with ErrClosed when stop returns true. It tells progress what it has changed so
// far, after each file.
func (ix *Index) Remove(gone, blank *Set, progress func(Removed), stop func() bool) (Removed, error) {
	var r Removed
	drop := gone.Clone()
	drop.Or(blank)
	if drop.Empty() {
		return r, nil
	}
	end, err := ix.beginRemoval(drop)
	if err != nil {
		return r, fmt.Errorf("remove documents: %w", err)
	}
	defer end()
	ix.mu.RLock()
	segments := ix.segments
	for _, s := range segments {
		s.acquire()
	}
	ix.mu.RUnlock()
	defer releaseAll(segments)
	for _, s := range segments {
		if err := ix.removeFrom(s, gone, drop, stop, &r); err != nil {
			return r, fmt.Errorf("remove documents: %w", err)
		}
		progress(r)
	}
	return r, nil
}

// beginRemoval writes the documents to disk if any of them is in memory, and keeps
// merges away until end is called.
func (ix *Index) beginRemoval(gone *Set) (end func(), err error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.closed {
		return nil, ErrClosed
	}
	if gone.upTo(ix.last) > ix.saved {
		if err := ix.flush(); err != nil {
			return nil, err
		}
	}
	for ix.merging && !ix.closed {
		ix.changed.Wait()
	}
	if ix.closed {
		return nil, ErrClosed
	}
	ix.merging = true
	ix.background.Add(1)
	return func() {
		ix.mu.Lock()
		ix.merging = false
		nudge(ix.mergeNudge)
		ix.changed.Broadcast()
		ix.mu.Unlock()
		ix.background.Done()
	}, nil
}

// upTo returns the highest id of the set that is not above a limit, or none.
func (s *Set) upTo(limit int64) int64 {
	highest := int64(none)
	for id := range s.Each() {
		if id > limit {
			break
		}
		highest = id
	}
	return highest
}

// removeFrom writes a segment again, if it has any of the documents: those of gone
// go, and the others of drop lose their words.
func (ix *Index) removeFrom(s *segment, gone, drop *Set, stop func() bool, r *Removed) (err error) {
	var docs int64
	var fresh *segment
	fault := guarded(func() {
		// Documents without words count only if they go.
		var here, worded Set
		s.or(&here, s.everything(), existsBit)
		here.And(gone)
		s.or(&worded, s.everything(), anyField)
		worded.And(drop)
		worded.Or(&here)
		if docs = int64(worded.Count()); docs > 0 {
			fresh, err = rewriteSegment(ix.dir, s, removal{gone: &here, drop: drop}, func() bool { return ix.stop.Load() || stop() })
		}
	})
	if fault != nil {
		ix.note(fault)
		return fault
	}
	if errors.Is(err, errStopped) {
		return ErrClosed
	}
	if err != nil || docs == 0 {
		return err
	}
	r.Docs += docs
	r.Segments++
	r.Before += int64(len(s.data))
	r.After += int64(len(fresh.data))
	ix.replace([]*segment{s}, fresh)
	s.release() // the reference of the index
	return nil
}

// removal is what a segment loses: documents, and the words of these and others.
type removal struct{ gone, drop *Set }

// rewriteSegment writes a segment without some of its documents.
func rewriteSegment(dir string, s *segment, lost removal, stop func() bool) (*segment, error) {
	about := footer{version: s.version, prev: s.prev, span: s.span, docs: s.docs - uint64(lost.gone.Count())}
	w, err := newSegmentWriter(dir, about)
	if err != nil {
		return nil, err
	}
	w.table.addTable(&s.table, lost.gone)
	if err := copyKeys(w, s, lost, stop); err != nil {
		w.discard()
		return nil, err
	}
	path, err := w.finish()
	if err != nil {
		return nil, err
	}
	return openSegment(path)
}

// copyKeys copies the keys that are left. The empty key always is: it has all
// documents, with the fields that have words.
func copyKeys(w *segmentWriter, s *segment, lost removal, stop func() bool) error {
	b := newListBuilder(s.span)
	c := &keyCursor{cursor: s.cursor(0), key: make([]byte, 0, maxKey)}
	var scratch []byte
	for n := 0; c.next(); n++ {
		if n%1024 == 0 && stop() {
			return errStopped
		}
		b.reset()
		if c.list.dense {
			scratch = lost.fromDense(scratch[:0], s.bytes(c.list), s.span)
			b.addDense(scratch, s.span)
		} else {
			scratch = lost.fromSparse(scratch[:0], s.bytes(c.list), s.span.first)
			b.addSparse(scratch, s.span.first)
		}
		list, dense := b.finish()
		if len(c.key) > 0 && len(list) == 0 {
			continue
		}
		if err := w.add(c.key, list, dense); err != nil {
			return err
		}
	}
	return nil
}

// fromDense appends what is left of a dense list.
func (r removal) fromDense(dst, list []byte, s span) []byte {
	start := len(dst)
	dst = append(dst, list...)
	copied := dst[start:]
	eachBitmap(copied, s, func(field int, bitmap []byte) {
		lost := r.drop
		if 1<<field == existsBit {
			lost = r.gone
		}
		for i := range len(bitmap) / 8 {
			if bits := lost.word(s.first>>6 + int64(i)); bits != 0 {
				word := bitmap[i*8:]
				binary.BigEndian.PutUint64(word, binary.BigEndian.Uint64(word)&^bits)
			}
		}
	})
	return dst
}

// word returns the bits of 64 ids.
func (s *Set) word(number int64) uint64 {
	p := s.at(number / pageWords)
	if p == nil {
		return 0
	}
	return p[number%pageWords]
}

// fromSparse appends what is left of a sparse list.
func (r removal) fromSparse(dst, list []byte, first int64) []byte {
	id, last := first, first
	for len(list) > 0 {
		gap, mask, size := readPosting(list)
		if size == 0 {
			return dst // damaged
		}
		list = list[size:]
		id += int64(gap)
		if r.drop.Has(id) {
			mask &= existsBit
			if r.gone.Has(id) {
				mask = 0
			}
		}
		if mask != 0 {
			dst = appendPosting(dst, uint64(id-last), mask)
			last = id
		}
	}
	return dst
}
