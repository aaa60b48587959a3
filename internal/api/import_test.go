package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
)

// TestImportReport uploads a file as it is, not as JSON, and downloads the report in
// both forms.
func TestImportReport(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	addKey(t, w, "admin", home, access.Administrator)
	send := func(method, path, body string, headers ...string) reply {
		t.Helper()
		got := check.Must(w.send("admin", method, importsPath+path, []byte(body), headers...))(t)
		if got.status >= http.StatusBadRequest {
			t.Fatalf("%s %s is answered with %d %s", method, path, got.status, got.body)
		}
		return got
	}
	send(http.MethodPost, "", `{"file_name":"f","format":"promptuary"}`)
	send(http.MethodPut, "/1/parts/1", "{\"id\":\"=1+1\"}\n=1\n", "Content-Type: application/octet-stream")
	send(http.MethodPost, "/1/check", "")
	check.Eventually(t, "the check", func() bool { return strings.Contains(string(send(http.MethodGet, "/1", "").body), `"state":"checked"`) })
	check.Equal(t, "lines", string(send(http.MethodGet, "/1/report", "").body), `{"row":1,"line":1,"id":"=1+1","status":"refused","reason":"provider: Field required"}
{"row":2,"line":2,"id":null,"status":"refused","reason":"Not valid JSON: unexpected character at byte 0"}
`)
	check.Equal(t, "table", string(send(http.MethodGet, "/1/report?format=csv", "").body), "row,line,id,status,reason\n1,1,'=1+1,refused,provider: Field required\n"+
		"2,2,,refused,Not valid JSON: unexpected character at byte 0\n")
}
