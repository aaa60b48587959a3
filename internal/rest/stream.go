package rest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// maxUnextracted is how large a streamed body may be without the member that
// is extracted.
const maxUnextracted = 1 << 20

// ParseStream reads Stream as a JSON object with one string member that is too
// long for memory: see jsontree.ParseExtracting.
func (r *Request) ParseStream(member string, use func(text io.Reader) error) (jsontree.Value, error) {
	stream := bufio.NewReaderSize(r.Stream, 64<<10)
	if start, _ := stream.Peek(len(byteOrderMark)); bytes.Equal(start, byteOrderMark) {
		_, _ = stream.Discard(len(byteOrderMark)) // they were peeked at
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

// streamBody returns the body as it arrives, unpacked. The limit holds for what
// arrives and for what comes out.
func streamBody(w http.ResponseWriter, r *http.Request, packed bool, limit int64) (io.Reader, error) {
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	stream := &bodyStream{from: http.MaxBytesReader(w, r.Body, limit), limit: limit, left: limit}
	if !packed {
		return stream, nil
	}
	unpacked, err := gzip.NewReader(stream.from)
	if err != nil {
		return nil, readFault(gzipFault(err), limit)
	}
	stream.from, stream.packed = unpacked, true
	return stream, nil
}

// bodyStream turns the errors of reading into faults.
type bodyStream struct {
	from        io.Reader
	limit, left int64
	packed      bool
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
	if s.packed {
		err = gzipFault(err)
	}
	return n, readFault(err, s.limit)
}
