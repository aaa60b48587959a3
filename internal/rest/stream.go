package rest

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
)

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
