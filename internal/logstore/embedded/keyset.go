package embedded

import (
	"encoding/binary"

	"github.com/bits-and-blooms/bloom/v3"
)

const (
	// firstKeys is the number of keys that the first layer of a keySet is made for.
	// Each further layer takes twice as many.
	firstKeys = 1 << 17
	// falseKeys is the rate at which a layer has a key that was never added. A
	// wrong answer costs a query, and a call asks for hundreds of keys.
	falseKeys = 1e-6
)

// keySet is a set of keys that takes 4 bytes per key. It may report, rarely, a
// key that it does not have; it never denies one that it has. The zero value is
// empty.
type keySet struct {
	layers []*bloom.BloomFilter
	room   uint // how many more keys the last layer is made for
}

// add adds the key and reports whether the set may have had it. The key 0 is
// never added.
func (s *keySet) add(key int64) bool {
	if key == 0 || s.has(key) {
		return key != 0
	}
	if s.room == 0 {
		s.room = firstKeys << len(s.layers)
		s.layers = append(s.layers, bloom.NewWithEstimates(s.room, falseKeys))
	}
	s.room--
	s.layers[len(s.layers)-1].Add(keyBytes(key))
	return false
}

func (s *keySet) has(key int64) bool {
	bytes := keyBytes(key)
	for _, layer := range s.layers {
		if layer.Test(bytes) {
			return true
		}
	}
	return false
}

func keyBytes(key int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(key)) }
