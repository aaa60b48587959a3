package provider

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
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

// Error is a call that was sent and failed. None of its texts holds a key.
type Error struct {
	// Type is the class of the failure.
	Type string
	// Message says in one short line what happened.
	Message string
	// Detail is the full text, such as the provider's answer.
	Detail string
	// Status is the HTTP status of the answer, 0 without one.
	Status int
	// Completion is what is known of the call: everything but the answer.
	Completion *Completion

	// Retry says that the call may succeed when it is repeated, and After how
	// long the provider asks to wait, negative if it does not.
	Retry bool
	After time.Duration
	// Cause is the context's error if that ended the call, else nil.
	Cause error
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// NewError returns a failure of a class.
func NewError(class, format string, args ...any) *Error {
	return &Error{Type: class, Message: fmt.Sprintf(format, args...), After: -1}
}

// Malformed returns the failure of an answer that cannot be read. It is not
// retried: the model has done its work and is paid for it.
func Malformed(format string, args ...any) *Error {
	return NewError(TypeProvider, "The provider's answer cannot be read: "+format, args...)
}

// Interrupted returns the failure of a stream that ended before the answer did.
func Interrupted() *Error {
	failure := NewError(TypeProvider, "The provider's answer was interrupted")
	failure.Retry = true
	return failure
}

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

// NotConfigured reports whether err says that a key or an address is missing.
func NotConfigured(err error) bool {
	var missing *missingError
	return errors.As(err, &missing)
}

// missingError is the fault of a provider that is not configured.
type missingError struct{ fault *fault.Error }

// Missing returns the BadRequest fault of a provider that is not configured.
func Missing(format string, args ...any) error {
	return &missingError{fault.BadRequestf(format, args...)}
}

// Error returns the message.
func (e *missingError) Error() string { return e.fault.Message }

// Unwrap returns the fault.
func (e *missingError) Unwrap() error { return e.fault }
