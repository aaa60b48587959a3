package provider

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// The values of Error.Type, which are the error types of request logs.
const (
	TypeRateLimit  = "PROVIDER_RATE_LIMIT"
	TypeQuotaLimit = "PROVIDER_QUOTA_LIMIT"
	TypeTimeout    = "PROVIDER_TIMEOUT"
	TypeAuth       = "PROVIDER_AUTH_ERROR"
	TypeProvider   = "PROVIDER_ERROR"
	TypeUnknown    = "UNKNOWN_ERROR"
)

// Error is a call that was sent and failed. Its texts never contain a key.
type Error struct {
	// Type is the error type.
	Type string
	// Message is a short description in one line.
	Message string
	// Detail is the full text, such as the response of the provider.
	Detail string
	// Status is the HTTP status of the response, or 0.
	Status int
	// Completion describes the call, without the answer.
	Completion *Completion

	// Retry reports whether a retry may succeed. After is the wait that the
	// provider requests, negative if none.
	Retry bool
	After time.Duration
	// Cause is the error of the context if it ended the call, else nil.
	Cause error
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// NewError returns an error of a type.
func NewError(class, format string, args ...any) *Error {
	return &Error{Type: class, Message: fmt.Sprintf(format, args...), After: -1}
}

// Malformed returns the error for an answer that cannot be parsed. It is not
// retried, because the provider has already charged for the call.
func Malformed(format string, args ...any) *Error {
	return NewError(TypeProvider, "The provider's answer cannot be read: "+format, args...)
}

// Interrupted returns the error for a stream that ended early.
func Interrupted() *Error {
	failure := NewError(TypeProvider, "The provider's answer was interrupted")
	failure.Retry = true
	return failure
}

// TypeOf returns the error type of a failed call for the request log, "" for
// nil.
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

// NotConfigured reports whether err means that a key or a URL is missing.
func NotConfigured(err error) bool {
	var missing *missingError
	return errors.As(err, &missing)
}

// missingError is the error for a provider that is not configured.
type missingError struct{ fault *fault.Error }

// Missing returns the BadRequest fault for a provider that is not configured.
func Missing(format string, args ...any) error {
	return &missingError{fault.BadRequestf(format, args...)}
}

// Error returns the message.
func (e *missingError) Error() string { return e.fault.Message }

// Unwrap returns the fault.
func (e *missingError) Unwrap() error { return e.fault }
