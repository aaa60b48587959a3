package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/provider"
)

// newHTTPClient returns a copy of the client, or nil for nil. It follows no
// redirects and has no timeout, because calls have one.
func newHTTPClient(client *http.Client) *http.Client {
	if client == nil {
		return nil
	}
	own := *client
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	own.Timeout, own.Jar = 0, nil
	return &own
}

// exchange sends the request of p once. Events of a stream are passed to events
// unless it is nil; any other answer is returned.
func (s *Service) exchange(ctx context.Context, p *plan, events func([]byte) *provider.Error) ([]byte, *provider.Error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url.String(), bytes.NewReader(p.body))
	if err != nil {
		return nil, unreached(err)
	}
	request.Header = p.header.Clone()
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "promptuary")
	response, err := p.target.client.Do(request)
	if err != nil {
		return nil, unreached(err)
	}
	defer func() { _ = response.Body.Close() }()
	body := http.MaxBytesReader(nil, response.Body, s.options.MaxAnswer)
	switch {
	case response.StatusCode >= http.StatusBadRequest:
		return nil, readRefusal(response, body)
	case response.StatusCode >= http.StatusMultipleChoices:
		// Following it would send the key to another server.
		failure := provider.NewError(provider.TypeProvider, "The provider answered with a redirect, which is not followed")
		failure.Status = response.StatusCode
		return nil, failure
	case events != nil && strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream"):
		return nil, readEvents(body, events)
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		return nil, broken(err)
	}
	return raw, nil
}

// unreached returns the failure of a call without a complete answer.
func unreached(err error) *provider.Error {
	var stopped *outbound.Error
	if errors.As(err, &stopped) && (stopped.Reason == outbound.Refused || stopped.Reason == outbound.TooLarge) {
		// Another attempt would be refused again.
		return provider.NewError(provider.TypeProvider, "The provider could not be called: %s", stopped.Message)
	}
	failure := provider.NewError(provider.TypeProvider, "The provider could not be reached: %s", provider.OneLine(err.Error()))
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) && timeout.Timeout() {
		failure.Type = provider.TypeTimeout
	}
	failure.Detail = err.Error()
	failure.Retry = true
	return failure
}

// broken returns the failure of an incomplete answer.
func broken(err error) *provider.Error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return provider.NewError(provider.TypeProvider, "The provider's answer is larger than %d bytes", tooLarge.Limit)
	}
	return unreached(err)
}

// maxRefusal limits the size of an error response.
const maxRefusal = 1 << 20

func readRefusal(response *http.Response, body io.Reader) *provider.Error {
	// A read error does not matter: the status already indicates the failure.
	text, _ := io.ReadAll(io.LimitReader(body, maxRefusal))
	answer, _ := jsontree.Parse(text)
	failure := provider.Refused(response.StatusCode, answer)
	failure.Detail = string(text)
	failure.After = retryAfter(response.Header)
	return failure
}

// retryAfter returns the wait that the provider requests, or a negative
// duration.
func retryAfter(header http.Header) time.Duration {
	for _, form := range []struct {
		name string
		unit time.Duration
	}{{"Retry-After-Ms", time.Millisecond}, {"Retry-After", time.Second}} {
		if n, err := strconv.ParseFloat(header.Get(form.name), 64); err == nil && n >= 0 && n < 1e6 {
			return time.Duration(n * float64(form.unit))
		}
	}
	if at, err := http.ParseTime(header.Get("Retry-After")); err == nil {
		return max(0, time.Until(at))
	}
	return -1
}
