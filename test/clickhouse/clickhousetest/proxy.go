package clickhousetest

import (
	"bytes"
	"cmp"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Proxy forwards requests to a server and injects faults.
type Proxy struct {
	// Address is like that of Start, with the host of the proxy.
	Address string
	forward http.Handler
	closed  chan struct{}

	mu      sync.Mutex
	fault   Fault
	times   int
	queries []string
	seen    []string
}

// Fault answers a request instead of the server. Forward of the proxy asks the
// server.
type Fault func(p *Proxy, w http.ResponseWriter, r *http.Request)

// NewProxy starts a proxy for the server and database of an address.
func NewProxy(t testing.TB, address string) *Proxy {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatalf("clickhousetest: %v", err)
	}
	p := &Proxy{closed: make(chan struct{})}
	p.forward = httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: target.Host})
	server := httptest.NewServer(p)
	t.Cleanup(func() { close(p.closed); server.Close() })
	front := *target
	front.Host = strings.TrimPrefix(server.URL, "http://")
	p.Address = front.String()
	return p
}

// Break injects the fault into the next requests, a number of times or, if that
// is negative, until the next call of Break or Heal. If queries are given, it
// affects only those that begin with one of them, ignoring case.
func (p *Proxy) Break(fault Fault, times int, queries ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault, p.times, p.queries = fault, times, queries
}

// Heal ends the fault. Requests that hang keep hanging.
func (p *Proxy) Heal() { p.Break(nil, 0) }

// ServeHTTP answers a request.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	p.see(statementOf(r, body))
	if fault := p.next(queryOf(r, body)); fault != nil {
		fault(p, w, r)
		return
	}
	p.forward.ServeHTTP(w, r)
}

// Statements returns the statements of all requests until now.
func (p *Proxy) Statements() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.seen)
}

func (p *Proxy) see(statement string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen = append(p.seen, statement)
}

// statementOf returns the statement of a request, without rows: in a form or in the
// URL.
func statementOf(r *http.Request, body []byte) string {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err == nil && kind == "multipart/form-data" {
		form, err := multipart.NewReader(bytes.NewReader(body), params["boundary"]).ReadForm(int64(len(body)))
		if err == nil && len(form.Value["query"]) > 0 {
			return form.Value["query"][0]
		}
	}
	return r.URL.Query().Get("query")
}

// queryOf returns the query of a request, which may also be its body.
func queryOf(r *http.Request, body []byte) string {
	return cmp.Or(statementOf(r, body), string(body))
}

// Forward asks the server and sends its answer.
func (p *Proxy) Forward(w http.ResponseWriter, r *http.Request) { p.forward.ServeHTTP(w, r) }

// next returns the fault for a query, or nil.
func (p *Proxy) next(query string) Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.times == 0 || !p.affects(query) {
		return nil
	}
	p.times = max(p.times-1, -1)
	return p.fault
}

func (p *Proxy) affects(query string) bool {
	query = strings.TrimSpace(query)
	for _, start := range p.queries {
		if len(query) >= len(start) && strings.EqualFold(query[:len(start)], start) {
			return true
		}
	}
	return len(p.queries) == 0
}
