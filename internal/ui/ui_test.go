package ui

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

// build returns the files of a build of the app.
func build() fstest.MapFS {
	return fstest.MapFS{
		".gitignore":               {Data: []byte("*")},
		"index.html":               {Data: []byte(`<meta name="csp-nonce" content="{{nonce}}"><p>the app`)},
		"docs.html":                {Data: []byte("<p>the reference")},
		"theme.js":                 {Data: []byte("theme()")},
		"assets/index-abc123.js":   {Data: []byte(strings.Repeat("run();", 1000))},
		"assets/inter-abc12.woff2": {Data: []byte("font")},
	}
}

func get(handler http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodGet, path, http.NoBody)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder
}

func TestServesPageForEveryPath(t *testing.T) {
	t.Parallel()
	handler := newHandler(build())
	for _, path := range []string{"/app/", "/app/1/requests", "/app/sign-in", "/app/index.html", "/app/docs.html", "/app/.gitignore", "/app/1/prompts/2"} {
		response := get(handler, path)
		if text := response.Body.String(); response.Code != http.StatusOK || !strings.Contains(text, "the app") {
			t.Errorf("%s: status %d, %q", path, response.Code, text)
		}
	}
}

func TestContentSecurityPolicy(t *testing.T) {
	t.Parallel()
	handler := newHandler(build())
	first, second := get(handler, "/app/"), get(handler, "/app/")
	policy := first.Header().Get("Content-Security-Policy")
	nonce := regexp.MustCompile(`style-src 'self' 'nonce-([\w-]{24})'`).FindStringSubmatch(policy)
	if nonce == nil || strings.Contains(policy, "unsafe") || !strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; ") {
		t.Fatalf("policy = %q", policy)
	}
	if text := first.Body.String(); !strings.Contains(text, `content="`+nonce[1]+`"`) {
		t.Errorf("page without the nonce of its policy: %q", text)
	}
	if policy == second.Header().Get("Content-Security-Policy") {
		t.Error("two responses have the same nonce")
	}
	if got := first.Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("a page with a nonce is cacheable: %q", got)
	}
}

func TestReference(t *testing.T) {
	t.Parallel()
	app, docs := get(newHandler(build()), "/app/"), get(newPage(build(), docsPage), "/docs")
	if text := docs.Body.String(); docs.Code != http.StatusOK || text != "<p>the reference" {
		t.Errorf("status %d, %q", docs.Code, text)
	}
	nonce := regexp.MustCompile(`'nonce-[\w-]+'`)
	policy := func(r *httptest.ResponseRecorder) string {
		return nonce.ReplaceAllString(r.Header().Get("Content-Security-Policy"), "")
	}
	if policy(docs) != policy(app) {
		t.Errorf("policy %q, that of the app is %q", policy(docs), policy(app))
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	handler := newHandler(build())
	tests := []struct{ name, path, kind, caching, content string }{
		{"a script", "/app/assets/index-abc123.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", strings.Repeat("run();", 1000)},
		{"a font", "/app/assets/inter-abc12.woff2", "font/woff2", "public, max-age=31536000, immutable", "font"},
		{"a file whose name stays", "/app/theme.js", "text/javascript; charset=utf-8", "no-cache", "theme()"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			response := get(handler, test.path)
			if got := response.Header().Get("Content-Type"); got != test.kind {
				t.Errorf("content type %q, want %q", got, test.kind)
			}
			if got := response.Header().Get("Cache-Control"); got != test.caching {
				t.Errorf("caching %q, want %q", got, test.caching)
			}
			if got := response.Body.String(); got != test.content {
				t.Errorf("content %q, want %q", got, test.content)
			}
		})
	}
}

func TestFilesAreCompressed(t *testing.T) {
	t.Parallel()
	response := get(newHandler(build()), "/app/assets/index-abc123.js", "Accept-Encoding", "gzip, br")
	if response.Header().Get("Content-Encoding") != "gzip" || response.Header().Get("Vary") != "Accept-Encoding" {
		t.Fatalf("headers %v", response.Header())
	}
	unpacked, err := gzip.NewReader(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(unpacked)
	if err != nil || string(got) != strings.Repeat("run();", 1000) {
		t.Errorf("content %q (%v)", got, err)
	}
}

func TestMissingAssetIsNotFound(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/app/assets/index-old.js", "/app/assets/", "/app/assets/../../etc/passwd"} {
		if response := get(newHandler(build()), path); response.Code != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", path, response.Code)
		}
	}
}

func TestPageWithoutBuild(t *testing.T) {
	t.Parallel()
	clone := fstest.MapFS{".gitignore": {Data: []byte("*")}}
	for path, handler := range map[string]http.Handler{"/app/1/requests": newHandler(clone), "/docs": newPage(clone, docsPage)} {
		response := get(handler, path)
		text := response.Body.String()
		if !strings.Contains(text, "make run") || strings.Contains(text, "{{nonce}}") {
			t.Errorf("%s: page = %q", path, text)
		}
		if policy := response.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "'nonce-") {
			t.Errorf("%s: policy = %q", path, policy)
		}
	}
}

func TestServesEmbeddedFiles(t *testing.T) {
	t.Parallel()
	for path, handler := range map[string]http.Handler{"/app/": Handler(), "/docs": Docs()} {
		if response := get(handler, path); response.Code != http.StatusOK {
			t.Errorf("%s: status %d", path, response.Code)
		}
	}
}
