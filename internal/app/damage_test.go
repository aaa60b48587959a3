package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
)

const oneSpan = `{"spans":[{"name":"step","context":{"trace_id":"t","span_id":"s"},"kind":"SpanKind.INTERNAL","start_time":1,"end_time":2,` +
	`"status":{"status_code":"StatusCode.OK"},"attributes":{},"resource":{"attributes":{}}}]}`

// TestDamagedSpansAreReported damages the block of a span in the journal. The
// block after it tells the damage from a torn end.
func TestDamagedSpansAreReported(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	keys, _ := callersOf(t, data, access.Administrator)
	key := keys[access.Administrator]
	p := startProgram(t, data)
	p.send(http.MethodPost, "/spans-bulk", oneSpan)
	p.send(http.MethodPost, "/log-request", oneLog)
	p.end()
	flipByte(t, filepath.Join(data, "logs", "journal", "00000000.journal"), 40)

	p = startProgram(t, data)
	defer p.end()
	for _, has := range []struct{ path, text string }{
		{"/api/public/v2/traces/t", `"damaged_span_ids":["s"]`},
		{"/api/public/v2/traces/t/outline", `"span_id":"s"`},
		{"/api/public/v2/traces/t/spans/s", `"error":"data_damaged"`},
		{"/api/admin/health", `"logs":0,"spans":1}`},
		{"/metrics", "\npromptuary_damaged_spans 1\n"},
	} {
		if answer := get(t, p.url+has.path, key); !strings.Contains(answer.body, has.text) {
			t.Errorf("%s has no %q: %d %.2000s", has.path, has.text, answer.status, answer.body)
		}
	}
}

func flipByte(t *testing.T, path string, at int) {
	t.Helper()
	content, err := os.ReadFile(path)
	check.OK(t, err)
	content[at] ^= 0xff
	check.OK(t, os.WriteFile(path, content, 0o600))
}
