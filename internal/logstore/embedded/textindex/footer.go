package textindex

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// footer is the end of a segment file: what it holds, and how long its parts
// are. It has a fixed size and a checksum of its own.
type footer struct {
	// version is that of the words and texts in the file: see fileVersion.
	version uint64
	// prev is the last document before the segment, or none. It links a
	// segment to the one before, so that a missing file shows.
	prev int64
	span span
	docs uint64

	terms                          uint64
	postingsSize, dictSize         uint64
	postingsSum, dictSum, indexSum uint32
}

const (
	footerSize     = 9*8 + 4*4
	blockEntrySize = 16 + signatureSize
)

// errCorrupt says that a file is not a whole, undamaged segment.
var errCorrupt = errors.New("damaged segment")

// errOutdated says that a file has other words or texts than the index would
// have now, and is to be built again.
var errOutdated = errors.New("segment of another version")

// wordVersion is the version of the rules for words, see Scanner. It must be
// raised whenever they change.
const wordVersion = 2

// fileVersion joins the version of the words with that of the texts.
func fileVersion(texts uint32) uint64 { return wordVersion<<32 | uint64(texts) }

// blocks is the number of blocks of the dictionary.
func (f *footer) blocks() uint64 {
	return (f.terms + blockTerms - 1) / blockTerms
}

// indexSize is the length of the block index.
func (f *footer) indexSize() uint64 {
	return (f.blocks() + 1) * blockEntrySize
}

// append appends the footer to dst.
func (f *footer) append(dst []byte) []byte {
	start := len(dst)
	for _, v := range []uint64{
		f.version, uint64(f.prev), uint64(f.span.first), uint64(f.span.last), f.docs,
		f.terms, f.postingsSize, f.dictSize,
	} {
		dst = binary.LittleEndian.AppendUint64(dst, v)
	}
	for _, v := range []uint32{f.postingsSum, f.dictSum, f.indexSum} {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	dst = binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], checksumTable))
	return append(dst, magic...)
}

// parseFooter reads the footer of a file with the given contents.
func parseFooter(data []byte) (footer, error) {
	var f footer
	if bytes.HasPrefix(data, []byte(firstMagic)) && bytes.HasSuffix(data, []byte(firstMagic)) {
		return f, errOutdated
	}
	if len(data) < len(magic)+footerSize || string(data[:len(magic)]) != magic {
		return f, errCorrupt
	}
	foot := data[len(data)-footerSize:]
	body, end := foot[:footerSize-12], foot[footerSize-12:]
	if string(end[4:]) != magic || crc32.Checksum(body, checksumTable) != binary.LittleEndian.Uint32(end) {
		return f, errCorrupt
	}
	var values [8]uint64
	for i := range values {
		values[i] = binary.LittleEndian.Uint64(body[i*8:])
	}
	sums := body[len(values)*8:]
	f = footer{
		version: values[0], prev: int64(values[1]), span: span{int64(values[2]), int64(values[3])}, docs: values[4],
		terms: values[5], postingsSize: values[6], dictSize: values[7],
		postingsSum: binary.LittleEndian.Uint32(sums),
		dictSum:     binary.LittleEndian.Uint32(sums[4:]),
		indexSum:    binary.LittleEndian.Uint32(sums[8:]),
	}
	if !f.plausible(uint64(len(data))) {
		return footer{}, errCorrupt
	}
	return f, nil
}

// plausible checks the footer against itself and the size of the file.
func (f *footer) plausible(size uint64) bool {
	if f.prev < none || f.span.first <= f.prev || f.span.last < f.span.first || f.span.last > MaxID {
		return false
	}
	if f.terms == 0 || f.terms > size || f.postingsSize > size || f.dictSize > size {
		return false
	}
	return size == uint64(len(magic))+f.postingsSize+f.dictSize+f.indexSize()+footerSize
}
