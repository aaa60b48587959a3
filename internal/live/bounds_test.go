package live_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/live"
)

// tryDial tries to connect and returns the response status.
func (s site) tryDial(t *testing.T) (status int, header http.Header) {
	t.Helper()
	conn, answer, err := websocket.DefaultDialer.Dial(strings.Replace(s.url, "http", "ws", 1), nil)
	if err == nil {
		check.OK(t, conn.Close())
	} else if !errors.Is(err, websocket.ErrBadHandshake) {
		t.Fatal(err)
	}
	check.OK(t, answer.Body.Close())
	return answer.StatusCode, answer.Header
}

// waitFor retries until the status is the wanted one.
func (s site) waitFor(t *testing.T, want int) {
	t.Helper()
	deadline := time.Now().Add(timeout)
	for {
		got, _ := s.tryDial(t)
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("status = %d, want %d", got, want)
		}
	}
}

func TestConnectionLimit(t *testing.T) {
	t.Parallel()
	s := serve(t, live.Options{Messages: newDesk(), Connections: 2})
	s.connect(t, home, "a")
	second := s.dial(t) // connections without a token count, too
	status, header := s.tryDial(t)
	if status != http.StatusServiceUnavailable || header.Get("Retry-After") != "5" {
		t.Fatalf("third connection: status %d, Retry-After %q", status, header.Get("Retry-After"))
	}
	check.OK(t, second.conn.Close())
	s.waitFor(t, http.StatusSwitchingProtocols)
}

func TestFailedHandshakesFreeTheirSlot(t *testing.T) {
	t.Parallel()
	s := serve(t, live.Options{Messages: newDesk(), Connections: 1})
	for range 3 {
		request, err := http.NewRequest(http.MethodGet, s.url, nil)
		check.OK(t, err)
		request.Header.Set("Upgrade", "websocket") // and none of the other required headers
		answer, err := http.DefaultClient.Do(request)
		check.OK(t, err)
		check.OK(t, answer.Body.Close())
		if answer.StatusCode != http.StatusBadRequest {
			t.Fatalf("handshake: status %d", answer.StatusCode)
		}
	}
	s.waitFor(t, http.StatusSwitchingProtocols)
}

// TestSlowReadersAreDropped subscribes repeatedly without reading.
func TestSlowReadersAreDropped(t *testing.T) {
	t.Parallel()
	const channel = "workflow_updates:42"
	d := newDesk()
	d.set(home, channel, message(strings.Repeat("a", 100_000)))
	s := serve(t, live.Options{Messages: d, Connections: 1})
	c := s.connect(t, home, channel)
	deadline := time.Now().Add(timeout)
	check.OK(t, c.conn.SetWriteDeadline(deadline))
	for {
		err := c.conn.WriteMessage(websocket.TextMessage, []byte(
			`{"id":2,"subscribe":{"channel":"`+channel+`"}}`+"\n"+`{"id":3,"unsubscribe":{"channel":"`+channel+`"}}`))
		var timeout net.Error
		if errors.As(err, &timeout) && timeout.Timeout() {
			t.Fatal("the client was not dropped")
		}
		if err != nil {
			break
		}
	}
	s.waitFor(t, http.StatusSwitchingProtocols)
}

func TestClose(t *testing.T) {
	t.Parallel()
	const channel = "workflow_updates:42"
	d := newDesk()
	d.set(home, channel, "")
	s := serve(t, live.Options{Messages: d})
	c := s.connect(t, home, channel)
	c.subscribe(channel)
	silent := s.dial(t)
	closed := make(chan error, 1)
	go func() { closed <- s.Close(t.Context()) }()
	if code := c.closed(); code != 3001 { // may reconnect
		t.Errorf("close code = %d, want 3001", code)
	}
	if _, _, err := silent.conn.ReadMessage(); err == nil {
		t.Error("a client without a token received data")
	}
	check.OK(t, <-closed)
	if status, _ := s.tryDial(t); status != http.StatusServiceUnavailable {
		t.Errorf("connection after Close: status %d", status)
	}
	s.Ended(home, channel)
	check.OK(t, s.Close(t.Context()))
}

// TestCloseHasATimeout has a client that never reads, and so never closes.
func TestCloseHasATimeout(t *testing.T) {
	t.Parallel()
	s := serve(t, live.Options{Messages: newDesk()})
	s.connect(t, home, "a")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	started := time.Now()
	check.OK(t, s.Close(ctx))
	if took := time.Since(started); took > time.Second {
		t.Errorf("Close took %s", took)
	}
}
