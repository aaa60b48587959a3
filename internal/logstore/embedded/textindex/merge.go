package textindex

import (
	"bytes"
	"errors"
	"fmt"
)

// errStopped says that a merge was given up because the index is closing.
var errStopped = errors.New("merge stopped")

// maxRun bounds how many segments are merged at once.
const maxRun = 64

// pickRun chooses the neighbouring segments to merge, given the number of
// documents of each, oldest first. A segment of n documents is on level
// log(n) to the base factor. A run is worth merging if it has at least factor
// segments and the result is on a higher level than any of them; thus a
// document is copied at most once per level. Runs on low levels come first.
// From equals to if there is none.
func pickRun(docs []uint64, factor int) (from, to int) {
	highest := 0
	for _, n := range docs {
		highest = max(highest, level(n, factor))
	}
	for top := range highest + 1 {
		from, sum := 0, uint64(0)
		for to := range len(docs) + 1 {
			if to < len(docs) && to-from < maxRun && level(docs[to], factor) <= top {
				sum += docs[to]
				continue
			}
			if to-from >= factor && level(sum, factor) > top {
				return from, to
			}
			from, sum = to+1, 0
		}
	}
	return 0, 0
}

func level(docs uint64, factor int) int {
	n := 0
	for docs >= uint64(factor) {
		docs /= uint64(factor)
		n++
	}
	return n
}

// mergeSegments writes one segment with the documents of all of run, which
// are neighbours in order. It asks stop from time to time.
func mergeSegments(dir string, run []*segment, stop func() bool) (*segment, error) {
	about := footer{version: run[0].version, prev: run[0].prev, span: span{run[0].span.first, run[len(run)-1].span.last}}
	for _, s := range run {
		about.docs += s.docs
	}
	w, err := newSegmentWriter(dir, about)
	if err != nil {
		return nil, fmt.Errorf("merge segments: %w", err)
	}
	for _, s := range run {
		w.table.addTable(&s.table, &Set{})
	}
	if err := mergeKeys(w, run, stop); err != nil {
		w.discard()
		return nil, fmt.Errorf("merge segments: %w", err)
	}
	path, err := w.finish()
	if err != nil {
		return nil, fmt.Errorf("merge segments: %w", err)
	}
	return openSegment(path)
}

// mergeKeys writes the keys of all segments with their lists joined.
func mergeKeys(w *segmentWriter, run []*segment, stop func() bool) error {
	var cursors []*keyCursor // those that have a key, in the order of run
	for _, s := range run {
		c := &keyCursor{cursor: s.cursor(0), key: make([]byte, 0, maxKey)}
		if c.next() {
			cursors = append(cursors, c)
		}
	}
	b := newListBuilder(w.foot.span)
	var key []byte
	for n := 0; len(cursors) > 0; n++ {
		if n%1024 == 0 && stop() {
			return errStopped
		}
		key = append(key[:0], lowestKey(cursors)...)
		b.reset()
		left := cursors[:0]
		for _, c := range cursors {
			if bytes.Equal(c.key, key) {
				b.addList(c.s, c.list)
				if !c.next() {
					continue
				}
			}
			left = append(left, c)
		}
		cursors = left
		joined, dense := b.finish()
		if err := w.add(key, joined, dense); err != nil {
			return err
		}
	}
	return nil
}

func lowestKey(cursors []*keyCursor) []byte {
	lowest := cursors[0].key
	for _, c := range cursors[1:] {
		if bytes.Compare(c.key, lowest) < 0 {
			lowest = c.key
		}
	}
	return lowest
}

// addList appends a list of a segment.
func (b *listBuilder) addList(s *segment, l list) {
	if l.dense {
		b.addDense(s.bytes(l), s.span)
	} else {
		b.addSparse(s.bytes(l), s.span.first)
	}
}
