// Package edge guards the network side of the server: how many connections it
// holds and for whom, how long a peer may stall, and which client is behind a
// proxy. It knows nothing about the API.
package edge

import (
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// Limits are the limits of a Listener.
type Limits struct {
	// Total is the maximum number of open connections.
	Total int
	// PerAddress is the maximum number of open connections of one client
	// address. Trusted proxies are exempt, because many clients share theirs.
	PerAddress int
	Trusted    Proxies
	// TLS says that connections do not speak plain HTTP.
	TLS bool
	// Stall is how long a peer may take to accept a part of a response.
	Stall time.Duration
}

// Stats are the numbers of a Listener since it was created.
type Stats struct {
	// Open is the number of connections that are open now.
	Open int64
	// Refused and Evicted count connections closed because of a limit: at
	// once, or later in favor of another address.
	Refused, Evicted int64
	// Stalled counts connections whose peer did not read.
	Stalled int64
}

// Listener is a net.Listener that enforces Limits. When the total is reached
// and another address holds more connections than the new client would, it
// closes the newest connection of the address that holds the most; otherwise it
// refuses the new one. One address can therefore never lock out the others.
type Listener struct {
	net.Listener
	limits                    Limits
	refused, evicted, stalled atomic.Int64

	mu     sync.Mutex
	open   int
	byAddr map[netip.Addr][]*conn // oldest first
}

// NewListener returns inner with limits.
func NewListener(inner net.Listener, limits Limits) *Listener {
	return &Listener{Listener: inner, limits: limits, byAddr: map[netip.Addr][]*conn{}}
}

// Accept returns the next connection within the limits.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := l.newConn(accepted)
		evicted, ok := l.admit(c)
		if !ok {
			l.refused.Add(1)
			l.refuse(accepted)
			continue
		}
		if evicted != nil {
			l.evicted.Add(1)
			_ = evicted.Conn.Close() // its peer is gone either way
		}
		return c, nil
	}
}

func (l *Listener) newConn(accepted net.Conn) *conn {
	addr := addressOf(accepted.RemoteAddr().String())
	if l.limits.Trusted.contains(addr) {
		return &conn{Conn: accepted, listener: l, addr: addr, trusted: true}
	}
	return &conn{Conn: accepted, listener: l, addr: groupOf(addr)}
}

// admit registers a connection, or reports that there is no room for it. It
// returns the connection to close in exchange, if any.
func (l *Listener) admit(c *conn) (evicted *conn, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	held := len(l.byAddr[c.addr])
	if !c.trusted && held >= l.limits.PerAddress {
		return nil, false
	}
	if l.open >= l.limits.Total {
		if evicted = l.heaviest(held + 1); evicted == nil {
			return nil, false
		}
		l.remove(evicted)
	}
	l.open++
	l.byAddr[c.addr] = append(l.byAddr[c.addr], c)
	return evicted, true
}

// heaviest returns the newest connection of the address that holds the most, if
// that is more than the given number. Trusted proxies are passed over.
func (l *Listener) heaviest(than int) (newest *conn) {
	for _, conns := range l.byAddr {
		last := conns[len(conns)-1]
		if len(conns) > than && !last.trusted {
			newest, than = last, len(conns)
		}
	}
	return newest
}

// remove unregisters a connection. It may be called repeatedly.
func (l *Listener) remove(c *conn) {
	conns := l.byAddr[c.addr]
	for i := len(conns) - 1; i >= 0; i-- {
		if conns[i] != c {
			continue
		}
		l.open--
		if len(conns) == 1 {
			delete(l.byAddr, c.addr)
			return
		}
		l.byAddr[c.addr] = append(conns[:i], conns[i+1:]...)
		return
	}
}

// Stats returns the current numbers.
func (l *Listener) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Stats{Open: int64(l.open), Refused: l.refused.Load(), Evicted: l.evicted.Load(), Stalled: l.stalled.Load()}
}

const refusal = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: 81\r\n\r\n" +
	`{"success":false,"message":"Too many connections are open","error":"unavailable"}`

// refuse closes a connection. A client that speaks plain HTTP usually gets to
// read the reason; waiting for it would cost what the limit protects.
func (l *Listener) refuse(c net.Conn) {
	if !l.limits.TLS {
		_ = c.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
		_, _ = io.WriteString(c, refusal)
	}
	_ = c.Close()
}
