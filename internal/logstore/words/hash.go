package words

import "math/bits"

// Hash returns a hash of a term and its head: the first eight bytes as a
// big-endian number, zeros behind a shorter one. Terms of up to eight bytes
// are equal if their heads and lengths are.
//
// The term goes into the hash in lumps of eight bytes, so that the scanner
// can do so while it collects them in a register.
func Hash(seed uint64, term []byte) (sum, head uint64) {
	sum = seed
	n := len(term)
	for len(term) >= 8 {
		lump := lumpOf(term[:8])
		if len(term) == n {
			head = lump
		}
		sum = mix(sum, lump)
		term = term[8:]
	}
	lump := lumpOf(term)
	if n < 8 {
		head = lump << (64 - 8*n)
	}
	return mix(sum+uint64(n), lump), head
}

// lumpOf returns up to eight bytes as one big-endian number.
func lumpOf(b []byte) uint64 {
	var lump uint64
	for _, c := range b {
		lump = lump<<8 | uint64(c)
	}
	return lump
}

// mix spreads two numbers over all bits of one, by the multiplication that
// wyhash uses.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0xa0761d6478bd642f, b^0xe7037ed1a0b428db)
	return hi ^ lo
}
