package provider

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Refused returns the error for an error response. The status is 0 if the error
// is part of a stream or of a successful response.
func Refused(status int, answer jsontree.Value) *Error {
	if answer.Kind() == jsontree.Array {
		answer = First(answer) // Google sometimes wraps its errors in a list
	}
	words, text := errorWords(answer)
	failure := NewError(classOf(status, words), "%s", refusal(status, OneLine(text)))
	failure.Detail = string(answer.Raw())
	failure.Status = status
	failure.Retry = retryable(status, words) && failure.Type != TypeQuotaLimit
	return failure
}

// OneLine returns a text with runs of whitespace replaced by single spaces.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// refusal returns the message of a refused call.
func refusal(status int, text string) string {
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

// errorWords returns the provider's error codes, in lower case, and the text of
// the error.
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

// readable returns a string, or the JSON of a list of errors.
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

func oneOf(words, list []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(list, word) })
}

func classOf(status int, words []string) string {
	switch {
	case status == http.StatusPaymentRequired || oneOf(words, quotaWords):
		return TypeQuotaLimit
	case status == http.StatusTooManyRequests || oneOf(words, rateWords):
		return TypeRateLimit
	case status == http.StatusUnauthorized || status == http.StatusForbidden || oneOf(words, authWords):
		return TypeAuth
	case status == http.StatusRequestTimeout || status == http.StatusGatewayTimeout || oneOf(words, timeoutWords):
		return TypeTimeout
	default:
		return TypeProvider
	}
}

func retryable(status int, words []string) bool {
	if status == 0 {
		return oneOf(words, rateWords) || oneOf(words, busyWords)
	}
	return status == http.StatusRequestTimeout || status == http.StatusConflict ||
		status == http.StatusTooManyRequests || status >= http.StatusInternalServerError
}
