package edge

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// part is how much of a response must be accepted before the deadline is
// renewed.
const part = 64 << 10

// conn is an admitted connection. Its write deadline follows progress, unless
// the user of the connection sets one: event streams and WebSockets do.
type conn struct {
	net.Conn
	listener *Listener
	addr     netip.Addr
	trusted  bool
	explicit atomic.Bool // the user sets the write deadline
	once     sync.Once
}

// Write writes p part by part, each within the stall timeout.
func (c *conn) Write(p []byte) (n int, err error) {
	for {
		end := min(n+part, len(p))
		own := !c.explicit.Load()
		if own {
			if err := c.Conn.SetWriteDeadline(time.Now().Add(c.listener.limits.Stall)); err != nil {
				return n, err
			}
		}
		written, err := c.Conn.Write(p[n:end])
		n += written
		if own && errors.Is(err, os.ErrDeadlineExceeded) {
			c.listener.stalled.Add(1)
		}
		if err != nil || n == len(p) {
			return n, err
		}
	}
}

// SetWriteDeadline sets the deadline of all writes. The zero time returns to
// the stall timeout.
func (c *conn) SetWriteDeadline(t time.Time) error {
	c.explicit.Store(!t.IsZero())
	return c.Conn.SetWriteDeadline(t)
}

// SetDeadline sets the deadline of all reads and writes.
func (c *conn) SetDeadline(t time.Time) error {
	c.explicit.Store(!t.IsZero())
	return c.Conn.SetDeadline(t)
}

// CloseWrite ends the sending direction, so that the peer can still be heard.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Close closes the connection and frees its place.
func (c *conn) Close() error {
	c.once.Do(func() {
		c.listener.mu.Lock()
		defer c.listener.mu.Unlock()
		c.listener.remove(c)
	})
	return c.Conn.Close()
}
