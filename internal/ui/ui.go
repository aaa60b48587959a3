// Package ui serves the web app and the API reference from embedded files. If the
// program was built without them, it serves a page that explains how to build them.
package ui

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"embed"
	"encoding/base64"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
)

// dist contains the output of `make web`. In a fresh clone it contains only a
// placeholder file.
//
//go:embed all:dist
var dist embed.FS

//go:embed not-built.html
var notBuilt []byte

// Prefix is the path prefix of the app. No operation of the API may use it.
const Prefix = "/app/"

// The pages of the build. They are served with a nonce, not as files.
const (
	appPage  = "index.html"
	docsPage = "docs.html"
)

// Handler returns the handler of the app. It serves files by name, and the page
// for every other path, which the app routes itself.
func Handler() http.Handler { return newHandler(built()) }

// Docs returns the handler of the API reference, whose files the handler of the
// app serves.
func Docs() http.Handler { return newPage(built(), docsPage) }

func built() fs.FS {
	built, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is a constant
	}
	return built
}

func newHandler(built fs.FS) http.Handler {
	return &handler{built: built, page: newPage(built, appPage), compressed: map[string]*file{}}
}

// page is a page of the build, or the page that explains how to build.
type page []byte

func newPage(built fs.FS, name string) page {
	content, err := fs.ReadFile(built, name)
	if err != nil {
		return notBuilt
	}
	return content
}

type handler struct {
	built fs.FS
	page  page

	mu         sync.Mutex
	compressed map[string]*file
}

// file is a file of the app as it is served.
type file struct {
	once    sync.Once
	content []byte
	gzipped []byte
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, Prefix)
	if f := h.file(name); f != nil {
		h.serveFile(w, r, name, f)
		return
	}
	// An asset of an earlier build does not exist; the page must not replace it.
	if strings.HasPrefix(name, "assets/") {
		http.NotFound(w, r)
		return
	}
	h.page.ServeHTTP(w, r)
}

// file returns the file with the given name, or nil. It compresses a file on
// first use and caches it.
func (h *handler) file(name string) *file {
	if name == appPage || name == docsPage || path.Base(name) == ".gitignore" || !fs.ValidPath(name) {
		return nil
	}
	info, err := fs.Stat(h.built, name)
	if err != nil || info.IsDir() {
		return nil
	}
	h.mu.Lock()
	f := h.compressed[name]
	if f == nil {
		f = &file{}
		h.compressed[name] = f
	}
	h.mu.Unlock()
	f.once.Do(func() { f.read(h.built, name) })
	return f
}

func (f *file) read(built fs.FS, name string) {
	content, err := fs.ReadFile(built, name)
	if err != nil {
		return // reading an embedded file cannot fail
	}
	f.content = content
	if strings.HasSuffix(name, ".woff2") {
		return // already compressed
	}
	var packed bytes.Buffer
	writer, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is valid
	_, _ = writer.Write(content)                                    // writing to memory cannot fail
	_ = writer.Close()
	f.gzipped = packed.Bytes()
}

func (h *handler) serveFile(w http.ResponseWriter, r *http.Request, name string, f *file) {
	kind := mime.TypeByExtension(path.Ext(name))
	if kind == "" {
		kind = "application/octet-stream"
	}
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Vary", "Accept-Encoding")
	// The name of an asset contains a hash of its content; other files can change.
	header.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	content := f.content
	if f.gzipped != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		content = f.gzipped
	}
	_, _ = w.Write(content)
}

// policy restricts a page to its own files and this server. Styles created by
// scripts carry the nonce.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{{nonce}}'; img-src 'self' data: blob:; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

func (p page) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	nonce := newNonce()
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", strings.Replace(policy, "{{nonce}}", nonce, 1))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")
	_, _ = w.Write(bytes.ReplaceAll(p, []byte("{{nonce}}"), []byte(nonce)))
}

func newNonce() string {
	var random [18]byte
	_, _ = rand.Read(random[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(random[:])
}
