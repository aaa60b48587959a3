package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/outbound"
)

// The values of Error.Type, which are those of a request log's error type.
const (
	TypeRateLimit  = "PROVIDER_RATE_LIMIT"
	TypeQuotaLimit = "PROVIDER_QUOTA_LIMIT"
	TypeTimeout    = "PROVIDER_TIMEOUT"
	TypeAuth       = "PROVIDER_AUTH_ERROR"
	TypeProvider   = "PROVIDER_ERROR"
	TypeUnknown    = "UNKNOWN_ERROR"
)

// Error is a call that was sent and failed. No text of it holds a key.
type Error struct {
	// Type is the class of the failure.
	Type string
	// Message says in one short line what happened.
	Message string
	// Detail is the full text, such as the provider's answer.
	Detail string
	// Status is the HTTP status of the answer, 0 without one.
	Status int
	// Completion is what is known of the call: all but the answer.
	Completion *Completion

	// retry says that the call may succeed when it is repeated, after when the
	// provider asked to come back, negative if it did not.
	retry bool
	after time.Duration
	cause error
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the context's error when the call failed by that, else nil.
func (e *Error) Unwrap() error { return e.cause }

// TypeOf returns the error type that a request log has for the failure of a
// call, "" for nil.
func TypeOf(err error) string {
	var failure *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &failure):
		return failure.Type
	case NotConfigured(err):
		return TypeAuth
	case errors.Is(err, context.DeadlineExceeded):
		return TypeTimeout
	default:
		return TypeUnknown
	}
}

// Limits on the texts of a failure.
const (
	maxMessage = 500
	maxDetail  = 16 << 10
)

func newError(class, format string, args ...any) *Error {
	return &Error{Type: class, Message: fmt.Sprintf(format, args...), after: -1}
}

// malformed is an answer that is none. Another try may get a better one, but
// the model has done its work, and is paid for it.
func malformed(format string, args ...any) *Error {
	return newError(TypeProvider, "The provider's answer cannot be read: "+format, args...)
}

// ended is a call that did not finish in its time, or was given up.
func ended(ctx context.Context, timeout time.Duration) *Error {
	failure := newError(TypeTimeout, "The provider did not answer within %s", timeout)
	if errors.Is(ctx.Err(), context.Canceled) {
		failure = newError(TypeUnknown, "The call was cancelled")
	}
	failure.cause = ctx.Err()
	return failure
}

// unreached is a call whose answer did not come or broke off.
func unreached(err error) *Error {
	var stopped *outbound.Error
	if errors.As(err, &stopped) && (stopped.Reason == outbound.Refused || stopped.Reason == outbound.TooLarge) {
		// Another try would be stopped again.
		return newError(TypeProvider, "The provider could not be called: %s", stopped.Message)
	}
	failure := newError(TypeProvider, "The provider could not be reached: %s", oneLine(err.Error()))
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) && timeout.Timeout() {
		failure.Type = TypeTimeout
	}
	failure.Detail = err.Error()
	failure.retry = true
	return failure
}

// refused is an answer that says what went wrong. The status is 0 when that
// came in the middle of a stream, or as if it were an answer.
func refused(status int, answer jsontree.Value) *Error {
	if answer.Kind() == jsontree.Array {
		for _, element := range answer.Elems() {
			answer = element // Google puts its errors into a list at times
			break
		}
	}
	words, text := errorWords(answer)
	failure := newError(classOf(status, words), "%s", refusal(status, text))
	failure.Detail = string(answer.Raw())
	failure.Status = status
	failure.retry = retryable(status, words) && failure.Type != TypeQuotaLimit
	return failure
}

// refusal is the message of a refused call.
func refusal(status int, text string) string {
	text = oneLine(text)
	switch {
	case status == 0 && text == "":
		return "The provider answered with an error"
	case status == 0:
		return "The provider answered: " + text
	case text == "":
		return strings.TrimSpace(fmt.Sprintf("The provider answered with status %d %s", status, http.StatusText(status)))
	default:
		return fmt.Sprintf("The provider answered with status %d: %s", status, text)
	}
}

// errorWords returns the provider's words for an error, lower-cased, and its
// text, wherever they stand.
func errorWords(answer jsontree.Value) (words []string, text string) {
	inner := answer.Get("error")
	for _, place := range []jsontree.Value{inner, answer} {
		for _, key := range []string{"code", "type", "status"} {
			if word := place.Get(key); word.Kind() == jsontree.String {
				words = append(words, strings.ToLower(word.Str()))
			}
		}
		for _, key := range []string{"message", "detail", "error"} {
			if text == "" {
				text = readable(place.Get(key))
			}
		}
	}
	if text == "" {
		text = inner.Str()
	}
	return words, text
}

// readable returns a text, or the JSON of a list of complaints.
func readable(v jsontree.Value) string {
	switch v.Kind() {
	case jsontree.String:
		return v.Str()
	case jsontree.Array:
		return string(v.Compact())
	default:
		return ""
	}
}

var (
	quotaWords = []string{
		"insufficient_quota", "billing_error", "billing_hard_limit_reached", "billing_not_active", "access_terminated",
	}
	rateWords = []string{"rate_limit_exceeded", "rate_limit_error", "resource_exhausted", "too_many_requests"}
	authWords = []string{
		"invalid_api_key", "authentication_error", "permission_error", "permission_denied", "unauthenticated",
	}
	timeoutWords = []string{"timeout_error", "deadline_exceeded", "request_timeout"}
	busyWords    = []string{"overloaded_error", "api_error", "server_error", "internal", "unavailable", "internal_error"}
)

func classOf(status int, words []string) string {
	says := func(list []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(list, word) })
	}
	switch {
	case status == http.StatusPaymentRequired || says(quotaWords):
		return TypeQuotaLimit
	case status == http.StatusTooManyRequests || says(rateWords):
		return TypeRateLimit
	case status == http.StatusUnauthorized || status == http.StatusForbidden || says(authWords):
		return TypeAuth
	case status == http.StatusRequestTimeout || status == http.StatusGatewayTimeout || says(timeoutWords):
		return TypeTimeout
	default:
		return TypeProvider
	}
}

func retryable(status int, words []string) bool {
	if status == 0 {
		return slices.ContainsFunc(words, func(word string) bool {
			return slices.Contains(rateWords, word) || slices.Contains(busyWords, word)
		})
	}
	return status == http.StatusRequestTimeout || status == http.StatusConflict ||
		status == http.StatusTooManyRequests || status >= http.StatusInternalServerError
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// cut shortens a text to at most so many bytes, at a character, and replaces
// bytes that are no text.
func cut(text string, limit int) string {
	if len(text) > limit {
		for limit > 0 && !utf8.RuneStart(text[limit]) {
			limit--
		}
		text = text[:limit] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
