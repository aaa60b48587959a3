package rest_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/rest"
)

// echoServer answers each request with its path, query and body.
func echoServer(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		fmt.Fprintf(w, "%s|%s|%s", r.URL.Path, r.URL.RawQuery, body)
	}))
	server.Listener = rest.LenientListener(server.Listener)
	server.Start()
	t.Cleanup(server.Close)
	return server
}

// TestLenientListener sends requests over one connection after the other, as
// they come from clients and in every other portion.
func TestLenientListener(t *testing.T) {
	t.Parallel()
	exchanges := []struct{ target, body, want string }{
		{"/things/plain", "", "/things/plain||"},
		{"/things/100%", "", "/things/100%||"},
		{"/things/50%%20off", "", "/things/50% off||"},
		{"/things/a%2Fb%zz%", "", "/things/a/b%zz%||"},
		{"/things/%E2%82%AC?q=5%&r=%41", "", "/things/€|q=5%25&r=%41|"},
		{"/things/body", "GET /100% is left alone\n100%\n", "/things/body||GET /100% is left alone\n100%\n"},
		{"/things/long" + strings.Repeat("%", 3000), "x%", "/things/long" + strings.Repeat("%", 3000) + "||x%"},
	}
	for _, portion := range []int{1, 2, 3, 7, 1 << 20} {
		t.Run(fmt.Sprint(portion), func(t *testing.T) {
			t.Parallel()
			server := echoServer(t)
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = conn.Close() })
			in := bufio.NewReader(conn)
			for _, x := range exchanges {
				send(t, conn, portion, fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", x.target, len(x.body), x.body))
				if status, got := receive(t, in); status != http.StatusOK || got != x.want {
					t.Fatalf("%.60s: %d %.100q, want %.100q", x.target, status, got, x.want)
				}
			}
		})
	}
}

// TestLenientListenerLeavesBodiesAlone sends a body after the server asked for
// it: what comes then is no request line, whatever it looks like.
func TestLenientListenerLeavesBodiesAlone(t *testing.T) {
	t.Parallel()
	server := echoServer(t)
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	in := bufio.NewReader(conn)
	const body = "GET /100% HTTP/1.1\r\n"
	send(t, conn, 1<<20, fmt.Sprintf("POST /5%% HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", len(body)))
	if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q, %v", line, err)
	}
	if _, err := in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	send(t, conn, 1<<20, body)
	if status, got := receive(t, in); status != http.StatusOK || got != "/5%||"+body {
		t.Errorf("%d %q", status, got)
	}
}

func send(t *testing.T, conn net.Conn, portion int, text string) {
	t.Helper()
	for len(text) > 0 {
		n := min(portion, len(text))
		if _, err := io.WriteString(conn, text[:n]); err != nil {
			t.Fatal(err)
		}
		text = text[n:]
	}
}

func receive(t *testing.T, in *bufio.Reader) (status int, body string) {
	t.Helper()
	response, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode, string(text)
}

// TestLenientListenerAfterAnUpgrade echoes lines over a connection that no
// longer speaks HTTP.
func TestLenientListenerAfterAnUpgrade(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, stream, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = conn.Close() }()
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: lines\r\n\r\n")
		for {
			line, err := stream.ReadString('\n')
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, line)
		}
	}))
	server.Listener = rest.LenientListener(server.Listener)
	server.Start()
	t.Cleanup(server.Close)
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	in := bufio.NewReader(conn)
	send(t, conn, 1<<20, "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: lines\r\n\r\n")
	for line := ""; line != "\r\n"; {
		if line, err = in.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"POST /100% is no request\n", "GET %\n"} {
		send(t, conn, 1<<20, line)
		if got, err := in.ReadString('\n'); err != nil || got != line {
			t.Errorf("%q came back as %q (%v)", line, got, err)
		}
	}
}
