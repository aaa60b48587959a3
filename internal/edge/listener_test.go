package edge_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/edge"
)

// large is more than the kernel buffers for a peer that does not read.
var large = strings.Repeat("x", 16<<20)

// serve serves a small page and a large one within the limits.
func serve(t *testing.T, limits edge.Limits) *edge.Listener {
	t.Helper()
	if limits.Stall == 0 {
		limits.Stall = time.Minute
	}
	if limits.PerAddress == 0 {
		limits.PerAddress = limits.Total
	}
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	check.OK(t, err)
	listener := edge.NewListener(inner, limits)
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/large" {
			_, _ = io.WriteString(w, large)
			return
		}
		_, _ = io.WriteString(w, "ok")
	})}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return listener
}

// dial connects from one of the loopback addresses.
func dial(t *testing.T, listener net.Listener, from string) net.Conn {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: 10 * time.Second}
	conn, err := dialer.Dial("tcp", listener.Addr().String())
	check.OK(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	check.OK(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	return conn
}

// get sends a request and returns the status, or 0 if the connection is closed.
func get(t *testing.T, conn net.Conn, path string) int {
	t.Helper()
	if _, err := io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		return 0
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	check.OK(t, err)
	if response.StatusCode == http.StatusServiceUnavailable && !json.Valid(text) {
		t.Errorf("refusal %q is not JSON", text)
	}
	return response.StatusCode
}

// stall asks for the large page and does not read it.
func stall(t *testing.T, listener net.Listener, from string) net.Conn {
	t.Helper()
	conn := dial(t, listener, from)
	check.OK(t, conn.(*net.TCPConn).SetReadBuffer(4<<10))
	_, err := io.WriteString(conn, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
	check.OK(t, err)
	return conn
}

// waitOpen waits until a number of connections is open.
func waitOpen(t *testing.T, listener *edge.Listener, want int64) {
	t.Helper()
	check.Eventually(t, "number of open connections", func() bool { return listener.Stats().Open == want })
}

func TestSlowReadersDoNotLockOutOthers(t *testing.T) {
	t.Parallel()
	listener := serve(t, edge.Limits{Total: 10})
	for range 30 {
		stall(t, listener, "127.0.0.2")
	}
	for i := range 4 {
		if status := get(t, dial(t, listener, "127.0.0.3"), "/"); status != http.StatusOK {
			t.Errorf("connection %d of another address: status %d", i, status)
		}
	}
	stats := listener.Stats()
	check.Equal(t, "open", stats.Open, 10)
	check.Equal(t, "refused", stats.Refused, 20)
	check.Equal(t, "evicted", stats.Evicted, 4)
}

func TestEvictionTakesTheNewest(t *testing.T) {
	t.Parallel()
	listener := serve(t, edge.Limits{Total: 3})
	oldest, middle, newest := dial(t, listener, "127.0.0.2"), dial(t, listener, "127.0.0.2"), dial(t, listener, "127.0.0.2")
	waitOpen(t, listener, 3)
	check.Equal(t, "other address", get(t, dial(t, listener, "127.0.0.3"), "/"), http.StatusOK)
	check.Equal(t, "newest", get(t, newest, "/"), 0)
	check.Equal(t, "middle", get(t, middle, "/"), http.StatusOK)
	check.Equal(t, "oldest", get(t, oldest, "/"), http.StatusOK)
	// Both addresses would now hold two: there is no one to close in exchange.
	check.Equal(t, "one too many", get(t, dial(t, listener, "127.0.0.3"), "/"), http.StatusServiceUnavailable)
}

func TestLimitPerAddress(t *testing.T) {
	t.Parallel()
	trusted, err := edge.ParseProxies("127.0.0.9")
	check.OK(t, err)
	listener := serve(t, edge.Limits{Total: 20, PerAddress: 2, Trusted: trusted})
	for from, want := range map[string]int{"127.0.0.2": http.StatusServiceUnavailable, "127.0.0.9": http.StatusOK} {
		first := dial(t, listener, from)
		check.Equal(t, "first of "+from, get(t, first, "/"), http.StatusOK)
		check.Equal(t, "second of "+from, get(t, dial(t, listener, from), "/"), http.StatusOK)
		check.Equal(t, "third of "+from, get(t, dial(t, listener, from), "/"), want)
		before := listener.Stats().Open
		check.OK(t, first.Close())
		waitOpen(t, listener, before-1)
		check.Equal(t, "next of "+from, get(t, dial(t, listener, from), "/"), http.StatusOK)
	}
}

func TestStalledConnectionsAreClosed(t *testing.T) {
	t.Parallel()
	listener := serve(t, edge.Limits{Total: 10, Stall: 100 * time.Millisecond})
	for range 5 {
		stall(t, listener, "127.0.0.2")
	}
	waitOpen(t, listener, 0)
	check.Equal(t, "stalled", listener.Stats().Stalled, 5)
}

// TestSlowProgressIsNotAStall reads a response in several times the timeout.
func TestSlowProgressIsNotAStall(t *testing.T) {
	t.Parallel()
	listener := serve(t, edge.Limits{Total: 10, Stall: time.Second})
	conn := dial(t, listener, "127.0.0.2")
	check.OK(t, conn.(*net.TCPConn).SetReadBuffer(256<<10))
	_, err := io.WriteString(conn, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
	check.OK(t, err)
	started, received := time.Now(), 0
	buffer := make([]byte, 256<<10)
	for received < len(large) {
		n, err := conn.Read(buffer)
		if err != nil {
			t.Fatalf("after %d bytes: %v", received, err)
		}
		received += n
		time.Sleep(time.Duration(n) * 3 * time.Second / time.Duration(len(large)))
	}
	if took := time.Since(started); took < 2*time.Second {
		t.Errorf("took %s, which shows nothing", took)
	}
}

// TestOwnDeadlinesAreKept covers event streams and WebSockets, which have
// write deadlines of their own.
func TestOwnDeadlinesAreKept(t *testing.T) {
	t.Parallel()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	check.OK(t, err)
	listener := edge.NewListener(inner, edge.Limits{Total: 1, PerAddress: 1, Stall: time.Hour})
	t.Cleanup(func() { _ = listener.Close() })
	client := dial(t, listener, "127.0.0.2")
	check.OK(t, client.(*net.TCPConn).SetReadBuffer(4<<10))
	server, err := listener.Accept()
	check.OK(t, err)
	check.OK(t, server.SetWriteDeadline(time.Now().Add(50*time.Millisecond)))
	if _, err := io.WriteString(server, large); err == nil {
		t.Error("a write beyond its deadline succeeded")
	}
	check.Equal(t, "stalled", listener.Stats().Stalled, 0)
	check.OK(t, server.Close())
	check.Equal(t, "open", listener.Stats().Open, 0)
}
