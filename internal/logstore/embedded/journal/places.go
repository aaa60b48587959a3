package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// A segment that was rewritten has fewer bytes than before, but its blocks
// keep their positions, so that whatever refers to them stays right. Each block
// of such a file says which block it was:
//
//	skippable header  8 bytes, so that decoders skip what follows
//	offset            5 bytes, where the block began in the first file of the segment
//	size              5 bytes, the size of that file
//	sum               5 bytes, the checksum that the block was first written with
//
// The last block of the file has no records, but the offsets of all others, so
// that a start does not have to read the file. If it is damaged, the file is read.
const (
	originBytes = 8 + 3*numberBytes
	// numberBytes is the size of a number. All its bytes have their highest bit set,
	// so that numbers never look like the magic of a frame.
	numberBytes  = 5
	trailerBytes = 3*numberBytes + 8
)

// trailerMagic ends the file of a segment that was rewritten.
var trailerMagic = []byte{0xf1, 'p', 'l', 'a', 'c', 'e', 's', 0xf1}

func appendNumber(dst []byte, n uint32) []byte {
	for shift := 0; shift < 7*numberBytes; shift += 7 {
		dst = append(dst, byte(n>>shift)|0x80)
	}
	return dst
}

func number(b []byte) (n uint32) {
	for i := range numberBytes {
		n |= uint32(b[i]&0x7f) << (7 * i)
	}
	return n
}

// origin is what a block says about the block that it was.
type origin struct{ offset, size, sum uint32 }

func (o origin) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, skippable)
	dst = binary.LittleEndian.AppendUint32(dst, originBytes-8)
	for _, n := range [...]uint32{o.offset, o.size, o.sum} {
		dst = appendNumber(dst, n)
	}
	return dst
}

// originOf returns the origin at the beginning of a body, if it has one.
func originOf(packed []byte) (o origin, ok bool) {
	if len(packed) < originBytes || binary.LittleEndian.Uint32(packed) != skippable || binary.LittleEndian.Uint32(packed[4:]) != originBytes-8 {
		return o, false
	}
	b := packed[8:]
	return origin{number(b), number(b[numberBytes:]), number(b[2*numberBytes:])}, true
}

// places says where the blocks of a segment are that was rewritten.
type places struct {
	// offsets are those that the blocks have in the journal, and at those that they
	// have in the file. Both rise.
	offsets, at []uint32
	end         uint32 // of the blocks in the file
	size        uint32 // of the segment in the journal
}

func (p *places) add(offset, at uint32) {
	p.offsets, p.at = append(p.offsets, offset), append(p.at, at)
}

// find returns where the block at an offset is in the file.
func (p *places) find(offset int64) (at int64, ok bool) {
	i, ok := slices.BinarySearch(p.offsets, uint32(offset))
	if !ok {
		return 0, false
	}
	return int64(p.at[i]), true
}

// from returns the offset of the first block that does not begin before an offset,
// or the size of the segment.
func (p *places) from(offset int64) int64 {
	if i, _ := slices.BinarySearch(p.offsets, uint32(offset)); i < len(p.offsets) {
		return int64(p.offsets[i])
	}
	return int64(p.size)
}

// room returns where the part of the file ends that belongs to a block in it.
func (p *places) room(at int64) int64 {
	if i, found := slices.BinarySearch(p.at, uint32(at)); found && i+1 < len(p.at) {
		return int64(p.at[i+1])
	}
	return int64(p.end)
}

// frame returns the places as the last block of a file.
func (p *places) frame() []byte {
	size := headerBytes + 8 + 2*numberBytes*len(p.offsets) + trailerBytes
	dst := make([]byte, headerBytes, size)
	dst = binary.LittleEndian.AppendUint32(dst, skippable)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(size-headerBytes-8))
	for i := range p.offsets {
		dst = appendNumber(appendNumber(dst, p.offsets[i]), p.at[i])
	}
	for _, n := range [...]uint32{uint32(len(p.offsets)), p.size, uint32(size)} {
		dst = appendNumber(dst, n)
	}
	dst = append(dst, trailerMagic...)
	header{packed: uint32(size - headerBytes)}.seal(dst)
	return dst
}

// readPlaces reads the last block of a file, or all of it if that is damaged.
func (f finder) readPlaces(file reader, size int64) (*places, error) {
	p, err := readTrailer(file, size)
	if err == nil || !errors.Is(err, ErrDamaged) {
		return p, err
	}
	return f.searchPlaces(file, size)
}

func readTrailer(file reader, size int64) (*places, error) {
	var end [trailerBytes]byte
	if size < trailerBytes {
		return nil, ErrDamaged
	}
	if _, err := file.ReadAt(end[:], size-trailerBytes); err != nil {
		return nil, orDamaged(err)
	}
	if !bytes.Equal(end[3*numberBytes:], trailerMagic) {
		return nil, ErrDamaged
	}
	count, length := int64(number(end[:])), int64(number(end[2*numberBytes:]))
	if length > size || length != headerBytes+8+2*numberBytes*count+trailerBytes {
		return nil, ErrDamaged
	}
	f, err := readIntact(file, size-length, size)
	if err != nil {
		return nil, err
	}
	p := &places{size: number(end[numberBytes:]), end: uint32(size - length)}
	for rest := f.packed[8:]; len(rest) > trailerBytes; rest = rest[2*numberBytes:] {
		p.add(number(rest), number(rest[numberBytes:]))
	}
	return p, nil
}

// searchPlaces reads all blocks of a file, which say what they were. Blocks that
// are damaged are not found; the logs in them cannot be read either way.
func (f finder) searchPlaces(file reader, size int64) (*places, error) {
	p := &places{}
	for at := int64(0); at < size; {
		found, err := readFrame(file, at, size)
		if errors.Is(err, ErrDamaged) {
			at, _, err = f.resync(file, at, size)
			if err != nil {
				return nil, fmt.Errorf("read journal at byte %d: %w", at, err)
			}
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read journal at byte %d: %w", at, err)
		}
		if o, ok := originOf(found.packed); ok {
			p.add(o.offset, uint32(at))
			p.size, p.end = o.size, uint32(at+found.length())
		}
		at += found.length()
	}
	return p, nil
}
