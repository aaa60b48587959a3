package textindex

import (
	"encoding/binary"
	"math/bits"
)

// listBuilder joins posting lists of neighbouring segments into one list of
// the segment that covers them all.
type listBuilder struct {
	span span
	// While the list is sparse: its bytes, its last id and the fields met.
	sparse []byte
	last   int64
	fields uint8
	// Once it is dense: a bitmap per field, nil for fields not met. The
	// bitmaps of finished lists are kept in spare, all zero.
	dense   bool
	bitmaps [MaxFields + 1][]uint64
	spare   [][]uint64
	out     []byte
}

func newListBuilder(s span) *listBuilder {
	return &listBuilder{span: s, last: s.first}
}

// reset makes the builder start on another list.
func (b *listBuilder) reset() {
	for f, bitmap := range b.bitmaps {
		if bitmap != nil {
			clear(bitmap)
			b.spare = append(b.spare, bitmap)
			b.bitmaps[f] = nil
		}
	}
	b.sparse, b.last, b.fields, b.dense = b.sparse[:0], b.span.first, 0, false
}

// finish returns the list, which is good until the next call of reset.
func (b *listBuilder) finish() (list []byte, dense bool) {
	if !b.dense {
		return b.sparse, false
	}
	size := b.denseSize(bits.OnesCount8(b.fields))
	// A word that fills one part of the range and is missing from the rest
	// can be smaller in the sparse form after all.
	if b.count() < size {
		if b.toSparse(); len(b.sparse) < size {
			return b.sparse, false
		}
	}
	b.out = append(b.out[:0], b.fields)
	for _, bitmap := range b.bitmaps {
		for _, w := range bitmap {
			b.out = binary.BigEndian.AppendUint64(b.out, w)
		}
	}
	return b.out, true
}

// denseSize is the size of a dense list with bitmaps for so many fields.
func (b *listBuilder) denseSize(fields int) int {
	return 1 + fields*b.span.words()*8
}

// count returns the number of documents of a dense list.
func (b *listBuilder) count() int {
	n := 0
	for i := range b.span.words() {
		n += bits.OnesCount64(b.union(i))
	}
	return n
}

// union returns word i of the bitmap of documents that have any field.
func (b *listBuilder) union(i int) uint64 {
	var w uint64
	for fields := b.fields; fields != 0; fields &= fields - 1 {
		w |= b.bitmaps[bits.TrailingZeros8(fields)][i]
	}
	return w
}

// toSparse writes the sparse form of a dense list into b.sparse.
func (b *listBuilder) toSparse() {
	b.sparse = b.sparse[:0]
	last := b.span.first
	for i := range b.span.words() {
		for w := b.union(i); w != 0; {
			bit := bits.LeadingZeros64(w)
			w &^= 1 << 63 >> bit
			var mask uint8
			for fields := b.fields; fields != 0; fields &= fields - 1 {
				f := bits.TrailingZeros8(fields)
				mask |= uint8(b.bitmaps[f][i]>>(63-bit)&1) << f
			}
			id := (b.span.first>>6+int64(i))<<6 + int64(bit)
			b.sparse = appendPosting(b.sparse, uint64(id-last), mask)
			last = id
		}
	}
}

// addSparse appends a sparse list of a segment that starts at first.
func (b *listBuilder) addSparse(list []byte, first int64) {
	if b.dense {
		b.setBits(list, first)
		return
	}
	gap, mask, size := readPosting(list)
	if size == 0 {
		return
	}
	id := first + int64(gap)
	b.sparse = appendPosting(b.sparse, uint64(id-b.last), mask)
	b.sparse = append(b.sparse, list[size:]...)
	rest, fields := sumSparse(list[size:])
	b.last = id + rest
	b.fields |= fields | mask
	if len(b.sparse) > b.denseSize(bits.OnesCount8(b.fields)) {
		b.turnDense()
	}
}

// sumSparse returns the sum of the gaps of a sparse list and its fields.
func sumSparse(list []byte) (sum int64, fields uint8) {
	for i := 0; i < len(list); {
		// One byte and no mask behind it: nearly always so.
		if v := list[i]; v < 0x80 && v&3 != maskFollows {
			sum += int64(v >> 2)
			fields |= v&3 + 1
			i++
			continue
		}
		gap, mask, size := readPosting(list[i:])
		if size == 0 {
			break
		}
		sum += int64(gap)
		fields |= mask
		i += size
	}
	return sum, fields
}

// addDense appends a dense list of a segment with the span s.
func (b *listBuilder) addDense(list []byte, s span) {
	if !b.dense {
		// Where ids leave a great gap, a bitmap of everything may be too
		// large even to try.
		if b.span.words() > maxRun*s.words() {
			part := newListBuilder(s)
			part.addDense(list, s)
			part.toSparse()
			b.addSparse(part.sparse, s.first)
			return
		}
		b.turnDense()
	}
	offset := int(s.first>>6 - b.span.first>>6)
	eachBitmap(list, s, func(field int, bitmap []byte) {
		words := b.bitmap(field)[offset:]
		for i := range len(bitmap) / 8 {
			words[i] |= binary.BigEndian.Uint64(bitmap[i*8:])
		}
	})
}

func (b *listBuilder) turnDense() {
	b.dense, b.fields = true, 0
	b.setBits(b.sparse, b.span.first)
}

// setBits adds a sparse list, whose first gap counts from id, to the bitmaps.
func (b *listBuilder) setBits(list []byte, id int64) {
	for len(list) > 0 {
		gap, mask, size := readPosting(list)
		list = list[size:]
		id += int64(gap)
		if size == 0 || id < b.span.first || id > b.span.last {
			return // damaged
		}
		word := id>>6 - b.span.first>>6
		bit := uint64(1) << 63 >> (uint64(id) & 63)
		for ; mask != 0; mask &= mask - 1 {
			b.bitmap(bits.TrailingZeros8(mask))[word] |= bit
		}
	}
}

func (b *listBuilder) bitmap(field int) []uint64 {
	if b.bitmaps[field] == nil {
		if n := len(b.spare); n > 0 {
			b.bitmaps[field] = b.spare[n-1]
			b.spare = b.spare[:n-1]
		} else {
			b.bitmaps[field] = make([]uint64, b.span.words())
		}
		b.fields |= 1 << field
	}
	return b.bitmaps[field]
}
