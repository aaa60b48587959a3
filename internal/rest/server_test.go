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
)

// TestOverTheWire covers what needs a real connection.
func TestOverTheWire(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newLibrary(t))
	t.Cleanup(server.Close)
	const head = "Host: x\r\nX-Api-Key: pl_a\r\nConnection: close\r\n"
	large := strings.Repeat("x", 5000)
	tests := []struct {
		name, request string
		status        int
		body          string
	}{
		{"chunked", "POST /books/x HTTP/1.1\r\n" + head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 200, `{"value":"x {}"}`},
		{"chunked, too large", "POST /books/x HTTP/1.1\r\n" + head + "Transfer-Encoding: chunked\r\n\r\n" +
			fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(large), large), 413, "payload_too_large"},
		{"declared too large, nothing sent", "POST /books/x HTTP/1.1\r\n" + head + "Content-Length: 99999999999\r\n\r\n", 413, "payload_too_large"},
		{"a path that is not cleaned", "GET /books/a/../b//c HTTP/1.1\r\n" + head + "\r\n", 200, `{"value":"a/../b//c"}`},
		{"an escaped slash", "GET /books/a%2Fb HTTP/1.1\r\n" + head + "\r\n", 200, `{"value":"a/b"}`},
		{"head has a length and no body", "HEAD /health HTTP/1.1\r\n" + head + "\r\n", 200, ""},
		{"aborted", "GET /half HTTP/1.1\r\n" + head + "\r\n", 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			if _, err := io.WriteString(conn, tt.request); err != nil {
				t.Fatal(err)
			}
			method, _, _ := strings.Cut(tt.request, " ")
			response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
			if tt.status == 0 {
				if err == nil {
					t.Errorf("status = %d, want a broken connection", response.StatusCode)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = response.Body.Close() }()
			body, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != tt.status || !strings.Contains(string(body), tt.body) {
				t.Errorf("status = %d, body %q (%v); want %d, %q", response.StatusCode, body, err, tt.status, tt.body)
			}
			if method == "HEAD" && (len(body) != 0 || response.ContentLength != int64(len(`{"value":"ok"}`))) {
				t.Errorf("length = %d, body %q", response.ContentLength, body)
			}
		})
	}
}
