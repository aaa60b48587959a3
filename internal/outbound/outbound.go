// Package outbound makes the HTTP calls whose address a user chose. Such an
// address may point into the network that the server is in, at the server
// itself, or at the service that hands out the machine's credentials. So every
// call goes through one client, which connects to public hosts and to what the
// operator allowed, and to nothing else.
//
// The check that counts is made on the address that a socket connects to, for
// every connection: a name that leads elsewhere the second time it is looked
// up gains nothing by it. Redirects are checked like first calls. Proxies that
// the environment names are not used, because they would connect in our place.
package outbound

import (
	"context"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"
)

// Options say how far calls may go. Zero values mean the defaults.
type Options struct {
	// Allow names targets that may be called although they are not public.
	Allow Allowed
	// MaxBytes bounds the body of an answer, unpacked. The default is 10 MiB.
	MaxBytes int64
	// Timeout bounds a whole call, redirects and body included. The default
	// is 30 seconds.
	Timeout time.Duration
	// MaxRedirects is how many redirects are followed. The default is 5; a
	// negative number means none.
	MaxRedirects int
	// Resolver looks up names; the default is that of the system.
	Resolver *net.Resolver
}

// Limits that nobody has needed to change.
const (
	defaultBytes     = 10 << 20
	defaultTimeout   = 30 * time.Second
	defaultRedirects = 5
	maxHeader        = 64 << 10
	connectTimeout   = 10 * time.Second
	idleTimeout      = 30 * time.Second
	maxIdle          = 64
)

// Client makes guarded calls. It is safe for concurrent use.
type Client struct {
	allowed      Allowed
	maxBytes     int64
	maxRedirects int
	dialer       net.Dialer
	transport    *http.Transport
	http         *http.Client
}

// New returns a client with the options.
func New(o Options) *Client {
	c := &Client{
		allowed: o.Allow, maxBytes: positive(o.MaxBytes, defaultBytes), maxRedirects: o.MaxRedirects,
		dialer: net.Dialer{Timeout: connectTimeout, KeepAlive: idleTimeout, Resolver: o.Resolver},
	}
	if c.maxRedirects == 0 {
		c.maxRedirects = defaultRedirects
	}
	c.transport = &http.Transport{
		DialContext: c.dial, ForceAttemptHTTP2: true,
		TLSHandshakeTimeout: connectTimeout, IdleConnTimeout: idleTimeout, MaxIdleConns: maxIdle,
		MaxResponseHeaderBytes: maxHeader,
	}
	c.http = &http.Client{
		Transport: guard{c}, CheckRedirect: c.checkRedirect, Timeout: positive(o.Timeout, defaultTimeout),
	}
	return c
}

func positive[N int64 | time.Duration](value, otherwise N) N {
	if value > 0 {
		return value
	}
	return otherwise
}

// HTTP returns the client for libraries that want one of net/http. It is bound
// by the same rules and limits; its errors hold an *Error where a rule or a
// limit was met. The caller must not change it.
func (c *Client) HTTP() *http.Client { return c.http }

// Close ends connections that are kept for later calls.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Response is a complete answer.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do makes a call and reads its answer. Answers of every status are returned
// without an error. When the body is larger than allowed, the error says so
// and the response has the part that was read. Failures are *Error, or the
// error of ctx when the caller gave up.
func (c *Client) Do(ctx context.Context, r *http.Request) (Response, error) {
	answer, err := c.http.Do(r.WithContext(ctx))
	if err != nil {
		return Response{}, explain(ctx, r.URL.Hostname(), err)
	}
	defer func() { _ = answer.Body.Close() }() // all that was wanted has been read
	body, err := io.ReadAll(answer.Body)
	response := Response{Status: answer.StatusCode, Header: answer.Header, Body: body}
	if err != nil {
		return response, explain(ctx, r.URL.Hostname(), err)
	}
	return response, nil
}

// dial connects to a host if the rules allow each address it tries.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	dialer := c.dialer
	dialer.ControlContext = func(_ context.Context, network, address string, _ syscall.RawConn) error {
		return c.checkConnection(host, network, address)
	}
	return dialer.DialContext(ctx, network, address)
}
