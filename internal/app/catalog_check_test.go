package app_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
)

// TestCatalogDamageIsReported flips a bit in the name of a folder, which an index of
// the catalog has, too.
func TestCatalogDamageIsReported(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	keys, _ := callersOf(t, data, access.Administrator)
	p := startProgram(t, data)
	p.send(http.MethodPost, "/api/public/v2/folders", `{"name":"forgettable"}`)
	p.end()
	path := filepath.Join(data, "catalog.db")
	flipByte(t, path, bytes.Index(check.Must(os.ReadFile(path))(t), []byte("forgettable")))

	for name, test := range map[string]struct {
		rate    int64
		problem bool
	}{"checked": {1 << 20, true}, "not checked": {0, false}} {
		t.Run(name, func(t *testing.T) {
			cfg := config.Default()
			cfg.Data, cfg.ScrubRate, cfg.MinFreeDisk = data, test.rate, 0
			var log check.Buffer
			a := check.Must(app.Open(t.Context(), cfg, slog.New(slog.NewTextHandler(&log, nil)), "test"))(t)
			defer func() { check.OK(t, a.Close(context.Background())) }()
			ask := func(path string) string {
				r := httptest.NewRequest(http.MethodGet, path, nil)
				r.Header.Set("X-API-KEY", keys[access.Administrator])
				answer := httptest.NewRecorder()
				a.Handler().ServeHTTP(answer, r)
				return answer.Body.String()
			}
			if !test.problem {
				if text := ask("/api/admin/health"); !strings.Contains(text, `"catalog_problems":0}`) {
					t.Errorf("checked without a rate: %s", text)
				}
				return
			}
			check.Eventually(t, "the check is complete", func() bool {
				return strings.Contains(ask("/metrics"), "\npromptuary_catalog_checks_total 1\n")
			})
			if text := ask("/metrics"); !strings.Contains(text, "\npromptuary_catalog_problems ") || strings.Contains(text, "\npromptuary_catalog_problems 0\n") {
				t.Error("the metrics do not have the damage")
			}
			if text := ask("/api/admin/health"); !strings.Contains(text, `"catalog_problems":`) || strings.Contains(text, `"catalog_problems":0}`) {
				t.Errorf("the health does not have the damage: %s", text)
			}
			check.Eventually(t, "the damage is logged", func() bool {
				return strings.Contains(log.String(), "level=ERROR") && strings.Contains(log.String(), "the catalog is damaged")
			})
		})
	}
}
