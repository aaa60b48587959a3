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

// Handler returns what serves GET /connection/websocket.
func (s *Server) Handler() http.Handler { return s.handler }

// newHandler counts connections in front of the library, which would take any
// number.
func (s *Server) newHandler() http.Handler {
	upgrader := s.newUpgrader()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
			refuse(w, fault.BadRequestf("This address is for WebSocket connections only"))
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

// refuse answers with an error in the shape that all errors have.
func refuse(w http.ResponseWriter, err *fault.Error) {
	if err.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(err.RetryAfter/time.Second)))
	}
	status, body := rest.ErrorShape(err)
	_ = rest.WriteJSON(w, status, body) // strings can be encoded
}

// sockets counts connections and knows those that are open.
type sockets struct {
	mu      sync.Mutex
	free    int
	refused bool
	open    map[net.Conn]struct{}
}

func newSockets(limit int) *sockets {
	return &sockets{free: limit, open: map[net.Conn]struct{}{}}
}

// retryAfter is when a client that was refused may come back.
const retryAfter = 5 * time.Second

// reserve takes a place, or returns the fault that there is none.
func (s *sockets) reserve() *fault.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused || s.free == 0 {
		return fault.Busy(retryAfter, nil, "Too many clients are connected")
	}
	s.free--
	return nil
}

// release gives a place back.
func (s *sockets) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free++
}

// add notes an open connection, unless no more are wanted.
func (s *sockets) add(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.refused {
		s.open[conn] = struct{}{}
	}
	return !s.refused
}

// closed forgets a connection, which gives its place back.
func (s *sockets) closed(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, conn)
	s.free++
}

// refuse makes every further connection be refused.
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
		_ = conn.Close() // a connection that is closed already is what is wanted
	}
}

// countedWriter hands out a connection that gives its place back when it is
// closed: the handler returns long before.
type countedWriter struct {
	http.ResponseWriter
	sockets  *sockets
	hijacked bool
}

// Hijack takes the connection over.
func (w *countedWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	counted := &countedConn{Conn: conn, sockets: w.sockets}
	w.hijacked = true
	if !w.sockets.add(counted) {
		_ = counted.Close() // the client is refused either way
		return nil, nil, errors.New("the server is closing")
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
