package outbound

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
)

// guard checks every request of the client, including redirects, and limits
// every response.
type guard struct{ c *Client }

// RoundTrip sends a request if its address is allowed.
func (g guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := g.c.check(r.URL); err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // RoundTrip must close it; nothing was read
		}
		return nil, err
	}
	answer, err := g.c.transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = &boundedBody{ReadCloser: answer.Body, left: g.c.maxBytes, limit: g.c.maxBytes}
	return answer, nil
}

// CloseIdleConnections closes idle connections.
func (g guard) CloseIdleConnections() { g.c.transport.CloseIdleConnections() }

// boundedBody returns an error when the body exceeds its limit.
type boundedBody struct {
	io.ReadCloser
	left, limit int64
}

// Read reads until the limit is exceeded.
func (b *boundedBody) Read(into []byte) (int, error) {
	if b.left < 0 {
		return 0, b.tooLarge()
	}
	if int64(len(into)) > b.left+1 {
		into = into[:b.left+1] // one more byte, to detect the excess
	}
	n, err := b.ReadCloser.Read(into)
	b.left -= int64(n)
	if b.left < 0 {
		return n - 1, b.tooLarge()
	}
	return n, err
}

func (b *boundedBody) tooLarge() error {
	return &Error{Reason: TooLarge, Message: fmt.Sprintf("the answer has more than %d bytes", b.limit)}
}

// harmless headers contain nothing about the caller.
var harmless = []string{"Accept", "Accept-Encoding", "Accept-Language", "Content-Encoding", "Content-Language", "Content-Type", "User-Agent"}

// checkRedirect checks a redirect. The headers of the first call may contain
// secrets under any name. Once a redirect has left the first host, they are not
// sent, not even back to it, because another host chose the path.
func (c *Client) checkRedirect(next *http.Request, before []*http.Request) error {
	if len(before) > c.maxRedirects {
		return refused("%q redirects more than %d times", before[0].URL.Hostname(), max(0, c.maxRedirects))
	}
	if err := c.check(next.URL); err != nil {
		return refused("%q redirects to an address that cannot be called: %s", before[0].URL.Hostname(), err)
	}
	if before[len(before)-1].URL.Scheme == "https" && next.URL.Scheme != "https" {
		return refused("%q redirects to an address without encryption", before[len(before)-1].URL.Hostname())
	}
	next.Header.Del("Referer") // URLs may contain secrets, too
	first := origin(before[0].URL)
	if slices.ContainsFunc(append(before[1:len(before):len(before)], next), func(r *http.Request) bool { return origin(r.URL) != first }) {
		keepHarmless(next.Header)
		next.Host = "" // it was for the first host
	}
	return nil
}

func keepHarmless(header http.Header) {
	for name := range header {
		if !slices.Contains(harmless, http.CanonicalHeaderKey(name)) {
			delete(header, name)
		}
	}
}

// origin returns the host and port of a URL. The default ports of http and
// https are equal, because redirects between them are common.
func origin(u *url.URL) string {
	port := u.Port()
	if u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		port = ""
	}
	return canonical(u.Hostname()) + ":" + port
}
