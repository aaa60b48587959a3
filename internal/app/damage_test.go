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

// TestDamageIsReported damages the first of two blocks of the journal, which has a span
// or a log.
func TestDamageIsReported(t *testing.T) {
	t.Parallel()
	type part struct{ path, text string }
	for name, test := range map[string]struct {
		calls [2]part
		has   []part
	}{
		"span": {[2]part{{"/spans-bulk", oneSpan}, {"/log-request", oneLog}}, []part{
			{"/api/public/v2/traces/t", `"damaged_span_ids":["s"]`},
			{"/api/public/v2/traces/t/outline", `"span_id":"s"`},
			{"/api/public/v2/traces/t/spans/s", `"error":"data_damaged"`},
			{"/api/admin/health", `"logs":0,"spans":1,"catalog_problems":0}`},
			{"/metrics", "\npromptuary_damaged_blocks 1\n"},
			{"/metrics", "\npromptuary_damaged_spans 1\n"},
		}},
		"log": {[2]part{{"/log-request", oneLog}, {"/spans-bulk", oneSpan}}, []part{
			{"/api/public/v2/requests/1", `"error":"data_damaged"`},
			{"/api/admin/health", `"logs":1,"spans":0,"catalog_problems":0}`},
			{"/metrics", "\npromptuary_damaged_blocks 1\n"},
			{"/metrics", "\npromptuary_damaged_logs 1\n"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := t.TempDir()
			keys, _ := callersOf(t, data, access.Administrator)
			p := startProgram(t, data)
			for _, call := range test.calls {
				p.send(http.MethodPost, call.path, call.text)
			}
			p.end()
			flipByte(t, filepath.Join(data, "logs", "journal", "00000000.journal"), 40)

			p = startProgram(t, data)
			defer p.end()
			for _, has := range test.has {
				if answer := get(t, p.url+has.path, keys[access.Administrator]); !strings.Contains(answer.body, has.text) {
					t.Errorf("%s has no %q: %d %.2000s", has.path, has.text, answer.status, answer.body)
				}
			}
		})
	}
}

func flipByte(t *testing.T, path string, at int) {
	t.Helper()
	content, err := os.ReadFile(path)
	check.OK(t, err)
	content[at] ^= 0xff
	check.OK(t, os.WriteFile(path, content, 0o600))
}
