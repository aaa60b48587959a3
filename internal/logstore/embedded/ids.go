package embedded

import (
	"slices"
	"sort"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
)

// blockIndex finds the journal block that holds a log. Ids rise with the
// position, so one entry per block is enough.
type blockIndex struct {
	firstIDs  []int64
	positions []journal.Position
	lastID    int64
}

// add records the block of a log. Ids must be added in rising order.
func (b *blockIndex) add(id int64, at journal.Position) {
	b.lastID = max(b.lastID, id)
	if n := len(b.positions); n > 0 && b.positions[n-1] == at {
		return
	}
	b.firstIDs = append(b.firstIDs, id)
	b.positions = append(b.positions, at)
}

// idsBetween returns the range of ids that the blocks between two positions can
// hold. It reports whether the index has such a block.
func (b *blockIndex) idsBetween(from, to journal.Position) (first, last int64, known bool) {
	start, _ := slices.BinarySearch(b.positions, from)
	end, _ := slices.BinarySearch(b.positions, to)
	last = b.lastID
	if end < len(b.firstIDs) {
		last = b.firstIDs[end] - 1
	}
	switch {
	case start < end:
		return b.firstIDs[start], last, true
	case start > 0:
		return b.firstIDs[start-1], last, false
	default:
		return 1, last, false
	}
}

// owners tells whether all logs belong to one workspace, as is usual. The zero
// value has no logs.
type owners struct {
	one     int64
	several bool
}

func (o *owners) add(workspace int64) {
	o.several = o.several || o.one != 0 && o.one != workspace
	o.one = workspace
}

// find returns the block that contains the log, if it exists.
func (b *blockIndex) find(id int64) (journal.Position, bool) {
	i := sort.Search(len(b.firstIDs), func(i int) bool { return b.firstIDs[i] > id })
	if i == 0 || id > b.lastID {
		return 0, false
	}
	return b.positions[i-1], true
}

// idSet is a set of ids, which takes a bit per id if they are dense.
type idSet map[int64]*[64]uint64

func (s *idSet) add(id int64) {
	if *s == nil {
		*s = idSet{}
	}
	page := (*s)[id>>12]
	if page == nil {
		page = new([64]uint64)
		(*s)[id>>12] = page
	}
	page[id>>6&63] |= 1 << (id & 63)
}

func (s idSet) has(id int64) bool {
	page := s[id>>12]
	return page != nil && page[id>>6&63]&(1<<(id&63)) != 0
}
