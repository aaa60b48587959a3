package rest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// maxUnextracted is the maximum size of a streamed body without the extracted
// member.
const maxUnextracted = 1 << 20

// ParseStream parses Stream as a JSON object with one string member that is too
// long for memory. See jsontree.ParseExtracting.
func (r *Request) ParseStream(member string, use func(text io.Reader) error) (jsontree.Value, error) {
	stream := bufio.NewReaderSize(r.Stream, 64<<10)
	if start, _ := stream.Peek(len(byteOrderMark)); bytes.Equal(start, byteOrderMark) {
		_, _ = stream.Discard(len(byteOrderMark)) // it was peeked before
	}
	body, err := jsontree.ParseExtracting(stream, member, maxUnextracted, use)
	if errors.Is(err, jsontree.ErrTooLarge) {
		return body, fault.New(fault.TooLarge, "The request body without %s is larger than %d bytes", member, maxUnextracted)
	}
	if _, syntax := errors.AsType[*jsontree.Error](err); err != nil && !syntax {
		return body, err
	}
	return body, bodyFault(body, err)
}

// bodyStream is a body as it arrives: unpacked, within the limit, and with
// errors that are fit for a client.
type bodyStream struct {
	from        io.Reader
	gzip        *gzip.Reader // nil unless the body is packed
	limit, left int64
}

var gzipReaders = sync.Pool{New: func() any { return new(gzip.Reader) }}

// openBody prepares to read a body. The limit applies to what arrives and to
// what is unpacked.
func (r *Request) openBody(w http.ResponseWriter, limit int64) error {
	if r.HTTP.ContentLength > limit {
		return tooLarge(limit)
	}
	r.stream = bodyStream{from: http.MaxBytesReader(w, &r.receiver, limit), limit: limit, left: limit}
	if !r.packed {
		return nil
	}
	r.stream.gzip = gzipReaders.Get().(*gzip.Reader)
	if err := r.stream.gzip.Reset(r.stream.from); err != nil {
		return readFault(gzipFault(err), limit)
	}
	r.stream.from = r.stream.gzip
	return nil
}

// Read reads a part of the body.
func (s *bodyStream) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	if s.left -= int64(n); s.left < 0 {
		return 0, tooLarge(s.limit)
	}
	if err == nil || errors.Is(err, io.EOF) {
		return n, err
	}
	if s.gzip != nil {
		err = gzipFault(err)
	}
	return n, readFault(err, s.limit)
}

// close allows other requests to use the buffers.
func (s *bodyStream) close() {
	if s.gzip != nil {
		gzipReaders.Put(s.gzip)
		s.gzip, s.from = nil, nil
	}
}
