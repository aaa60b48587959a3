package rest_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/rest"
)

// gate is a server whose only valid key is "pl_a". POST /track accepts the key
// in the body, POST /books only in the header, and POST /hello needs none.
func gate(t *testing.T, options rest.Options) *httptest.Server {
	t.Helper()
	options.Logger = slog.New(slog.DiscardHandler)
	options.Authenticate = func(ctx context.Context, _ *http.Request, key string) (context.Context, string, error) {
		if key != "pl_a" {
			return ctx, "", fault.New(fault.Unauthorized, "Invalid or missing API key")
		}
		return ctx, "a", nil
	}
	var ops []rest.Op
	for path, auth := range map[string]rest.Auth{"/track": rest.AuthKeyOrBody, "/books": rest.AuthKey, "/hello": rest.AuthNone} {
		ops = append(ops, rest.Op{
			Method: http.MethodPost, Path: path, ID: path[1:], Summary: "Measure", Tag: "Gate", Auth: auth,
			Handler: rest.Handle(func(_ context.Context, in *noteInput) (*noteOutput, error) { return &noteOutput{len(in.Text)}, nil }),
		})
	}
	router, err := rest.New(ops, options)
	check.OK(t, err)
	server := httptest.NewServer(router)
	t.Cleanup(server.Close)
	return server
}

// begin sends the header and the beginning of a request, and leaves it there.
func begin(t *testing.T, server *httptest.Server, path string, length int, start string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	check.OK(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	check.OK(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, length, start)
	check.OK(t, err)
	return conn
}

// outcome reads the answer and returns its status.
func outcome(t *testing.T, conn net.Conn) int {
	t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	check.OK(t, err)
	defer func() { _ = response.Body.Close() }()
	_, err = io.Copy(io.Discard, response.Body)
	check.OK(t, err)
	return response.StatusCode
}

// post sends a whole request and returns the status.
func post(t *testing.T, server *httptest.Server, path, key, body string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, strings.NewReader(body))
	check.OK(t, err)
	if key != "" {
		request.Header.Set("X-API-KEY", key)
	}
	response, err := server.Client().Do(request)
	check.OK(t, err)
	check.OK(t, response.Body.Close())
	return response.StatusCode
}

func TestAnnouncedBodiesAreNotCharged(t *testing.T) {
	t.Parallel()
	server := gate(t, rest.Options{BodyMemory: 1 << 20})
	for range 15 {
		begin(t, server, "/track", 1<<20, "{")
		begin(t, server, "/hello", 1<<20, "{")
	}
	for range 3 {
		check.Equal(t, "key in the header", post(t, server, "/books", "pl_a", note(500<<10)), http.StatusOK)
		check.Equal(t, "key in the body", post(t, server, "/track", "", `{"api_key":"pl_a",`+note(200 << 10)[1:]), http.StatusOK)
	}
}

// TestStrangersHaveTheirOwnMemory sends the greater part of large bodies whose
// key would come at the end.
func TestStrangersHaveTheirOwnMemory(t *testing.T) {
	t.Parallel()
	server := gate(t, rest.Options{BodyMemory: 1 << 20})
	late := note(400 << 10)
	late = late[:len(late)-1] + `,"api_key":"pl_a"}`
	check.Equal(t, "key at the end", post(t, server, "/track", "", late), http.StatusOK)
	for range 10 {
		begin(t, server, "/track", len(late), late[:200<<10])
	}
	check.Eventually(t, "lack of memory for strangers", func() bool {
		return post(t, server, "/track", "", late) == http.StatusServiceUnavailable
	})
	for range 3 {
		check.Equal(t, "key in the header", post(t, server, "/books", "pl_a", note(500<<10)), http.StatusOK)
		check.Equal(t, "key at the beginning", post(t, server, "/track", "", `{"api_key":"pl_a",`+late[1:]), http.StatusOK)
	}
	check.Equal(t, "wrong key at the beginning", post(t, server, "/track", "", `{"api_key":"pl_b",`+late[1:]), http.StatusUnauthorized)
}

func TestSilentBodiesTimeOut(t *testing.T) {
	t.Parallel()
	server := gate(t, rest.Options{BodyMemory: 1 << 20, Stall: 300 * time.Millisecond})
	whole := note(100 << 10)
	for name, conn := range map[string]net.Conn{
		"nothing":            begin(t, server, "/hello", len(whole), ""),
		"key in the body":    begin(t, server, "/track", len(whole), whole[:20<<10]),
		"no byte of the key": begin(t, server, "/track", len(whole), ""),
	} {
		want := http.StatusBadRequest
		if strings.Contains(name, "key") {
			want = http.StatusUnauthorized // what is wrong with the body is not told
		}
		check.Equal(t, name, outcome(t, conn), want)
	}
}

// TestSteadyBodiesAreNotCutOff sends a body in several times the timeout, but
// faster than the minimum rate.
func TestSteadyBodiesAreNotCutOff(t *testing.T) {
	t.Parallel()
	server := gate(t, rest.Options{Stall: 500 * time.Millisecond})
	whole := note(160 << 10)
	const pieces = 20
	conn := begin(t, server, "/hello", len(whole), "")
	for i := range pieces {
		_, err := io.WriteString(conn, whole[i*len(whole)/pieces:(i+1)*len(whole)/pieces])
		check.OK(t, err)
		time.Sleep(100 * time.Millisecond) // about 80 KB per second
	}
	check.Equal(t, "status", outcome(t, conn), http.StatusOK)
}

