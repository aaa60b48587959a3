package outbound

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
)

// Reason is the reason of a failed call.
type Reason uint8

// The reasons of failed calls.
const (
	// Refused means that the rules do not allow the target or the request.
	Refused Reason = iota
	// Unreachable means that the target does not exist, does not respond, or
	// does not speak HTTP.
	Unreachable
	// TimedOut means that the call exceeded the time limit.
	TimedOut
	// TooLarge means that the response exceeded the size limit.
	TooLarge
)

// Error is a failed call. Its message may be shown to the user who chose the
// address: it contains nothing that a host responded. The cause is for the log.
type Error struct {
	Reason  Reason
	Message string
	cause   error
}

// Error returns the message without the cause.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

func refused(format string, args ...any) *Error {
	return &Error{Reason: Refused, Message: fmt.Sprintf(format, args...)}
}

// explain converts an error of net/http to an Error. If the caller's context
// has ended, it returns the error of the context.
func explain(ctx context.Context, host string, err error) error {
	var own *Error
	var timeout net.Error
	var unknown *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(ctx.Err(), context.Canceled):
		return context.Cause(ctx)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return &Error{TimedOut, fmt.Sprintf("%q did not answer completely within the time limit", host), err}
	case errors.As(err, &unknown):
		return &Error{Unreachable, fmt.Sprintf("the host %q was not found", host), err}
	case errors.As(err, &certificate):
		return &Error{Unreachable, fmt.Sprintf("the certificate of %q is not trusted", host), err}
	}
	return &Error{Unreachable, fmt.Sprintf("%q could not be reached", host), err}
}
