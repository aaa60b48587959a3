package outbound

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
)

// Reason is why a call failed.
type Reason uint8

// The reasons for which a call fails.
const (
	// Refused calls were not made, or not followed further: their target or
	// their form is against the rules.
	Refused Reason = iota
	// Unreachable targets do not exist, do not answer, or answer no HTTP.
	Unreachable
	// TimedOut calls took longer than allowed.
	TimedOut
	// TooLarge answers have more bytes than allowed.
	TooLarge
)

// Error is a failed call. Its text is fit for the one who chose the address:
// it has nothing in it that a host answered. The cause is for the server's log.
type Error struct {
	Reason  Reason
	Message string
	cause   error
}

// Error returns the message alone.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

func refused(format string, args ...any) *Error {
	return &Error{Reason: Refused, Message: fmt.Sprintf(format, args...)}
}

// explain turns what net/http says into an Error. A caller that gave up gets
// its own context's error back.
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
