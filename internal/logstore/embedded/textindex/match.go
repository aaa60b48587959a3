package textindex

import (
	"cmp"
	"slices"

	"github.com/promptuary/promptuary/internal/logstore/words"
)

// Match returns the documents whose fields hold a match for every word of q,
// and among them those that hold every word exactly. Fields are looked at
// together: one word may be found in one field, the next in another. No field
// means all fields.
//
// Package words says which words of a text match a word of q. All words of a run
// must be found, though not at one place.
//
// If q has no word, ok is false and both sets are empty. The sets belong to
// the caller.
func (ix *Index) Match(q string, fields ...int) (all, exact *Set, ok bool) {
	wanted := words.Parse(q)
	if len(wanted) == 0 {
		return new(Set), new(Set), false
	}
	// Long words are rare: they end the search of a segment soonest.
	slices.SortStableFunc(wanted, func(a, b *words.Word) int { return cmp.Compare(b.Len(), a.Len()) })
	mask := fieldMask(fields)
	found := ix.query(func(src source) *answer { return matchSource(src, wanted, mask) })
	return &found.first, &found.second, true
}

// matchSource returns the documents of one segment that match all words, and
// those that do so exactly.
func matchSource(src source, wanted []*words.Word, mask uint8) *answer {
	var found answer
	for i, w := range wanted {
		equals, all := src.find(w)
		var one answer
		orAll(&one.first, src, all, mask)
		orAll(&one.second, src, equals, mask)
		if i == 0 {
			found = one
		} else {
			found.first.And(&one.first)
			found.second.And(&one.second)
		}
		if found.first.Empty() {
			return new(answer)
		}
	}
	return &found
}

// fieldMask returns the mask of the given fields, of all if there are none.
// Fields that cannot exist match nothing.
func fieldMask(fields []int) uint8 {
	if len(fields) == 0 {
		return anyField
	}
	var mask uint8
	for _, f := range fields {
		if f >= 0 && f < MaxFields {
			mask |= 1 << f
		}
	}
	return mask
}
