package textindex

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
)

// writeMemory writes a frozen segment to a file and opens it.
func writeMemory(dir string, version uint64, m *memory) (*segment, error) {
	w, err := newSegmentWriter(dir, footer{version: version, prev: m.prev, span: m.span, docs: uint64(m.docs)})
	if err != nil {
		return nil, fmt.Errorf("write documents: %w", err)
	}
	w.table = m.table
	if err := m.writeTerms(w); err != nil {
		w.discard()
		return nil, fmt.Errorf("write documents: %w", err)
	}
	path, err := w.finish()
	if err != nil {
		return nil, fmt.Errorf("write documents: %w", err)
	}
	return openSegment(path)
}

func (m *memory) writeTerms(w *segmentWriter) error {
	b := newListBuilder(m.span)
	var key, list []byte
	for _, k := range m.sortedKeys() {
		key = k.append(key[:0], m)
		list = m.list(list[:0], &m.entries[k.number])
		dense := false
		if len(list) > b.denseSize(1) {
			b.reset()
			b.addSparse(list, m.span.first)
			list, dense = b.finish()
		}
		if err := w.add(key, list, dense); err != nil {
			return err
		}
	}
	return nil
}

// sortKey is the key of an entry. Its first eight bytes decide most
// comparisons without a look at the rest.
type sortKey struct {
	head   uint64
	number uint32
}

func (m *memory) sortedKeys() []sortKey {
	keys := make([]sortKey, len(m.entries))
	var buf []byte
	for i := range m.entries {
		keys[i].number = uint32(i)
		var head [8]byte
		buf = keys[i].append(buf[:0], m)
		copy(head[:], buf)
		keys[i].head = binary.BigEndian.Uint64(head[:])
	}
	var x, y []byte
	slices.SortFunc(keys, func(a, b sortKey) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		x, y = a.append(x[:0], m), b.append(y[:0], m)
		return bytes.Compare(x, y)
	})
	return keys
}

// append appends the key to dst.
func (k sortKey) append(dst []byte, m *memory) []byte {
	e := &m.entries[k.number]
	if e.apostrophes {
		return appendKey(dst, m.term(e))
	}
	return append(dst, m.term(e)...)
}
