package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zstd"
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

// errDamaged says that there is no whole block where one was expected.
var errDamaged = errors.New("damaged journal block")

func appendFrame(dst, records []byte, encoder *zstd.Encoder) []byte {
	at := len(dst)
	dst = append(dst, make([]byte, headerBytes)...)
	dst = encoder.EncodeAll(records, dst)
	header, packed := dst[at:at+headerBytes], dst[at+headerBytes:]
	binary.LittleEndian.PutUint32(header[0:], frameMagic)
	binary.LittleEndian.PutUint32(header[8:], uint32(len(packed)))
	binary.LittleEndian.PutUint32(header[12:], uint32(len(records)))
	binary.LittleEndian.PutUint32(header[4:], crc32.Checksum(dst[at+8:], castagnoli))
	return dst
}

// frame is one block as it lies on the disk, checked.
type frame struct {
	packed []byte
	raw    int
}

func (f frame) length() int64 { return headerBytes + int64(len(f.packed)) }

// readFrame reads the frame at an offset of a file that ends at end. Nothing
// is set aside for what a damaged header promises beyond it.
func readFrame(file io.ReaderAt, at, end int64) (frame, error) {
	var header [headerBytes]byte
	if at+headerBytes > end {
		return frame{}, errDamaged
	}
	if _, err := file.ReadAt(header[:], at); err != nil {
		return frame{}, orDamaged(err)
	}
	packed := int64(binary.LittleEndian.Uint32(header[8:]))
	raw := binary.LittleEndian.Uint32(header[12:])
	if binary.LittleEndian.Uint32(header[0:]) != frameMagic || at+headerBytes+packed > end || raw > maxBlockBytes {
		return frame{}, errDamaged
	}
	f := frame{packed: make([]byte, packed), raw: int(raw)}
	if _, err := file.ReadAt(f.packed, at+headerBytes); err != nil {
		return frame{}, orDamaged(err)
	}
	sum := crc32.Update(crc32.Checksum(header[8:], castagnoli), castagnoli, f.packed)
	if sum != binary.LittleEndian.Uint32(header[4:]) {
		return frame{}, errDamaged
	}
	return f, nil
}

func orDamaged(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errDamaged
	}
	return err
}

// records splits the block into its records.
func (f frame) records(decoder *zstd.Decoder) ([][]byte, error) {
	raw, err := decoder.DecodeAll(f.packed, make([]byte, 0, f.raw))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	var records [][]byte
	for len(raw) > 0 {
		size, n := binary.Uvarint(raw)
		if n <= 0 || size > uint64(len(raw)-n) {
			return nil, errDamaged
		}
		end := n + int(size)
		records = append(records, raw[n:end:end])
		raw = raw[end:]
	}
	return records, nil
}