// TestRejectedBodiesAreAnswered has a client that reads the answer only after
// it has sent everything.
func TestRejectedBodiesAreAnswered(t *testing.T) {
	t.Parallel()
	server := gate(t, rest.Options{MaxBody: 4 << 10, Stall: 10 * time.Second})
	large := note(8 << 20)
	for name, test := range map[string]struct {
		path, key, encoding string
		want                int
	}{
		"too large":                  {"/books", "pl_a", "", http.StatusRequestEntityTooLarge},
		"too large, chunked":         {"/books", "pl_a", "chunked", http.StatusRequestEntityTooLarge},
		"too large and anonymous":    {"/track", "", "", http.StatusRequestEntityTooLarge},
		"of a stranger":              {"/books", "wrong", "", http.StatusUnauthorized},
		"of a stranger, chunked":     {"/books", "wrong", "chunked", http.StatusUnauthorized},
		"to an operation without it": {"/nowhere", "", "", http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			check.OK(t, err)
			defer func() { _ = conn.Close() }()
			check.OK(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
			out := bufio.NewWriter(conn)
			fmt.Fprintf(out, "POST %s HTTP/1.1\r\nHost: x\r\n", test.path)
			if test.key != "" {
				fmt.Fprintf(out, "X-API-KEY: %s\r\n", test.key)
			}
			if test.encoding == "chunked" {
				fmt.Fprintf(out, "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(large), large)
			} else {
				fmt.Fprintf(out, "Content-Length: %d\r\n\r\n%s", len(large), large)
			}
			check.OK(t, out.Flush())
			check.Equal(t, "status", outcome(t, conn), test.want)
		})
	}
}

// TestRejectedBodiesAreNotAwaited has a client that announces a body and waits
// for the answer.
func TestRejectedBodiesAreNotAwaited(t *testing.T) {
	t.Parallel()
	server := gate(t, rest.Options{MaxBody: 4 << 10, Stall: time.Minute})
	check.Equal(t, "status", outcome(t, begin(t, server, "/track", 1<<20, "{")), http.StatusRequestEntityTooLarge)
	check.Equal(t, "status", outcome(t, begin(t, server, "/books", 1<<20, "")), http.StatusUnauthorized)
}

// TestLongOperationsAreNotCutOff has operations that take longer than a client
// may take to send a request.
func TestLongOperationsAreNotCutOff(t *testing.T) {
	t.Parallel()
	const stall = 100 * time.Millisecond
	wait := func(ctx context.Context) (*noteOutput, error) {
		select {
		case <-ctx.Done():
			return nil, fault.New(fault.Conflict, "cut off")
		case <-time.After(5 * stall):
			return &noteOutput{}, nil
		}
	}
	router, err := rest.New([]rest.Op{
		{Method: "GET", Path: "/wait", ID: "wait", Summary: "Wait", Tag: "Gate", Auth: rest.AuthNone, Handler: rest.Handle(func(ctx context.Context, _ *struct{}) (*noteOutput, error) { return wait(ctx) })},
		{Method: "POST", Path: "/wait", ID: "send", Summary: "Wait", Tag: "Gate", Auth: rest.AuthNone, Handler: rest.Handle(func(ctx context.Context, _ *noteInput) (*noteOutput, error) { return wait(ctx) })},
	}, rest.Options{Stall: stall, Logger: slog.New(slog.DiscardHandler)})
	check.OK(t, err)
	server := httptest.NewUnstartedServer(router)
	server.Config.ReadTimeout = stall
	server.Start()
	t.Cleanup(server.Close)
	for range 2 { // on the same connection
		check.Equal(t, "with a body", post(t, server, "/wait", "", note(100<<10)), http.StatusOK)
		response, err := server.Client().Get(server.URL + "/wait")
		check.OK(t, err)
		check.OK(t, response.Body.Close())
		check.Equal(t, "without a body", response.StatusCode, http.StatusOK)
	}
}

// TestRejectedBodiesReleaseTheirMemory has a client that stays connected after
// its body was rejected.
func TestRejectedBodiesReleaseTheirMemory(t *testing.T) {
	t.Parallel()
	server := gate(t, rest.Options{BodyMemory: 1 << 20, MaxBody: 800 << 10, Stall: 20 * time.Second})
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	check.OK(t, err)
	defer func() { _ = conn.Close() }()
	check.OK(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	_, err = fmt.Fprintf(conn, "POST /books HTTP/1.1\r\nHost: x\r\nX-API-KEY: pl_a\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n",
		900<<10, strings.Repeat(" ", 900<<10))
	check.OK(t, err)
	check.Equal(t, "rejected", outcome(t, conn), http.StatusRequestEntityTooLarge)
	check.Equal(t, "next", post(t, server, "/books", "pl_a", note(500<<10)), http.StatusOK)
}
