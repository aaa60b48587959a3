package embedded

// keySet is a set of keys that takes 5 bytes per key. It may report, rarely, a
// key that it does not have; it never denies one that it has. The zero value is
// empty.
//
// It consists of blocked Bloom filters: all bits of a key are in one cache line,
// so that adding a key waits for memory once.
type keySet struct {
	layers [][]keyBlock
	room   int // how many more keys the last layer is made for
}

// keyBlock has the bits of some keys.
type keyBlock [8]uint64

const (
	// firstKeys is the number of keys that the first layer of a keySet is made for.
	// Each further layer takes twice as many.
	firstKeys = 1 << 17
	// blockKeys is the average number of keys of a block in a full layer, and
	// keyBits the number of bits of a key. Together they make a layer have one in
	// about three million keys that were never added. A wrong answer costs a query,
	// and a call asks for hundreds of keys.
	blockKeys = 12
	keyBits   = 12
)

// add adds the key and reports whether the set may have had it. The key 0 is
// never added.
func (s *keySet) add(key int64) bool {
	if key == 0 || s.has(key) {
		return key != 0
	}
	if s.room == 0 {
		s.room = firstKeys << len(s.layers)
		s.layers = append(s.layers, make([]keyBlock, s.room/blockKeys+1))
	}
	s.room--
	block, mask := place(s.layers[len(s.layers)-1], key)
	for i := range block {
		block[i] |= mask[i]
	}
	return false
}

func (s *keySet) has(key int64) bool {
	for _, layer := range s.layers {
		if block, mask := place(layer, key); block.has(&mask) {
			return true
		}
	}
	return false
}

// place returns the block of a key and its bits in it.
func place(layer []keyBlock, key int64) (block *keyBlock, mask keyBlock) {
	hash := mix(uint64(key))
	block = &layer[hash%uint64(len(layer))]
	for range keyBits / 6 {
		hash = mix(hash)
		for bits, i := hash, 0; i < 6; i++ {
			mask[bits>>6&7] |= 1 << (bits & 63)
			bits >>= 9
		}
	}
	return block, mask
}

func (b *keyBlock) has(mask *keyBlock) bool {
	for i := range b {
		if b[i]&mask[i] != mask[i] {
			return false
		}
	}
	return true
}

// mix is the finalizer of SplitMix64, which makes every bit depend on all others.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
