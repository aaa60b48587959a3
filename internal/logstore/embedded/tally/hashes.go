package tally

import (
	"cmp"
	"container/heap"
	"iter"
	"sync/atomic"
)

// hashes count logs by a hash of something that they have, whose text is looked up
// afterwards in one of these logs. There can be so many that they do not fit into the
// processor's caches, so that everything about one of them is in one place.
type hashes struct {
	slots []hashed // at most half of them in use
	bits  int      // of their number
	size  int
	// most is how many are counted. With more, or without room for their slots, all of
	// them are dropped.
	most     int
	room     *Room // nil for no limit
	exceeded bool
}

// hashed are the logs with a hash, at least one unless the slot is free. The id is that of
// one of them.
type hashed struct {
	hash, id, requests int64
	cost               float64
}

// Room limits the memory for hashes of all analyses that share it. It is safe for
// concurrent use.
type Room struct{ slots atomic.Int64 }

// roomSlots are as many slots as take half a gigabyte.
const roomSlots = 16 << 20

// NewRoom returns room for millions of hashes.
func NewRoom() *Room {
	r := &Room{}
	r.slots.Store(roomSlots)
	return r
}

// take takes slots, or gives them back if count is negative. It reports whether there were
// enough.
func (r *Room) take(count int) bool {
	if r == nil || r.slots.Add(-int64(count)) >= 0 || count < 0 {
		return true
	}
	r.slots.Add(int64(count))
	return false
}

func (h *hashes) add(hash, id, requests int64, cost float64) {
	if h.exceeded || 2*h.size >= len(h.slots) && !h.grow() {
		return
	}
	s := h.find(hash)
	if s.requests == 0 {
		if h.size == h.most {
			h.exceed()
			return
		}
		h.size++
		s.hash, s.id = hash, id
	}
	s.requests += requests
	s.cost += cost
}

// find returns the slot of a hash, or the free one where it belongs.
func (h *hashes) find(hash int64) *hashed {
	for at := slotOf(hash, h.bits); ; at = (at + 1) & uint64(len(h.slots)-1) {
		if s := &h.slots[at]; s.requests == 0 || s.hash == hash {
			return s
		}
	}
}

// grow makes room, unless there is none.
func (h *hashes) grow() bool {
	old := *h
	h.bits = max(slotBits, h.bits+1)
	if !h.room.take(1<<h.bits - len(old.slots)) {
		h.exceed()
		return false
	}
	h.slots = make([]hashed, 1<<h.bits)
	for one := range old.all() {
		*h.find(one.hash) = *one
	}
	return true
}

// exceed drops all hashes, because there are too many.
func (h *hashes) exceed() {
	h.exceeded = true
	h.drop()
}

// drop gives back the room.
func (h *hashes) drop() {
	h.room.take(-len(h.slots))
	h.slots, h.bits, h.size = nil, 0, 0
}

// all returns the hashes in no order.
func (h *hashes) all() iter.Seq[*hashed] {
	return func(yield func(*hashed) bool) {
		for i := range h.slots {
			if s := &h.slots[i]; s.requests > 0 && !yield(s) {
				return
			}
		}
	}
}

func (h *hashes) merge(o *hashes) {
	if o.exceeded {
		h.exceed()
	}
	for one := range o.all() {
		if h.add(one.hash, one.id, one.requests, one.cost); !h.exceeded {
			known := h.find(one.hash)
			known.id = min(known.id, one.id)
		}
	}
}

// ranked orders by cost, then by requests. Names, which decide next, are not known.
func ranked(a, b *hashed) int {
	return cmp.Or(cmp.Compare(b.cost, a.cost), cmp.Compare(b.requests, a.requests))
}

// top returns the hashes that can be among the first so many, in no order: also those
// that rank like the last of them.
func (h *hashes) top(count int) (found []*hashed) {
	var first lowestFirst
	for one := range h.all() {
		switch {
		case len(first) < count:
			heap.Push(&first, one)
		case ranked(one, first[0]) < 0:
			first[0] = one
			heap.Fix(&first, 0)
		}
	}
	for one := range h.all() {
		if ranked(one, first[0]) <= 0 {
			found = append(found, one)
		}
	}
	return found
}

// lowestFirst is a heap whose first element ranks lowest.
type lowestFirst []*hashed

func (h lowestFirst) Len() int           { return len(h) }
func (h lowestFirst) Less(i, j int) bool { return ranked(h[i], h[j]) > 0 }
func (h lowestFirst) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *lowestFirst) Push(one any)      { *h = append(*h, one.(*hashed)) }
func (h *lowestFirst) Pop() any          { panic("nothing is removed") }
