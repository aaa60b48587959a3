package textindex

import (
	"cmp"
	"slices"
)

const (
	// bytesPerDoc bounds the posting lists that one pattern may read: this
	// many bytes for each document of the segment. A pattern that needs more
	// fits nearly everywhere, and looking at the texts costs less.
	bytesPerDoc = 8
	// fewEnough is the number of candidates in a segment at which looking at
	// their texts costs less than walking a whole dictionary.
	fewEnough = 256
)

// Contains looks for documents of which the text of field contains value,
// both in lower case. Those in sure do; those in maybe, none of which is in
// sure, may or may not; all others do not. The sets belong to the caller.
func (ix *Index) Contains(field int, value string) (sure, maybe *Set) {
	return ix.search(field, value, false, false)
}

// Prefix returns the documents of which the text of field may start with
// value, both in lower case; all others do not.
func (ix *Index) Prefix(field int, value string) (maybe *Set) {
	_, maybe = ix.search(field, value, true, false)
	return maybe
}

// Suffix returns the documents of which the text of field may end with value,
// both in lower case; all others do not.
func (ix *Index) Suffix(field int, value string) (maybe *Set) {
	_, maybe = ix.search(field, value, false, true)
	return maybe
}

// search does the work of Contains, also for a value that is to be at the
// start or the end of the text; then nothing is sure.
func (ix *Index) search(field int, value string, atStart, atEnd bool) (sure, maybe *Set) {
	patterns, complete := parsePatterns(value, atStart, atEnd)
	mask := fieldMask([]int{field})
	if value == "" {
		mask |= existsBit // which even a document without the field has
	}
	// Cheap look-ups first, then those that leave least.
	slices.SortStableFunc(patterns, func(a, b pattern) int {
		if a.anchored() != b.anchored() {
			if a.anchored() {
				return -1
			}
			return 1
		}
		return cmp.Compare(len(b.text), len(a.text))
	})
	found := ix.query(func(src source) *answer {
		if complete {
			return proveSource(src, &patterns[0], mask)
		}
		return &answer{second: *candidates(src, patterns, mask)}
	})
	return &found.first, &found.second
}

// proveSource returns the documents of one segment that have a word which
// fits p, and those that need a look at the text.
func proveSource(src source, p *pattern, mask uint8) *answer {
	var found answer
	sure, maybe := &found.first, &found.second
	fits, cut := src.search(p)
	if budget := src.count() * bytesPerDoc; weight(fits) > budget {
		largestFirst(fits)
		n := 0
		for n < len(fits) && budget >= int(fits[n].size) {
			budget -= int(fits[n].size)
			n++
		}
		orAll(sure, src, fits[:n], mask)
		src.or(maybe, src.everything(), mask)
	} else {
		orAll(sure, src, fits, mask)
		orAll(maybe, src, cut, mask)
	}
	maybe.AndNot(sure)
	return &found
}

// candidates returns the documents of one segment that have a word for each
// pattern, and perhaps more.
func candidates(src source, patterns []pattern, mask uint8) *Set {
	var left *Set
	for i := range patterns {
		p := &patterns[i]
		if left != nil && !p.anchored() && left.Count() <= fewEnough {
			break
		}
		fits, cut := src.search(p)
		if weight(fits)+weight(cut) > src.count()*bytesPerDoc {
			continue
		}
		var one Set
		orAll(&one, src, fits, mask)
		orAll(&one, src, cut, mask)
		if left == nil {
			left = &one
		} else {
			left.And(&one)
		}
		if left.Empty() {
			return left
		}
	}
	if left == nil {
		left = new(Set)
		src.or(left, src.everything(), mask)
	}
	return left
}
