package textindex

import (
	"math/bits"

	"github.com/promptuary/promptuary/internal/logstore/words"
)

// source is what queries ask: a segment in memory or in a file.
type source interface {
	// find returns the lists of the terms that equal w, and of all that
	// match it, the equal ones among them.
	find(w *words.Word) (equals, all []list)
	// search returns the lists of the terms that fit p, and of those that
	// were cut and might.
	search(p *pattern) (sure, cut []list)
	// everything returns the list of all documents.
	everything() list
	// or adds the documents of l that have a field of mask to dst.
	or(dst *Set, l list, mask uint8)
	// count returns the number of documents.
	count() int
	// ids returns the range of their ids.
	ids() span
}

// orAll adds the documents of all lists to dst. It may change the order of
// the lists.
func orAll(dst *Set, src source, lists []list, mask uint8) {
	// Where there is this much to read, the largest lists alone may have
	// every document, and looking for that now and then costs little.
	every := src.count()
	if weight(lists) <= every {
		for _, l := range lists {
			src.or(dst, l, mask)
		}
		return
	}
	largestFirst(lists)
	read := 0
	for _, l := range lists {
		src.or(dst, l, mask)
		if read += int(l.size); read > every/2 {
			if read = 0; dst.Count() == every {
				return
			}
		}
	}
}

// weight is the size of the lists together.
func weight(lists []list) int {
	n := 0
	for _, l := range lists {
		n += int(l.size)
	}
	return n
}

// largestFirst sorts lists roughly so that the first ones cover most: by the
// number of bits in their size, in linear time.
func largestFirst(lists []list) {
	var starts [33]int // by 32 minus the number of bits
	for _, l := range lists {
		starts[32-bits.Len32(l.size)]++
	}
	at := 0
	for i, n := range starts {
		starts[i] = at
		at += n
	}
	sorted := make([]list, len(lists))
	for _, l := range lists {
		class := 32 - bits.Len32(l.size)
		sorted[starts[class]] = l
		starts[class]++
	}
	copy(lists, sorted)
}
