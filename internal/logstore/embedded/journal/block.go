package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"math/bits"
	"syscall"
)

// A frame is a header and the compressed records of one block:
//
//	magic     4 bytes
//	checksum  4 bytes, CRC-32C of everything behind it
//	packed    4 bytes, length of the compressed records
//	raw       4 bytes, length of the records
const (
	frameMagic    = 0x314a5450 // "PTJ1"
	headerBytes   = 16
	maxBlockBytes = 256 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrDamaged is returned when the file does not hold the block that was written
// to it. Errors of the system, such as too many open files, are never reported
// as damage, except that a device cannot read the block.
var ErrDamaged = errors.New("damaged journal block")

// magicBytes is the magic as it is written. It occurs nowhere within a frame
// but at its beginning, so that a search for it finds frames only, whatever texts
// clients send. Frames of version 0.1 lack this guarantee.
var magicBytes = binary.LittleEndian.AppendUint32(nil, frameMagic)

func appendFrame(dst, records []byte) ([]byte, error) {
	at := len(dst)
	dst, err := appendPacked(append(dst, make([]byte, headerBytes)...), records)
	if err != nil {
		return nil, err
	}
	header{packed: uint32(len(dst) - at - headerBytes), raw: uint32(len(records))}.seal(dst[at:])
	return dst, nil
}

// appendPacked appends the compressed records. If the result contains the magic,
// the records are compressed in parts, each of which has a part of it.
func appendPacked(dst, records []byte) ([]byte, error) {
	at := len(dst)
	dst, err := appendCompressed(dst, records)
	if err != nil || !bytes.Contains(dst[at:], magicBytes) || len(records) < len(magicBytes) {
		return dst, err
	}
	dst = dst[:at]
	cut := bytes.Index(records, magicBytes) + 1
	if cut == 0 { // a coincidence in the compressed form
		cut = len(records) / 2
	}
	for cut > 0 && len(records) >= len(magicBytes) {
		if dst, err = appendPacked(dst, records[:cut]); err != nil {
			return nil, err
		}
		records = records[cut:]
		cut = bytes.Index(records, magicBytes) + 1
	}
	return appendPacked(dst, records)
}

// header is the header of a frame.
type header struct{ magic, sum, packed, raw uint32 }

func parseHeader(b []byte) header {
	return header{
		magic: binary.LittleEndian.Uint32(b[0:]), sum: binary.LittleEndian.Uint32(b[4:]),
		packed: binary.LittleEndian.Uint32(b[8:]), raw: binary.LittleEndian.Uint32(b[12:]),
	}
}

// seal writes the header, with magic and checksum, in front of a frame's body.
func (h header) seal(frame []byte) {
	binary.LittleEndian.PutUint32(frame[0:], frameMagic)
	binary.LittleEndian.PutUint32(frame[8:], h.packed)
	binary.LittleEndian.PutUint32(frame[12:], h.raw)
	binary.LittleEndian.PutUint32(frame[4:], h.checksum(frame[headerBytes:]))
}

func (h header) length() int64 { return headerBytes + int64(h.packed) }

// plausible reports whether the header can be that of a frame with so many
// bytes before the end of the segment.
func (h header) plausible(room int64) bool {
	return h.magic == frameMagic && h.length() <= room && h.raw <= maxBlockBytes
}

// checksum returns the checksum of the lengths and the body.
func (h header) checksum(packed []byte) uint32 {
	var lengths [8]byte
	binary.LittleEndian.PutUint32(lengths[0:], h.packed)
	binary.LittleEndian.PutUint32(lengths[4:], h.raw)
	return crc32.Update(crc32.Checksum(lengths[:], castagnoli), castagnoli, packed)
}

// frame is one block as stored, with a checksum that holds.
type frame struct {
	packed []byte
	raw    int
}

func (f frame) length() int64 { return headerBytes + int64(len(f.packed)) }

// readHeader reads the header at an offset of a segment that ends at end.
func readHeader(file io.ReaderAt, at, end int64) (header, error) {
	var b [headerBytes]byte
	if at+headerBytes > end {
		return header{}, ErrDamaged
	}
	if _, err := file.ReadAt(b[:], at); err != nil {
		return header{}, orDamaged(err)
	}
	return parseHeader(b[:]), nil
}

// readIntact reads the frame at an offset of a segment that ends at end, and
// allocates no more than the segment holds, whatever a damaged header says.
func readIntact(file io.ReaderAt, at, end int64) (frame, error) {
	h, err := readHeader(file, at, end)
	if err != nil {
		return frame{}, err
	}
	f, sum, err := h.read(file, at, end)
	if err == nil && sum != h.sum {
		err = ErrDamaged
	}
	return f, err
}

// read reads the frame that the header describes and computes its checksum.
func (h header) read(file io.ReaderAt, at, end int64) (frame, uint32, error) {
	if !h.plausible(end - at) {
		return frame{}, 0, ErrDamaged
	}
	f := frame{packed: make([]byte, h.packed), raw: int(h.raw)}
	if _, err := file.ReadAt(f.packed, at+headerBytes); err != nil {
		return frame{}, 0, orDamaged(err)
	}
	return f, h.checksum(f.packed), nil
}

// readFrame is readIntact, and also reads a frame with one wrong bit in its
// header. The checksum proves the correction; without it, a wrong length would
// hide where the next frame begins.
func readFrame(file io.ReaderAt, at, end int64) (frame, error) {
	f, err := readIntact(file, at, end)
	if !errors.Is(err, ErrDamaged) {
		return f, err
	}
	if h, headerErr := readHeader(file, at, end); headerErr == nil {
		for corrected := range h.corrections() {
			if f, ok := corrected.proven(file, at, end); ok {
				return f, nil
			}
		}
	}
	return frame{}, err
}

// corrections yields the headers that differ from h in one bit and have the
// right magic.
func (h header) corrections() iter.Seq[header] {
	return func(yield func(header) bool) {
		if h.magic != frameMagic {
			if bits.OnesCount32(h.magic^frameMagic) == 1 {
				h.magic = frameMagic
				yield(h)
			}
			return
		}
		for bit := range 32 {
			mask := uint32(1) << bit
			for _, other := range []header{
				{h.magic, h.sum ^ mask, h.packed, h.raw}, {h.magic, h.sum, h.packed ^ mask, h.raw}, {h.magic, h.sum, h.packed, h.raw ^ mask},
			} {
				if !yield(other) {
					return
				}
			}
		}
	}
}

// proven reads the frame and reports whether its checksum is the header's.
func (h header) proven(file io.ReaderAt, at, end int64) (frame, bool) {
	f, sum, err := h.read(file, at, end)
	return f, err == nil && sum == h.sum
}

// orDamaged returns ErrDamaged if the file ends early or the device cannot read
// the bytes.
func orDamaged(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrDamaged
	}
	if errors.Is(err, syscall.EIO) {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

// records splits the block into its records.
func (f frame) records() ([][]byte, error) {
	raw, err := decompressed(f.packed, f.raw)
	if err != nil {
		return nil, err
	}
	var records [][]byte
	for len(raw) > 0 {
		size, n := binary.Uvarint(raw)
		if n <= 0 || size > uint64(len(raw)-n) {
			return nil, ErrDamaged
		}
		end := n + int(size)
		records = append(records, raw[n:end:end])
		raw = raw[end:]
	}
	return records, nil
}
