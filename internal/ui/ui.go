// Package ui serves the web app. Until there is one it serves a page that
// leads to the API's reference, and one to sign in with.
package ui

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"net/http"
)

//go:embed index.html
var index []byte

//go:embed sign-in.html
var signIn []byte

// Handler serves the start page.
func Handler() http.Handler { return page(index) }

// SignIn serves the page where people sign in.
func SignIn() http.Handler { return page(signIn) }

// page serves a page that may do nothing but what stands in it, and talk to
// this server.
func page(text []byte) http.Handler {
	policy := "default-src 'none'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	if script, ok := scriptOf(text); ok {
		sum := sha256.Sum256(script)
		policy += "; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Referrer-Policy", "no-referrer")
		_, _ = w.Write(text)
	})
}

// scriptOf returns the script that stands in a page, and whether there is one.
func scriptOf(page []byte) ([]byte, bool) {
	_, rest, found := bytes.Cut(page, []byte("<script>"))
	script, _, ended := bytes.Cut(rest, []byte("</script>"))
	return script, found && ended
}
