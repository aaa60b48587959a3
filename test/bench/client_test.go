package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestClientReadsResponses(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789", 20_000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch r.URL.Path {
		case "/echo":
			w.Write(body)
		case "/chunked":
			_, _ = io.WriteString(w, "one,")
			w.(http.Flusher).Flush()
			_, _ = io.WriteString(w, long)
		case "/empty":
			w.WriteHeader(http.StatusNoContent)
		case "/key":
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, r.Method+" "+r.Header.Get("X-API-KEY"))
		}
	}))
	defer server.Close()
	c, err := dial(server.Listener.Addr().String(), "pl_test")
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	for _, tc := range []struct {
		name, method, path, body string
		status                   int
		answer                   string
	}{
		{"long answer", "POST", "/echo", long, 200, long},
		{"chunked answer", "GET", "/chunked", "", 200, "one," + long},
		{"empty answer", "GET", "/empty", "", 204, ""},
		{"key and method", "PUT", "/key", "x", 201, "PUT pl_test"},
		{"short answer", "POST", "/echo", "hello", 200, "hello"},
	} {
		// One connection for all: leftovers of a response would corrupt the
		// next.
		status, answer, err := c.do(tc.method, tc.path, []byte(tc.body))
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		if status != tc.status || string(answer) != tc.answer {
			t.Errorf("%s: status %d with %d bytes %.20q, want %d with %d bytes", tc.name, status, len(answer), answer, tc.status, len(tc.answer))
		}
	}
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, answer string
		want         int64
		fails        bool
	}{
		{"last member", `{"id":1,"request_id":12}`, 12, false},
		{"in the middle", `{"request_id":9007199254740993,"x":1}`, 9007199254740993, false},
		{"missing", `{"id":1}`, 0, true},
		{"no number", `{"request_id":null}`, 0, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, err := requestID([]byte(tc.answer))
			if got != tc.want || (err != nil) != tc.fails {
				t.Errorf("got %d, %v", got, err)
			}
		})
	}
}
