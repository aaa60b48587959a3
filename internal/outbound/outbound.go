// Package outbound makes HTTP calls to addresses chosen by users. Such an address
// may point into the internal network, to the server itself, or to the metadata
// service of a cloud. All calls therefore use one client, which connects only to
// public hosts and to targets that the operator allowed.
//
// The decisive check uses the address that a socket connects to, for every
// connection, so that DNS rebinding has no effect. Redirects are checked like
// first calls. Proxies from the environment are not used, because they would
// make the connections.
package outbound

import (
	"context"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"
)

// Options configure a Client. Zero values select the defaults.
type Options struct {
	// Allow lists targets that may be called even though they are not public.
	Allow Allowed
	// MaxBytes is the maximum size of an uncompressed response body. The default
	// is 10 MiB.
	MaxBytes int64
	// Timeout limits a whole call, including redirects and the body. The default
	// is 30 seconds.
	Timeout time.Duration
	// MaxRedirects is the maximum number of redirects. The default is 5; a
	// negative number means none.
	MaxRedirects int
	// Resolver resolves names. The default is that of the system.
	Resolver *net.Resolver
}

// Fixed limits.
const (
	defaultBytes     = 10 << 20
	defaultTimeout   = 30 * time.Second
	defaultRedirects = 5
	maxHeader        = 64 << 10
	connectTimeout   = 10 * time.Second
	idleTimeout      = 30 * time.Second
	maxIdle          = 64
)

// Client makes restricted calls. It is safe for concurrent use.
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

// HTTP returns the client for libraries that need one of net/http. The same
// rules and limits apply; its errors wrap an *Error if a rule or a limit is
// violated. The caller must not modify it.
func (c *Client) HTTP() *http.Client { return c.http }

// Close closes idle connections.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Response is a complete response.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do makes a call and reads the response. No status is an error. If the body is
// too large, Do returns an error and the part of the body that was read.
// Failures are *Error, or the error of ctx if it has ended.
func (c *Client) Do(ctx context.Context, r *http.Request) (Response, error) {
	answer, err := c.http.Do(r.WithContext(ctx))
	if err != nil {
		return Response{}, explain(ctx, r.URL.Hostname(), err)
	}
	defer func() { _ = answer.Body.Close() }() // the body has been read
	body, err := io.ReadAll(answer.Body)
	response := Response{Status: answer.StatusCode, Header: answer.Header, Body: body}
	if err != nil {
		return response, explain(ctx, r.URL.Hostname(), err)
	}
	return response, nil
}

// dial connects to a host and checks each address it tries.
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
