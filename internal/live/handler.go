package live

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/rest"
)

// Handler returns the handler of GET /connection/websocket.
func (s *Server) Handler() http.Handler { return s.handler }

// newHandler limits connections before they reach the library, which has no
// limit.
func (s *Server) newHandler() http.Handler {
	upgrader := s.newUpgrader()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
			refuse(w, fault.BadRequestf("This address accepts only WebSocket connections"))
			return
		}
		if err := s.sockets.reserve(); err != nil {
			refuse(w, err)
			return
		}
		counted := &countedWriter{ResponseWriter: w, sockets: s.sockets}
		upgrader.ServeHTTP(counted, r)
		if !counted.hijacked {
			s.sockets.release()
		}
	})
}

// refuse writes an error response.
func refuse(w http.ResponseWriter, err *fault.Error) {
	if err.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(err.RetryAfter/time.Second)))
	}
	status, body := rest.ErrorShape(err)
	_ = rest.WriteJSON(w, status, body) // encoding strings cannot fail
}

// sockets counts and tracks open connections.
type sockets struct {
	mu      sync.Mutex
	free    int
	refused bool
	open    map[net.Conn]struct{}
}

func newSockets(limit int) *sockets {
	return &sockets{free: limit, open: map[net.Conn]struct{}{}}
}

// retryAfter is when a rejected client may retry.
const retryAfter = 5 * time.Second

// reserve takes a slot. It returns a fault if none is free.
func (s *sockets) reserve() *fault.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused || s.free == 0 {
		return fault.Busy(retryAfter, nil, "Too many clients are connected")
	}
	s.free--
	return nil
}

// release frees a slot.
func (s *sockets) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free++
}

// add tracks an open connection. It returns false if the server is closing.
func (s *sockets) add(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.refused {
		s.open[conn] = struct{}{}
	}
	return !s.refused
}

// closed removes a connection and frees its slot.
func (s *sockets) closed(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, conn)
	s.free++
}

// refuse rejects all further connections.
func (s *sockets) refuse() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = true
}

// cutOff closes all connections.
func (s *sockets) cutOff() {
	s.mu.Lock()
	left := make([]net.Conn, 0, len(s.open))
	for conn := range s.open {
		left = append(left, conn)
	}
	s.mu.Unlock()
	for _, conn := range left {
		_ = conn.Close() // it may be closed already
	}
}

// countedWriter wraps the hijacked connection, so that closing it frees its
// slot. The handler returns long before.
type countedWriter struct {
	http.ResponseWriter
	sockets  *sockets
	hijacked bool
}

// Hijack takes over the connection.
func (w *countedWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	counted := &countedConn{Conn: conn, sockets: w.sockets}
	w.hijacked = true
	if !w.sockets.add(counted) {
		_ = counted.Close() // the client is rejected either way
		return nil, nil, errors.New("server is closing")
	}
	return counted, buffers, nil
}

type countedConn struct {
	net.Conn
	sockets *sockets
	once    sync.Once
}

// Close closes the connection.
func (c *countedConn) Close() error {
	c.once.Do(func() { c.sockets.closed(c) })
	return c.Conn.Close()
}
