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

// tryDial returns the status with which a connection is answered.
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

// waitFor tries until the status is the wanted one.
func (s site) waitFor(t *testing.T, want int) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		got, _ := s.tryDial(t)
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("connections are answered with %d, want %d", got, want)
		}
	}
}

func TestConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	s := serve(t, live.Options{Messages: newDesk(), Connections: 2})
	s.connect(t, home, "a")
	second := s.dial(t) // who has shown no token counts, too
	status, header := s.tryDial(t)
	if status != http.StatusServiceUnavailable || header.Get("Retry-After") != "5" {
		t.Fatalf("the third connection was answered with %d and Retry-After %q", status, header.Get("Retry-After"))
	}
	check.OK(t, second.conn.Close())
	s.waitFor(t, http.StatusSwitchingProtocols)
}

func TestPlacesOfFailedHandshakesAreGivenBack(t *testing.T) {
	t.Parallel()
	s := serve(t, live.Options{Messages: newDesk(), Connections: 1})
	for range 3 {
		request, err := http.NewRequest(http.MethodGet, s.url, nil)
		check.OK(t, err)
		request.Header.Set("Upgrade", "websocket") // and nothing else that is needed
		answer, err := http.DefaultClient.Do(request)
		check.OK(t, err)
		check.OK(t, answer.Body.Close())
		if answer.StatusCode != http.StatusBadRequest {
			t.Fatalf("the handshake was answered with %d", answer.StatusCode)
		}
	}
	s.waitFor(t, http.StatusSwitchingProtocols)
}

// TestSlowReadersAreDropped subscribes again and again without reading.
func TestSlowReadersAreDropped(t *testing.T) {
	t.Parallel()
	const channel = "workflow_updates:42"
	d := newDesk()
	d.set(home, channel, message(strings.Repeat("a", 100_000)))
	s := serve(t, live.Options{Messages: d, Connections: 1})
	c := s.connect(t, home, channel)
	deadline := time.Now().Add(patience)
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
	if code := c.closed(); code != 3001 { // may come back
		t.Errorf("the connection was closed with code %d, want 3001", code)
	}
	if _, _, err := silent.conn.ReadMessage(); err == nil {
		t.Error("a client without token was sent something")
	}
	check.OK(t, <-closed)
	if status, _ := s.tryDial(t); status != http.StatusServiceUnavailable {
		t.Errorf("a later connection was answered with %d", status)
	}
	s.Ended(home, channel)
	check.OK(t, s.Close(t.Context()))
}

// TestCloseDoesNotWaitForEver has a client that never reads, and so never
// says goodbye.
func TestCloseDoesNotWaitForEver(t *testing.T) {
	t.Parallel()
	s := serve(t, live.Options{Messages: newDesk()})
	s.connect(t, home, "a")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	started := time.Now()
	check.OK(t, s.Close(ctx))
	if took := time.Since(started); took > time.Second {
		t.Errorf("closing took %s", took)
	}
}
