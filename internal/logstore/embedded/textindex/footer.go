package textindex

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"

	"github.com/promptuary/promptuary/internal/logstore/words"
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
	docPages, ownerPages           uint64 // see docTable
	postingsSum, dictSum, indexSum uint32
	tableSum                       uint32
}

const (
	footerSize     = 11*8 + 5*4
	blockEntrySize = 16 + signatureSize
)

// errCorrupt says that a file is not a whole, undamaged segment.
var errCorrupt = errors.New("damaged segment")

// formerMagics are the magics of files without a version, and of those without
// a table of documents.
var formerMagics = []string{"PMTXIDX1", "PMTXIDX2"}

// errOutdated says that a file has other words or texts than the index would
// have now, and is to be built again.
var errOutdated = errors.New("segment of another version")

// fileVersion joins the version of the words with that of the texts.
func fileVersion(texts uint32) uint64 { return words.Version<<32 | uint64(texts) }

// blocks is the number of blocks of the dictionary.
func (f *footer) blocks() uint64 {
	return (f.terms + blockTerms - 1) / blockTerms
}

// indexSize is the length of the block index.
func (f *footer) indexSize() uint64 {
	return (f.blocks() + 1) * blockEntrySize
}

// tableSize is the length of the table of documents.
func (f *footer) tableSize() uint64 { return docTableSize(f.docPages, f.ownerPages) }

// append appends the footer to dst.
func (f *footer) append(dst []byte) []byte {
	start := len(dst)
	for _, v := range []uint64{
		f.version, uint64(f.prev), uint64(f.span.first), uint64(f.span.last), f.docs,
		f.terms, f.postingsSize, f.dictSize, f.docPages, f.ownerPages,
	} {
		dst = binary.LittleEndian.AppendUint64(dst, v)
	}
	for _, v := range []uint32{f.postingsSum, f.dictSum, f.indexSum, f.tableSum} {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	dst = binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], checksumTable))
	return append(dst, magic...)
}

// parseFooter reads the footer of a file with the given contents.
func parseFooter(data []byte) (footer, error) {
	var f footer
	if former := data[:min(len(data), len(magic))]; slices.Contains(formerMagics, string(former)) && bytes.HasSuffix(data, former) {
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
	var values [10]uint64
	for i := range values {
		values[i] = binary.LittleEndian.Uint64(body[i*8:])
	}
	sums := body[len(values)*8:]
	f = footer{
		version: values[0], prev: int64(values[1]), span: span{int64(values[2]), int64(values[3])}, docs: values[4],
		terms: values[5], postingsSize: values[6], dictSize: values[7], docPages: values[8], ownerPages: values[9],
		postingsSum: binary.LittleEndian.Uint32(sums),
		dictSum:     binary.LittleEndian.Uint32(sums[4:]),
		indexSum:    binary.LittleEndian.Uint32(sums[8:]),
		tableSum:    binary.LittleEndian.Uint32(sums[12:]),
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
	if f.terms == 0 || max(f.terms, f.postingsSize, f.dictSize, f.docPages, f.ownerPages) > size {
		return false
	}
	return size == uint64(len(magic))+f.postingsSize+f.dictSize+f.indexSize()+f.tableSize()+footerSize
}
