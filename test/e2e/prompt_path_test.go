package e2e

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestPercentInPaths fetches templates whose names contain percent signs. A
// path must be escaped; net/http rejects any other before the program sees it.
func TestPercentInPaths(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir())
	for name, unescaped := range map[string]string{
		"100%":           "100%",
		"50% off/summer": "50%%20off/summer",
		"a%zz/ä":         "a%zz/%C3%A4",
	} {
		created := mustDecode[struct {
			ID int64 `json:"id"`
		}](t, p.post(t, "/rest/prompt-templates", object{
			"prompt_template": object{"prompt_name": name},
			"prompt_version": object{"prompt_template": object{
				"type": "completion", "content": []any{object{"type": "text", "text": "hello"}},
			}},
		}, http.StatusCreated))
		for path, want := range map[string]int{
			unescaped:              http.StatusBadRequest,
			url.PathEscape(name):   http.StatusOK,
			fmt.Sprint(created.ID): http.StatusOK,
		} {
			if got := postPath(t, p, "/prompt-templates/"+path); got != want {
				t.Errorf("%s: status %d, want %d", path, got, want)
			}
		}
	}
}

// postPath sends a request with exactly this path and returns the status.
func postPath(t *testing.T, p *program, path string) int {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: e2e\r\nX-API-KEY: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", path, testKey)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}
