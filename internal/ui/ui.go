// Package ui serves the web app from embedded files. If the program was built
// without the app, it serves a page that explains how to build it.
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

// Handler returns the handler of the app. It serves files by name, and the page
// for every other path, which the app routes itself.
func Handler() http.Handler {
	built, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is a constant
	}
	return newHandler(built)
}

func newHandler(built fs.FS) http.Handler {
	page, err := fs.ReadFile(built, "index.html")
	if err != nil {
		page = notBuilt
	}
	return &handler{built: built, page: page, compressed: map[string]*file{}}
}

type handler struct {
	built fs.FS
	page  []byte

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
	h.servePage(w)
}

// file returns the file with the given name, or nil. It compresses a file on
// first use and caches it.
func (h *handler) file(name string) *file {
	if name == "index.html" || path.Base(name) == ".gitignore" || !fs.ValidPath(name) {
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

// policy restricts the page to its own files and this server. Styles created by
// scripts carry the nonce.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{{nonce}}'; img-src 'self' data: blob:; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

func (h *handler) servePage(w http.ResponseWriter) {
	nonce := newNonce()
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", strings.Replace(policy, "{{nonce}}", nonce, 1))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")
	_, _ = w.Write(bytes.ReplaceAll(h.page, []byte("{{nonce}}"), []byte(nonce)))
}

func newNonce() string {
	var random [18]byte
	_, _ = rand.Read(random[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(random[:])
}
