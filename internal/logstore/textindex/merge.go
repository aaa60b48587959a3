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
// documents of each, oldest first: the first run of at least factor segments
// that all are on the lowest possible level. Level n holds the segments from
// factor^n documents up. From equals to if there is none.
func pickRun(docs []uint64, factor int) (from, to int) {
	highest := 0
	for _, n := range docs {
		highest = max(highest, level(n, factor))
	}
	for top := 0; top <= highest; top++ {
		from = 0
		for to = 0; to <= len(docs); to++ {
			if to < len(docs) && level(docs[to], factor) <= top {
				continue
			}
			if to-from >= factor {
				return from, min(to, from+maxRun)
			}
			from = to + 1
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
	about := footer{prev: run[0].prev, span: span{run[0].span.first, run[len(run)-1].span.last}}
	for _, s := range run {
		about.docs += s.docs
	}
	w, err := newSegmentWriter(dir, about)
	if err != nil {
		return nil, fmt.Errorf("merge segments: %w", err)
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
