package rest

import (
	"bytes"
	"net"
	"slices"
	"sync/atomic"
)

// LenientListener returns a listener whose connections may carry names in
// request lines as one client library sends them: with percent signs that
// begin no escape, as in /things/100%. net/http refuses such a line before any
// handler sees it, so the signs are escaped on the way in.
func LenientListener(l net.Listener) net.Listener { return lenientListener{l} }

type lenientListener struct{ net.Listener }

func (l lenientListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &lenientConn{Conn: conn}
	c.answered.Store(true)
	return c, nil
}

// lenientConn looks at the first line that comes after an answer, or at the
// beginning: there, and nowhere else, a request starts.
type lenientConn struct {
	net.Conn
	answered atomic.Bool // nothing has been read since the last answer
	upgraded atomic.Bool // it speaks another protocol now

	// The reader's own:
	inLine bool
	begun  []byte // an escape of which not all bytes have come
	ready  []byte // escaped, not handed out yet
}

var (
	newline = []byte("\n")
	// interim begins an answer after which the rest of the request comes.
	interim = []byte("HTTP/1.1 100")
	// upgrade begins the last answer of a connection that speaks another
	// protocol from then on.
	upgrade = []byte("HTTP/1.1 101")
)

// Write sends a part of an answer.
func (c *lenientConn) Write(p []byte) (int, error) {
	switch {
	case bytes.HasPrefix(p, upgrade):
		c.upgraded.Store(true)
	case !bytes.HasPrefix(p, interim):
		c.answered.Store(true)
	}
	return c.Conn.Write(p)
}

// Read reads what the client sent, with the request line mended.
func (c *lenientConn) Read(p []byte) (int, error) {
	for len(c.ready) == 0 {
		n, err := c.Conn.Read(p)
		if n > 0 && c.upgraded.Load() {
			return n, err
		}
		if n > 0 && c.answered.Swap(false) {
			c.inLine = 'A' <= p[0] && p[0] <= 'Z' // a method
		}
		if err != nil || !c.inLine {
			return n, err
		}
		line, _, whole := bytes.Cut(p[:n], newline)
		if len(c.begun) == 0 && bytes.IndexByte(line, '%') < 0 {
			c.inLine = !whole
			return n, nil
		}
		c.mend(p[:n])
	}
	n := copy(p, c.ready)
	c.ready = c.ready[n:]
	return n, nil
}

// mend makes what came ready. What may be the beginning of an escape is kept
// back until more comes.
func (c *lenientConn) mend(came []byte) {
	text := slices.Concat(c.begun, came)
	c.begun, c.ready = nil, make([]byte, 0, len(text)+8)
	for i, b := range text {
		left := text[i+1:]
		switch {
		case b == '\n':
			c.inLine = false
			c.ready = append(c.ready, text[i:]...)
			return
		case b == '%' && len(left) < 2 && bytes.IndexByte(left, '\n') < 0:
			c.begun = bytes.Clone(text[i:])
			return
		case b == '%' && (len(left) < 2 || !isHex(left[0]) || !isHex(left[1])):
			c.ready = append(c.ready, "%25"...)
		default:
			c.ready = append(c.ready, b)
		}
	}
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}
