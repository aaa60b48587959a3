package clickhouse

import (
	"encoding/binary"
	"math"
)

// block collects the rows of an insert in ClickHouse's format RowBinary.
type block struct {
	bytes []byte
	rows  int
}

func (b *block) int(n int64)     { b.bytes = binary.LittleEndian.AppendUint64(b.bytes, uint64(n)) }
func (b *block) float(n float64) { b.int(int64(math.Float64bits(oneZero(n)))) }
func (b *block) short(n uint32)  { b.bytes = binary.LittleEndian.AppendUint32(b.bytes, n) }

// oneZero returns n, or the positive zero for the negative one, which the server
// treats as another number in groups and lists.
func oneZero(n float64) float64 {
	if n == 0 {
		return 0
	}
	return n
}

func (b *block) flag(v bool) {
	if v {
		b.bytes = append(b.bytes, 1)
		return
	}
	b.bytes = append(b.bytes, 0)
}

// present writes whether a value that may be null is there.
func (b *block) present(v bool) bool {
	b.flag(!v)
	return v
}

func (b *block) text(text string) {
	b.bytes = append(binary.AppendUvarint(b.bytes, uint64(len(text))), text...)
}

func (b *block) raw(text []byte) {
	b.bytes = append(binary.AppendUvarint(b.bytes, uint64(len(text))), text...)
}

func (b *block) texts(texts []string) {
	b.bytes = binary.AppendUvarint(b.bytes, uint64(len(texts)))
	for _, text := range texts {
		b.text(text)
	}
}

// textOrNull writes null for no text.
func (b *block) textOrNull(text string) {
	if b.present(text != "") {
		b.text(text)
	}
}

// idOrNull writes null for 0.
func (b *block) idOrNull(id int64) {
	if b.present(id != 0) {
		b.int(id)
	}
}
