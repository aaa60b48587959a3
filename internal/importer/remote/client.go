// Package remote reads another server over the public operations of PromptLayer's API,
// which this program has, too: folders, prompts, workflows, datasets and request logs.
// It obeys the limits of the server, and tries again what may succeed later.
package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/outbound"
)

const (
	// attempts is how often a call is tried, and firstAttempts how often if the server
	// has never answered: its address may be wrong.
	attempts      = 10
	firstAttempts = 4
	// firstPause and longestPause limit the time between two attempts. A server may ask
	// for more, up to mostAsked.
	firstPause   = 500 * time.Millisecond
	longestPause = 30 * time.Second
	mostAsked    = time.Hour
	// politeEvery is the shortest time between two calls.
	politeEvery = 50 * time.Millisecond
	// maxMessage limits what is quoted of an answer.
	maxMessage = 200
)

// Options configure a Client.
type Options struct {
	// Address is the address of the server, without a path.
	Address string
	Key     string
	Calls   *outbound.Client
	// Every is the shortest time between two calls, 50 ms if it is 0.
	Every time.Duration
	// Wait waits, or returns the error of the context. It is a timer if nil.
	Wait func(ctx context.Context, d time.Duration) error
}

// Client calls a server. It is not safe for concurrent use.
type Client struct {
	options Options
	// next is when the next call may be made.
	next time.Time
	// answered says that the server has answered before.
	answered bool
}

// New returns a client.
func New(o Options) *Client {
	if o.Every == 0 {
		o.Every = politeEvery
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	o.Address = strings.TrimRight(o.Address, "/")
	return &Client{options: o}
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// RefusedError says that a server does not answer a call, now or later.
type RefusedError struct {
	Status  int
	Message string
}

// Error describes the answer.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("The server answers with %d: %s", e.Status, e.Message)
}

// ClosedError says that a server cannot be used: it refuses the key, must not be called,
// or is none of this API.
type ClosedError struct{ Message string }

// Error returns the message.
func (e *ClosedError) Error() string { return e.Message }

// UnreachableError says that a server has not answered, although it was asked several
// times. It may do so later.
type UnreachableError struct{ cause error }

// Error describes the last attempt.
func (e *UnreachableError) Error() string {
	return fmt.Sprintf("The server does not answer: %v", e.cause)
}

// Unwrap returns the error of the last attempt.
func (e *UnreachableError) Unwrap() error { return e.cause }

func closedf(format string, args ...any) error { return &ClosedError{fmt.Sprintf(format, args...)} }

// missing reports whether the server does not have what was asked for.
func missing(err error) bool {
	refused, ok := errors.AsType[*RefusedError](err)
	return ok && refused.Status == http.StatusNotFound
}

// laterError says that a call may succeed later.
type laterError struct {
	// after is how long the server asks to wait, 0 if it does not.
	after time.Duration
	cause error
}

// Error describes the cause.
func (e *laterError) Error() string { return e.cause.Error() }

// call makes a call until it succeeds, is refused, or was tried often enough. The error
// is a RefusedError, a ClosedError, an UnreachableError or that of the context.
func (c *Client) call(ctx context.Context, method, path string, query url.Values, body []byte) (jsontree.Value, error) {
	pause := firstPause
	for attempt := 1; ; attempt++ {
		if err := c.pace(ctx); err != nil {
			return jsontree.Value{}, err
		}
		answer, err := c.try(ctx, method, path, query, body)
		later, isLater := errors.AsType[*laterError](err)
		if !isLater {
			return answer, err
		}
		if attempt >= attempts || attempt >= firstAttempts && !c.answered {
			return answer, &UnreachableError{later.cause}
		}
		if err := c.options.Wait(ctx, max(pause, later.after)); err != nil {
			return answer, err
		}
		pause = min(2*pause, longestPause)
	}
}

// pace waits until the next call may be made.
func (c *Client) pace(ctx context.Context) error {
	now := time.Now()
	if left := c.next.Sub(now); left > 0 {
		if err := c.options.Wait(ctx, left); err != nil {
			return err
		}
		now = time.Now()
	}
	c.next = now.Add(c.options.Every)
	return nil
}

func (c *Client) try(ctx context.Context, method, path string, query url.Values, body []byte) (jsontree.Value, error) {
	address := c.options.Address + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return jsontree.Value{}, closedf("The address of the server is not valid")
	}
	r.Header.Set("X-API-KEY", c.options.Key)
	r.Header.Set("Accept", "application/json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := c.options.Calls.Do(ctx, r)
	if err != nil {
		return jsontree.Value{}, unreached(err)
	}
	c.answered = true
	return read(answer)
}

// unreached returns the error of a call without an answer.
func unreached(err error) error {
	failed, ok := errors.AsType[*outbound.Error](err)
	switch {
	case !ok: // the context has ended
		return err
	case failed.Reason == outbound.Refused || failed.Reason == outbound.TooLarge:
		return closedf("The server cannot be read: %s", failed.Message)
	default:
		return &laterError{cause: failed}
	}
}

// read returns the JSON of an answer.
func read(answer outbound.Response) (jsontree.Value, error) {
	status := answer.Status
	value, err := jsontree.Parse(answer.Body)
	switch {
	case status == http.StatusTooManyRequests || status >= http.StatusInternalServerError:
		return value, &laterError{asked(answer.Header), fmt.Errorf("status %d", status)}
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return value, closedf("The server refuses the API key: %s", message(value, status))
	case status >= http.StatusMultipleChoices:
		return value, &RefusedError{status, message(value, status)}
	case err != nil:
		// A proxy or a connection that was cut; the next answer may be whole.
		return value, &laterError{cause: errors.New("the answer is not valid JSON")}
	}
	return value, nil
}

// asked returns how long a server asks to wait.
func asked(header http.Header) time.Duration {
	text := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil {
		return min(max(time.Duration(seconds)*time.Second, 0), mostAsked)
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(time.Until(at), 0), mostAsked)
	}
	return 0
}

// message returns what an answer says is wrong, without control characters.
func message(answer jsontree.Value, status int) string {
	for _, name := range []string{"message", "error", "msg"} {
		if text := []rune(printable(answer.Get(name).Str())); len(text) > maxMessage {
			return string(text[:maxMessage]) + "…"
		} else if len(text) > 0 {
			return string(text)
		}
	}
	return http.StatusText(status)
}

func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text)
}
