package work

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestKeepAlive reads from a stream without events.
func TestKeepAlive(t *testing.T) {
	t.Parallel()
	enough := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		stream := newEventStream(w, func() { t.Error("the stream is broken") })
		defer stream.end()
		stream.begin(time.Millisecond)
		<-enough
	}))
	t.Cleanup(server.Close)
	answer, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	lines := bufio.NewScanner(answer.Body)
	for range 3 {
		if !lines.Scan() || lines.Text() != ": the model is at work" || !lines.Scan() || lines.Text() != "" {
			t.Errorf("the line is %q", lines.Text())
		}
	}
	close(enough)
}

// TestBrokenStream writes to a client that has disconnected.
func TestBrokenStream(t *testing.T) {
	t.Parallel()
	broken := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		ctx := make(chan struct{}, 1)
		stream := newEventStream(w, func() {
			select {
			case ctx <- struct{}{}:
			default:
			}
		})
		defer stream.end()
		stream.begin(time.Millisecond)
		<-ctx
		close(broken)
	}))
	t.Cleanup(server.Close)
	answer, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	server.CloseClientConnections()
	select {
	case <-broken:
	case <-time.After(20 * time.Second):
		t.Error("broken was not called")
	}
}
