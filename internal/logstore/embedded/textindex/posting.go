package textindex

import (
	"encoding/binary"
	"math/bits"
)

// A posting list says which documents of a segment hold a term, and in which
// fields (a mask: bit f for field f). It has one of two forms, whichever is
// smaller.
//
// Sparse: per document an unsigned varint of gap<<2 | code, where gap is the
// distance to the document before, for the first one to the segment's first
// id, and code stands for the mask: 0, 1 and 2 for the masks 1, 2 and 3; 3
// says that the mask follows as one byte.
//
// Dense: one byte with the mask of all fields that occur, then for each of
// them, lowest first, a bitmap in big-endian words of 64 ids from the word of
// the segment's first id to that of its last.
const (
	// MaxFields is how many fields a document may have.
	MaxFields = 7
	// existsBit is set in every posting of the empty key.
	existsBit = 1 << MaxFields
	anyField  = existsBit - 1

	maskFollows = 3
)

// span is the range of ids of a segment.
type span struct {
	first, last int64
}

// words is the number of 64-id words that the span touches.
func (s span) words() int {
	return int(s.last>>6-s.first>>6) + 1
}

func appendPosting(dst []byte, gap uint64, mask uint8) []byte {
	if mask >= 1 && mask <= maskFollows {
		return binary.AppendUvarint(dst, gap<<2|uint64(mask-1))
	}
	return append(binary.AppendUvarint(dst, gap<<2|maskFollows), mask)
}

// readPosting decodes the posting at the start of b. It returns a size of 0
// if there is none that is whole.
func readPosting(b []byte) (gap uint64, mask uint8, size int) {
	v, size := binary.Uvarint(b)
	if size <= 0 {
		return 0, 0, 0
	}
	if code := uint8(v & 3); code != maskFollows {
		return v >> 2, code + 1, size
	}
	if size == len(b) {
		return 0, 0, 0
	}
	return v >> 2, b[size], size + 1
}

// orSparse adds the documents of a sparse list that have one of the fields of
// mask to dst. Ids outside the span, which only a damaged list has, end it.
func orSparse(dst *Set, b []byte, s span, mask uint8) {
	// wanted tells by code; 3 is looked up in the byte that follows.
	wanted := [maskFollows]bool{mask&1 != 0, mask&2 != 0, mask&3 != 0}
	var p *page
	number, id := int64(-1), s.first
	for i := 0; i < len(b); {
		v := uint64(b[i])
		i++
		if v >= 0x80 {
			var n int
			if v, n = binary.Uvarint(b[i-1:]); n <= 0 {
				return
			}
			i += n - 1
		}
		id += int64(v >> 2)
		if id < s.first || id > s.last {
			return
		}
		if code := v & 3; code != maskFollows {
			if !wanted[code] {
				continue
			}
		} else {
			if i == len(b) {
				return
			}
			i++
			if b[i-1]&mask == 0 {
				continue
			}
		}
		if id>>pageBits != number {
			number = id >> pageBits
			p = dst.page(number)
		}
		p.set(id)
	}
}

// orDense does for a dense list what orSparse does for a sparse one.
func orDense(dst *Set, b []byte, s span, mask uint8) {
	eachBitmap(b, s, func(field int, bitmap []byte) {
		if mask&(1<<field) == 0 {
			return
		}
		word := s.first >> 6
		for len(bitmap) > 0 {
			p := dst.page(word / pageWords)
			at := int(word % pageWords)
			n := min(pageWords-at, len(bitmap)/8)
			for i := range n {
				p[at+i] |= binary.BigEndian.Uint64(bitmap[i*8:])
			}
			bitmap = bitmap[n*8:]
			word += int64(n)
		}
	})
}

// eachBitmap calls fn for each bitmap of a dense list, none if its length is
// not what it should be.
func eachBitmap(b []byte, s span, fn func(field int, bitmap []byte)) {
	size := s.words() * 8
	if len(b) == 0 || len(b) != 1+bits.OnesCount8(b[0])*size {
		return
	}
	at := 1
	for field := range MaxFields + 1 {
		if b[0]&(1<<field) != 0 {
			fn(field, b[at:at+size])
			at += size
		}
	}
}
