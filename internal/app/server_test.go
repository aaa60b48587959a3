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

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/app"
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
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	check.OK(t, err)
	if key != "" {
		request.Header.Set("X-API-KEY", key)
	}
	answer, err := http.DefaultClient.Do(request)
	check.OK(t, err)
	body, err := io.ReadAll(answer.Body)
	check.OK(t, errors.Join(err, answer.Body.Close()))
	return reply{answer.StatusCode, answer.Header, string(body)}
}

// TestMetricsNeedAdmin asks for the metrics of the whole installation with keys
// of different roles.
func TestMetricsNeedAdmin(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	keys := keysOfRoles(t, data, access.Viewer, access.Ingest, access.Administrator, access.Owner)
	p := startProgram(t, data)
	defer p.end()
	for name, test := range map[string]struct {
		key  string
		want int
	}{
		"no key":         {"", http.StatusUnauthorized},
		"a wrong key":    {"pl_wrong", http.StatusUnauthorized},
		"without a role": {apiKey, http.StatusForbidden},
		"Viewer":         {keys[access.Viewer], http.StatusForbidden},
		"Ingest":         {keys[access.Ingest], http.StatusForbidden},
		"Admin":          {keys[access.Administrator], http.StatusOK},
		"Owner":          {keys[access.Owner], http.StatusOK},
	} {
		answer := get(t, p.url+"/metrics", test.key)
		check.Equal(t, name, answer.status, test.want)
		check.Equal(t, name+" sees metrics", strings.Contains(answer.body, "promptuary_"), test.want == http.StatusOK)
	}
}

// keysOfRoles creates keys in the default workspace of a data folder.
func keysOfRoles(t *testing.T, data string, roles ...access.Role) map[access.Role]string {
	t.Helper()
	cfg := config.Default()
	cfg.Data = data
	store := check.Must(app.OpenCatalog(t.Context(), cfg))(t)
	defer func() { check.OK(t, store.Close()) }()
	ctx := access.AsSystem(t.Context())
	workspace := check.Must(store.Accounts.EnsureDefaultWorkspace(ctx))(t)
	keys := map[access.Role]string{}
	for _, role := range roles {
		_, secret, err := app.NewAccess(store).CreateKey(ctx, workspace.ID, access.NewKeyInput{Name: string(role), Roles: []access.Role{role}})
		check.OK(t, err)
		keys[role] = secret
	}
	return keys
}

func TestMetricsOnTheirOwnAddress(t *testing.T) {
	t.Parallel()
	p := startProgram(t, t.TempDir(), func(c *config.Config) { c.MetricsAddr = "127.0.0.1:0" })
	defer p.end()
	answer := get(t, p.metrics, "")
	if answer.status != http.StatusOK || !strings.Contains(answer.body, "promptuary_connections_open") {
		t.Errorf("own address: %d %.200s", answer.status, answer.body)
	}
	check.Equal(t, "main address", get(t, p.url+"/metrics", apiKey).status, http.StatusNotFound)
	other := strings.TrimSuffix(p.metrics, "/metrics") + "/api/admin/session"
	check.Equal(t, "operation on the address of the metrics", get(t, other, apiKey).status, http.StatusNotFound)
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
		"/docs":                          {"default-src 'none'; style-src 'sha256-", "no-cache"},
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
		catalog, err := app.OpenCatalog(t.Context(), cfg)
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
