// Package send delivers events over the network.
package send

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/webhook"
)

const (
	// Timeout limits an attempt.
	Timeout = 15 * time.Second
	// maxResponse limits how much of a response is read, and maxExcerpt how much of
	// it is kept.
	maxResponse = 64 << 10
	maxExcerpt  = 1000
)

// HTTP sends messages to addresses that users chose.
type HTTP struct{ client *outbound.Client }

// NewHTTP returns a sender that connects only to public hosts and to allowed targets.
// It follows no redirects: a target that moved needs a person. The timeout is Timeout
// if it is 0.
func NewHTTP(allowed outbound.Allowed, timeout time.Duration) *HTTP {
	if timeout == 0 {
		timeout = Timeout
	}
	return &HTTP{outbound.New(outbound.Options{Allow: allowed, MaxBytes: maxResponse, Timeout: timeout, MaxRedirects: -1})}
}

// CheckURL returns an error if an address cannot be a target.
func (h *HTTP) CheckURL(url string) error { return h.client.CheckURL(url) }

// Close closes idle connections.
func (h *HTTP) Close() { h.client.Close() }

// Send posts a message.
func (h *HTTP) Send(ctx context.Context, m webhook.Message) webhook.Attempt {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return webhook.Attempt{Failure: "this is not a valid address"}
	}
	for name, value := range m.Header {
		request.Header.Set(name, value)
	}
	request.Header.Set("User-Agent", "Promptuary")
	answer, err := h.client.Do(ctx, request)
	done := webhook.Attempt{Status: int64(answer.Status), Response: excerpt(answer.Body)}
	if err != nil && !tooLarge(err) {
		done.Failure = err.Error()
	}
	return done
}

// tooLarge reports whether only the length of the response was the problem: the
// target has accepted the message, or not, before.
func tooLarge(err error) bool {
	var failed *outbound.Error
	return errors.As(err, &failed) && failed.Reason == outbound.TooLarge
}

// excerpt returns the beginning of a response as text that can be stored.
func excerpt(body []byte) string {
	if len(body) > maxExcerpt {
		end := maxExcerpt
		for end > maxExcerpt-utf8.UTFMax && !utf8.RuneStart(body[end]) {
			end--
		}
		body = body[:end]
	}
	return strings.ReplaceAll(strings.ToValidUTF8(string(body), "�"), "\x00", "�")
}
