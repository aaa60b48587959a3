package journal

import (
	"fmt"
	"slices"
	"sync"

	"github.com/DataDog/zstd"
)

// compressors have the memory in which blocks are compressed and decompressed.
var compressors = sync.Pool{New: func() any { return zstd.NewCtx() }}

// level is the fastest level of zstd that does not take more room.
const level = 1

// appendCompressed appends the compressed form of data.
func appendCompressed(dst, data []byte) ([]byte, error) {
	compressor := compressors.Get().(zstd.Ctx)
	defer compressors.Put(compressor)
	at := len(dst)
	dst = slices.Grow(dst, zstd.CompressBound(len(data)))
	packed, err := compressor.CompressLevel(dst[at:cap(dst)], data, level)
	if err != nil {
		return nil, fmt.Errorf("compress journal block: %w", err)
	}
	return dst[:at+len(packed)], nil
}

// decompressed returns the data of a compressed form, which has the given size or is
// damaged.
func decompressed(packed []byte, size int) ([]byte, error) {
	if len(packed) == 0 && size == 0 {
		return nil, nil
	}
	if len(packed) == 0 {
		return nil, ErrDamaged
	}
	compressor := compressors.Get().(zstd.Ctx)
	defer compressors.Put(compressor)
	data := make([]byte, size+1) // one more, because the library takes no empty buffer
	n, err := compressor.DecompressInto(data, packed)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	case n != size:
		return nil, ErrDamaged
	}
	return data[:size], nil
}
