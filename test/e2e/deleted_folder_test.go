package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

// TestDeletedDataFolder removes the data folder of a running server. What would be lost
// with it is not acknowledged.
func TestDeletedDataFolder(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	p := start(t, data)
	p.publish(t, publication("before", "text"))
	p.log(t, entry{word: "zqdeleted1", tokens: 1})
	if err := os.RemoveAll(data); err != nil {
		t.Fatal(err)
	}
	p.post(t, publishPath, publication("after", "text"), http.StatusServiceUnavailable)
	p.post(t, "/log-request", entry{word: "zqdeleted2", tokens: 1}.body(), http.StatusServiceUnavailable)
	p.do(t, http.MethodGet, "/readyz", nil, http.StatusServiceUnavailable)
}
