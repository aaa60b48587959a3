package importer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Parts are kept compressed. The encoder and the decoder have no state between
// calls.
var (
	packer   = must(zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1)))
	unpacker = must(zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(4*MaxPart)))
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err) // the options are wrong
	}
	return value
}

func pack(text []byte) []byte { return packer.EncodeAll(text, nil) }

func unpack(packed []byte) ([]byte, error) {
	text, err := unpacker.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack a part: %w", err)
	}
	return text, nil
}

// partReader reads a content from its first part to its last.
type partReader struct {
	ctx     context.Context // lives as long as the reading
	store   Store
	id      int64
	content Content
	last    int64

	next  int64
	text  bytes.Reader
	bytes int64 // that were read
}

func newPartReader(ctx context.Context, store Store, id int64, content Content, last int64) *partReader {
	return &partReader{ctx: ctx, store: store, id: id, content: content, last: last, next: 1}
}

// Read implements io.Reader.
func (r *partReader) Read(p []byte) (int, error) {
	for r.text.Len() == 0 {
		if r.next > r.last {
			return 0, io.EOF
		}
		packed, err := r.store.GetPart(r.ctx, r.id, r.content, r.next)
		if err != nil {
			return 0, err
		}
		text, err := unpack(packed)
		if err != nil {
			return 0, err
		}
		r.text.Reset(text)
		r.next++
	}
	n, err := r.text.Read(p)
	r.bytes += int64(n)
	if errors.Is(err, io.EOF) {
		err = nil // of the part
	}
	return n, err
}

// appendEntry appends an entry of the report as a line of JSON.
func appendEntry(dst []byte, e Entry) []byte {
	w := jsontree.NewWriter(dst)
	w.Object(func() {
		w.Key("row").Int(e.Row)
		w.Key("line").Int(e.Line)
		w.Key("id").StringOrNull(e.ID)
		w.Key("status").String(string(e.Status))
		w.Key("reason").String(e.Reason)
	})
	return append(w.Bytes(), '\n')
}
