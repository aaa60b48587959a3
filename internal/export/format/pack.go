package format

import (
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// packWindow limits how far back zstd looks, and so its memory.
const packWindow = 1 << 20

// pack returns a writer that compresses, nil without compression.
func pack(to io.Writer, compression Compression) (io.WriteCloser, error) {
	switch compression {
	case Gzip:
		return gzip.NewWriter(to), nil
	case Zstd:
		return zstd.NewWriter(to, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(packWindow), zstd.WithLowerEncoderMem(true))
	}
	return nil, nil
}
