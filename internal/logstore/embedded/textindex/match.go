package textindex

import (
	"cmp"
	"slices"
)

// Match returns the documents whose fields hold a match for every word of q,
// and among them those that hold every word exactly. Fields are looked at
// together: one word may be found in one field, the next in another. No field
// means all fields.
//
// A word of the text matches a word of q if, apostrophes left out, it is
// equal or starts with it; or has the same first rune and is within f edits
// (f is 0 up to 2 runes, 1 up to 5, else 2); or has the same first rune and
// some prefix within one edit of a word of at least 5 runes. The last two do
// not apply to words with a number in them, nor to those of a run, see Scanner:
// their characters must follow one another in the text, and then match exactly.
// All words of a run must be found, though not at one place. Words longer than 64 bytes are
// compared by their first 64. At most 64 different words of q count.
//
// If q has no word, ok is false and both sets are empty. The sets belong to
// the caller.
func (ix *Index) Match(q string, fields ...int) (all, exact *Set, ok bool) {
	words := parseWords(q)
	if len(words) == 0 {
		return new(Set), new(Set), false
	}
	// Long words are rare: they end the search of a segment soonest.
	slices.SortStableFunc(words, func(a, b *word) int { return cmp.Compare(b.n, a.n) })
	mask := fieldMask(fields)
	found := ix.query(func(src source) *answer { return matchSource(src, words, mask) })
	return &found.first, &found.second, true
}

// matchSource returns the documents of one segment that match all words, and
// those that do so exactly.
func matchSource(src source, words []*word, mask uint8) *answer {
	var found answer
	for i, w := range words {
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
