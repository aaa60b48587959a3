package app_test

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/app/storage"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
)

// reply is a response whose body was read.
type reply struct {
	status int
	header http.Header
	body   string
}

// get asks for a path with a key, unless that is empty.
func get(t *testing.T, url, key string) reply {
	t.Helper()
	return getWith(t, url, "X-API-KEY", key)
}

// getWith asks for a path with a header, unless its value is empty.
func getWith(t *testing.T, url, header, value string) reply {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	check.OK(t, err)
	if value != "" {
		request.Header.Set(header, value)
	}
	answer, err := http.DefaultClient.Do(request)
	check.OK(t, err)
	body, err := io.ReadAll(answer.Body)
	check.OK(t, errors.Join(err, answer.Body.Close()))
	return reply{answer.StatusCode, answer.Header, string(body)}
}

// testCertificate writes the certificate of a test server to files and returns
// a client that trusts it.
func testCertificate(t *testing.T) (certFile, keyFile string, client *http.Client) {
	t.Helper()
	server := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	pair := server.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	check.OK(t, err)
	folder := t.TempDir()
	certFile, keyFile = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	check.OK(t, os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]}), 0o600))
	check.OK(t, os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), 0o600))
	return certFile, keyFile, server.Client()
}

func TestTLS(t *testing.T) {
	t.Parallel()
	certFile, keyFile, client := testCertificate(t)
	p := startProgram(t, t.TempDir(), func(c *config.Config) { c.TLSCert, c.TLSKey = certFile, keyFile })
	defer p.end()
	if !strings.HasPrefix(p.url, "https://") {
		t.Fatalf("served on %s", p.url)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, p.url+"/api/admin/session", nil)
	check.OK(t, err)
	request.Header.Set("X-API-KEY", apiKey)
	answer, err := client.Do(request)
	check.OK(t, err)
	check.OK(t, answer.Body.Close())
	check.Equal(t, "status", answer.StatusCode, http.StatusOK)
	check.Equal(t, "protocol", answer.Proto, "HTTP/1.1")
	if cookies := answer.Cookies(); len(cookies) != 1 || !cookies[0].Secure || !cookies[0].HttpOnly {
		t.Errorf("cookies %v, want a secure one", cookies)
	}
}

func TestSecureHeaders(t *testing.T) {
	t.Parallel()
	p := startProgram(t, t.TempDir())
	defer p.end()
	const data = "default-src 'none'; frame-ancestors 'none'"
	for path, want := range map[string]struct{ policy, cache string }{
		"/api/admin/session":             {data, "no-store"},
		"/api/public/v2/requests/999999": {data, "no-store"},
		"/nowhere":                       {data, "no-store"},
		"/healthz":                       {data, "no-store"},
		"/metrics":                       {data, "no-store"},
		"/openapi.json":                  {data, "no-cache"},
		"/docs":                          {"default-src 'none'; script-src 'self'", "no-store"},
		"/app/":                          {"default-src 'none'; script-src 'self'", "no-store"},
	} {
		header := get(t, p.url+path, apiKey).header
		for name, begin := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Content-Security-Policy": want.policy, "Cache-Control": want.cache,
		} {
			if got := header.Get(name); !strings.HasPrefix(got, begin) || got == "" {
				t.Errorf("%s: %s is %q, want %q", path, name, got, begin)
			}
		}
		if !strings.Contains(header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s may be framed", path)
		}
	}
}

func TestMaxConnectionsLeavesDescriptors(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Data, cfg.MaxConnections = t.TempDir(), 1<<30
	_, err := app.Open(t.Context(), cfg, slog.New(slog.DiscardHandler), "test")
	if err == nil || !strings.Contains(err.Error(), "option max-connections must be at most") {
		t.Errorf("error %v", err)
	}
}

// TestWrongPasswordsAreAudited checks which address is recorded: that of the
// peer, or the one that a trusted proxy names.
func TestWrongPasswordsAreAudited(t *testing.T) {
	t.Parallel()
	for proxies, want := range map[string]string{"": "127.0.0.1", "127.0.0.0/8": "198.51.100.7"} {
		var cfg config.Config
		p := startProgram(t, t.TempDir(), func(c *config.Config) { c.TrustedProxies = proxies; cfg = *c })
		for email, status := range map[string]int{"owner@localhost": http.StatusUnauthorized, "nobody@example.com": http.StatusUnauthorized} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+"/api/admin/session",
				strings.NewReader(`{"email":"`+email+`","password":"wrong"}`))
			check.OK(t, err)
			request.Header.Set("X-Forwarded-For", "192.0.2.1, 198.51.100.7")
			answer, err := http.DefaultClient.Do(request)
			check.OK(t, err)
			check.OK(t, answer.Body.Close())
			check.Equal(t, "status", answer.StatusCode, status)
		}
		p.end()
		catalog, err := storage.OpenCatalog(t.Context(), cfg)
		check.OK(t, err)
		entries, err := catalog.Accounts.ListAudit(t.Context(), audit.Query{Action: audit.Wrong, Limit: 10})
		check.OK(t, err)
		check.OK(t, catalog.Close())
		names := map[string]bool{}
		for _, entry := range entries {
			names[entry.Subject.Name] = true
			check.Equal(t, "detail", strings.ReplaceAll(string(entry.Detail), " ", ""), `{"address":"`+want+`"}`)
		}
		check.Equal(t, "subjects", names, map[string]bool{"owner@localhost": true, "unknown": true})
	}
}
