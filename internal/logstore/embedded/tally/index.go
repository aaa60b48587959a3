package tally

import (
	"math/rand/v2"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// spread spreads keys over the slots of a table. It is different in each process, so
// that nobody can craft colliding values.
var spread = rand.Uint64() | 1

// slotBits are the bits of the number of slots that a table has at first.
const slotBits = 6

// slotOf returns the first slot that a key can be in, of a table with so many bits.
func slotOf(key int64, bits int) uint64 { return uint64(key) * spread >> (64 - bits) }

// index numbers the different keys in the order in which they come: 0, 1, 2 …
type index struct {
	slots []slot // at most half of them in use
	bits  int    // of their number
	size  int
}

// slot has a key and its number plus one, 0 if the slot is free.
type slot struct {
	key    int64
	number int32
}

// of returns the number of a key, and whether it is new.
func (x *index) of(key int64) (number int, fresh bool) {
	if 2*x.size >= len(x.slots) {
		x.grow()
	}
	s := x.find(key)
	if s.number == 0 {
		x.size++
		*s = slot{key, int32(x.size)}
		return x.size - 1, true
	}
	return int(s.number) - 1, false
}

// find returns the slot of a key, or the free one where it belongs.
func (x *index) find(key int64) *slot {
	for at := slotOf(key, x.bits); ; at = (at + 1) & uint64(len(x.slots)-1) {
		if s := &x.slots[at]; s.number == 0 || s.key == key {
			return s
		}
	}
}

func (x *index) grow() {
	old := x.slots
	x.bits = max(slotBits, x.bits+1)
	x.slots = make([]slot, 1<<x.bits)
	for _, s := range old {
		if s.number != 0 {
			*x.find(s.key) = s
		}
	}
}

// group has the totals of each name in a column of lists.
type group[T any] struct {
	index  index // of the hashes of names, by which they are told apart
	names  []string
	totals []T
	// exceeded says that there are too many names; ignored has the totals since.
	exceeded bool
	ignored  T
}

// at returns the totals of a name, which is valid until the next call.
func (g *group[T]) at(name string) *T {
	if g.exceeded {
		return &g.ignored
	}
	number, fresh := g.index.of(int64(xxhash.Sum64String(name)))
	if fresh && number == maxNames {
		g.exceeded = true
		return &g.ignored
	}
	if fresh {
		var none T
		g.names, g.totals = append(g.names, strings.Clone(name)), append(g.totals, none)
	}
	return &g.totals[number]
}

// merge adds the totals of another group.
func (g *group[T]) merge(o *group[T], add func(to, from *T)) {
	g.exceeded = g.exceeded || o.exceeded
	for i, name := range o.names {
		add(g.at(name), &o.totals[i])
	}
}
