package textindex

import "encoding/binary"

// signature is a small Bloom filter over the runs of three bytes in the terms
// of a dictionary block. It spares a search for a part of a word most blocks:
// those that lack one of its runs.
type signature [signatureSize]byte

const (
	signatureSize = 64
	// endOfTerm takes the place of the byte after a term. It is part of no
	// word.
	endOfTerm = 0x02
)

// cutBit says that some term of the block was cut.
const cutBit = 0

// runBit returns the bit of a run of three bytes.
func runBit(a, b, c byte) uint {
	const bits = 8*signatureSize - 1
	return 1 + uint((uint32(a)<<16|uint32(b)<<8|uint32(c))*2654435761>>8)%bits
}

func (s *signature) set(bit uint) {
	s[bit/8] |= 1 << (bit % 8)
}

// addText adds the runs of a text and, if it is where a term ends, of that.
func (s *signature) addText(text []byte, ends bool) {
	for i := 2; i < len(text); i++ {
		s.set(runBit(text[i-2], text[i-1], text[i]))
	}
	if n := len(text); ends && n >= 2 {
		s.set(runBit(text[n-2], text[n-1], endOfTerm))
	}
}

// addKey adds the term of a key.
func (s *signature) addKey(key []byte) {
	term, cut := rawTerm(key)
	s.addText(term, !cut)
	if cut {
		s.set(cutBit)
	}
}

// admits reports whether a block with this signature may have a term with all
// runs of want, or one that was cut.
func (s *signature) admits(want *signature) bool {
	if s[cutBit/8]&(1<<(cutBit%8)) != 0 {
		return true
	}
	for i := 0; i < signatureSize; i += 8 {
		w := binary.LittleEndian.Uint64(want[i:])
		if binary.LittleEndian.Uint64(s[i:])&w != w {
			return false
		}
	}
	return true
}
