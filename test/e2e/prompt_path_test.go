package e2e

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestNamesAsTheyAreWritten fetches templates by paths that a browser's fetch
// makes of names that nobody escaped: it leaves percent signs alone.
func TestNamesAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir())
	for name, path := range map[string]string{
		"100%":           "100%",
		"50% off/summer": "50%%20off/summer",
		"a%zz/ä":         "a%zz/%C3%A4",
	} {
		p.post(t, "/rest/prompt-templates", object{
			"prompt_template": object{"prompt_name": name},
			"prompt_version": object{"prompt_template": object{
				"type": "completion", "content": []any{object{"type": "text", "text": "hello"}},
			}},
		}, http.StatusCreated)
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.address, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "POST /prompt-templates/%s HTTP/1.1\r\nHost: e2e\r\nX-API-KEY: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", path, testKey)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d", path, response.StatusCode)
		}
		if err := response.Body.Close(); err != nil {
			t.Error(err)
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}
}
