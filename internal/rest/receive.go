package rest

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// minRate is the number of bytes per second that a client must send, on
// average, once the stall timeout has passed.
const minRate = 16 << 10

// receiver reads the body of a request. The read deadline of the connection
// follows the bytes that have arrived, so that a client that sends nothing, or
// hardly anything, does not hold on to memory. Only time spent waiting for the
// client counts.
type receiver struct {
	body     io.ReadCloser
	control  http.ResponseController
	stall    time.Duration // no deadline if 0
	received int64
	waited   time.Duration
	ended    bool
}

// start prepares to read the body of a request. Without a body, it lifts the
// deadline of the server, which is meant for sending the request and not for
// answering it.
func (b *receiver) start(w http.ResponseWriter, r *http.Request, stall time.Duration) {
	b.body, b.control, b.stall = r.Body, *http.NewResponseController(w), stall
	if r.Body == nil || r.Body == http.NoBody {
		b.end()
	}
}

// Read reads a part of the body.
func (b *receiver) Read(p []byte) (int, error) {
	if b.stall == 0 {
		return b.count(b.body.Read(p))
	}
	began := time.Now()
	allowed := b.stall + time.Duration(b.received)*time.Second/minRate - b.waited
	_ = b.control.SetReadDeadline(began.Add(allowed)) // tests have no connection
	n, err := b.body.Read(p)
	b.waited += time.Since(began)
	return b.count(n, err)
}

// Close closes the body.
func (b *receiver) Close() error { return b.body.Close() }

func (b *receiver) count(n int, err error) (int, error) {
	b.received += int64(n)
	if errors.Is(err, io.EOF) {
		b.end()
	}
	return n, err
}

func (b *receiver) end() {
	b.ended = true
	if b.stall > 0 {
		_ = b.control.SetReadDeadline(time.Time{})
	}
}

// maxDiscarded is how much of a rejected body is read.
const maxDiscarded = 64 << 20

// discard reads what is left of a rejected body, up to a size and a time: many
// clients read the answer only after they have sent everything, and closing
// the connection before would destroy the answer.
func (b *receiver) discard() {
	_ = b.control.SetReadDeadline(time.Now().Add(max(b.stall, time.Second)))
	_, _ = io.CopyN(io.Discard, b.body, maxDiscarded) // whatever happens, the connection is closed
}

// leftover is how much of an unread body net/http reads by itself.
const leftover = 256 << 10

// unread reports whether so much of the body is left, or may be, that net/http
// would close the connection without reading it.
func (b *receiver) unread(r *http.Request) bool {
	switch {
	case b.ended:
		return false
	case r.Header.Get("Expect") != "" && b.received == 0:
		return false // the client is waiting for permission to send it
	}
	return r.ContentLength < 0 || r.ContentLength-b.received > leftover
}
