package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api/admin"
	"github.com/promptuary/promptuary/internal/edge"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/ui"
)

// routes returns the handler for the operations, their documents, the state of
// the program, and the web app.
func (a *App) routes(router *rest.Router) http.Handler {
	own := http.NewServeMux()
	own.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		rest.WriteBytes(w, http.StatusOK, []byte(`{"status":"ok"}`))
	})
	own.HandleFunc("GET /readyz", a.ready)
	own.Handle("GET /metrics", a.forAdmins(a.edge.metrics.Handler()))
	own.HandleFunc("GET /openapi.json", a.openAPI(router))
	own.Handle("GET /docs", ui.Docs())
	// Browsers keep the fragment of the URL, so the app receives the token of a
	// sign-in link.
	own.Handle("GET /sign-in", http.RedirectHandler(ui.Prefix+"sign-in", http.StatusFound))
	for _, path := range []string{"/{$}", "/app"} {
		own.Handle("GET "+path, http.RedirectHandler(ui.Prefix, http.StatusFound))
	}
	web := ui.Handler() // has headers of its own
	data := edge.SecureHeaders(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case writtenPath(r) == "/connection/websocket":
			a.work.Live().Handler().ServeHTTP(w, r)
		// Operations come first, so that nothing hides them.
		case !a.ownPath(r) || router.Handles(r):
			router.ServeHTTP(w, r)
		case readOnly(r):
			own.ServeHTTP(w, r)
		default:
			refuseMethod(w, r)
		}
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = a.edge.limits.Trusted.Client(r).String()
		if readOnly(r) && webPath(r) && !router.Handles(r) {
			web.ServeHTTP(w, r)
			return
		}
		data.ServeHTTP(w, r)
	})
}

// openAPI returns a handler of the OpenAPI document. The first request builds the
// document, because that takes longer than the rest of a start.
func (a *App) openAPI(router *rest.Router) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		document, err := router.OpenAPI()
		if err != nil {
			a.log.ErrorContext(r.Context(), "cannot build the OpenAPI document", "error", err)
			status, body := rest.ErrorShape(fault.New(fault.Internal, "The document could not be built"))
			_ = rest.WriteJSON(w, status, body) // encoding strings cannot fail
			return
		}
		w.Header().Set("Cache-Control", "no-cache")
		rest.WriteBytes(w, http.StatusOK, document)
	}
}

func readOnly(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// ownPath reports whether the path is exactly that of a document, or below that
// of the app. It avoids redirects of the multiplexer.
func (a *App) ownPath(r *http.Request) bool {
	switch writtenPath(r) {
	case "/", "/app", "/sign-in", "/healthz", "/readyz", "/openapi.json", "/docs":
		return true
	case "/metrics":
		return a.cfg.MetricsAddr == ""
	}
	return webPath(r)
}

// writtenPath returns the path as the client wrote it, for comparisons with paths
// without escapes. Unlike EscapedPath it does not escape the path again.
func writtenPath(r *http.Request) string { return cmp.Or(r.URL.RawPath, r.URL.Path) }

// webPath reports whether the path belongs to the web app.
func webPath(r *http.Request) bool {
	if !strings.HasPrefix(r.URL.Path, ui.Prefix) { // most paths need not be escaped
		return false
	}
	asked := r.URL.EscapedPath()
	return strings.HasPrefix(asked, ui.Prefix) && cleaned(asked)
}

// forAdmins returns next for keys and sessions with the permission ADMIN.
func (a *App) forAdmins(next http.Handler) http.Handler {
	authenticate := admin.Authenticator(a.catalog.access.Guard())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, _, err := authenticate(r.Context(), r, strings.TrimSpace(r.Header.Get("X-API-KEY")))
		if err == nil {
			err = access.Require(ctx, access.Admin)
		}
		if err != nil {
			status, body := rest.ErrorShape(err)
			_ = rest.WriteJSON(w, status, body) // encoding strings cannot fail
			return
		}
		next.ServeHTTP(w, r)
	})
}

// cleaned reports whether a path has neither empty nor ".." elements.
func cleaned(p string) bool {
	return strings.TrimSuffix(path.Clean(p), "/") == strings.TrimSuffix(p, "/")
}

func refuseMethod(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Allow", "GET, HEAD")
	status, body := rest.ErrorShape(fault.New(fault.MethodNotAllowed, "Method %s is not allowed here, only GET, HEAD", r.Method))
	_ = rest.WriteJSON(w, status, body) // encoding strings cannot fail
}

// ready reports whether the program can serve requests. A database of request logs
// that several servers share does not count: without it all of them would be taken out
// of service, and nobody could read a prompt.
func (a *App) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	err := a.catalog.Ping(ctx)
	if !a.cfg.LogsShared() {
		err = errors.Join(err, a.logs.Store.Healthy())
	}
	if a.edge.draining.Load() {
		err = errors.New("the program is stopping")
	}
	if before := a.edge.unready.Swap(err != nil); err != nil && !before {
		a.log.Warn("not ready", "error", err) // once per change of state
	}
	if err != nil {
		rest.WriteBytes(w, http.StatusServiceUnavailable, []byte(`{"status":"not ready"}`))
		return
	}
	rest.WriteBytes(w, http.StatusOK, []byte(`{"status":"ready"}`))
}

// Handler returns everything the program serves.
func (a *App) Handler() http.Handler { return a.edge.handler }

// HandOver prints what Admit has created. The API key cannot be shown again.
func (a *App) HandOver(out io.Writer) { a.handOver(out, a.scheme()+a.cfg.Addr) }

func (a *App) handOver(out io.Writer, address string) {
	if a.first.token != "" {
		fmt.Fprintf(out, "\nSign in as %s with this link, which works once, within seven days:\n\n  %s%s\n", a.first.owner, address, access.SignInPath(a.first.token))
		fmt.Fprintf(out, "\nEvery start prints it until it is used. `promptuary user link %s` creates another one.\n", a.first.owner)
	} else if a.first.owner != "" {
		fmt.Fprintf(out, "\nNobody has signed in yet. `promptuary user link %s` creates a sign-in link.\n", a.first.owner)
	}
	if a.first.key != "" {
		fmt.Fprintf(out, "\nYour API key for workspace %q, shown only once:\n\n  %s\n", a.catalog.workspace.Name, a.first.key)
	}
}

// greet prints the address and the next steps.
func (a *App) greet(out io.Writer, address string) {
	fmt.Fprintf(out, "Promptuary is serving on %s (reference: %s/docs)\n", address, address)
	a.handOver(out, address)
	if a.first.key == "" && a.cfg.APIKey == "" {
		return
	}
	key := cmp.Or(a.first.key, "$PROMPTUARY_API_KEY")
	fmt.Fprintf(out, `
Log a first request:

  curl %s/log-request -H "X-API-KEY: %s" -H 'Content-Type: application/json' -d '{
    "provider": "openai", "model": "gpt-4o",
    "input":  {"type": "chat", "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello, storehouse"}]}]},
    "output": {"type": "chat", "messages": [{"role": "assistant", "content": [{"type": "text", "text": "Hello back"}]}]},
    "request_start_time": "'$(date -u +%%FT%%TZ)'", "request_end_time": "'$(date -u +%%FT%%TZ)'"}'

Find it:

  curl %s/api/public/v2/requests/search -H "X-API-KEY: %s" -d '{"q": "storehose"}'

`, address, key, address, key)
}
