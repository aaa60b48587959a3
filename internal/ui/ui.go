// Package ui serves the web app. Until there is one it serves a page that
// leads to the API's reference.
package ui

import (
	_ "embed"
	"net/http"
)

//go:embed index.html
var index []byte

// Handler serves the start page.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		_, _ = w.Write(index)
	})
}
