// Package fault is the one error type that crosses layers: it says what kind
// of failure happened and what a client may be told about it. The cause stays
// inside for the server's own log and is never sent.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Kind is the class of a failure; the HTTP edge maps each to one status.
type Kind uint8

// The kinds of failure, in the order in which an operation checks for them.
const (
	Internal Kind = iota
	Unauthorized
	RateLimited
	UnsupportedMedia
	TooLarge
	BadRequest
	Invalid
	Forbidden
	NotFound
	MethodNotAllowed
	Conflict
	Unavailable
	// Damaged is for stored data that can no longer be read.
	Damaged
	// BadGateway is for what another program would have to do that is not there.
	BadGateway
)

// Error is a failure with a kind and a text fit for a client.
type Error struct {
	Kind    Kind
	Message string
	// Fields names each broken rule of an Invalid fault.
	Fields []Field
	// RetryAfter, when set, tells a client when to come back.
	RetryAfter time.Duration
	cause      error
}

// Field is one broken rule: where, what, and which class of rule.
type Field struct {
	// Loc is the path to the value: Input, or "body", "query" or "path" at the edge
	// of the API, then keys (string) and indexes (int).
	Loc []any
	Msg string
	// Type is a stable word for the rule, such as "missing" or "int_type".
	Type string
}

// Error returns the message, followed by the cause where there is one.
func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + ": " + e.cause.Error()
	}
	return e.Message
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

// New returns a fault of the kind with a formatted message.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Wrap returns a fault of the kind that keeps cause for the server's log.
func Wrap(kind Kind, cause error, format string, args ...any) *Error {
	e := New(kind, format, args...)
	e.cause = cause
	return e
}

// BadRequestf is New(BadRequest, …).
func BadRequestf(format string, args ...any) *Error { return New(BadRequest, format, args...) }

// NotFoundf is New(NotFound, …).
func NotFoundf(format string, args ...any) *Error { return New(NotFound, format, args...) }

// Conflictf is New(Conflict, …).
func Conflictf(format string, args ...any) *Error { return New(Conflict, format, args...) }

// Busy is an Unavailable fault that asks the client to come back later.
func Busy(after time.Duration, cause error, format string, args ...any) *Error {
	e := Wrap(Unavailable, cause, format, args...)
	e.RetryAfter = after
	return e
}

// KindOf returns the kind of the first fault in err's chain, Internal if none.
func KindOf(err error) Kind {
	var f *Error
	if errors.As(err, &f) {
		return f.Kind
	}
	return Internal
}

// Is reports whether err carries a fault of the kind.
func Is(err error, kind Kind) bool {
	var f *Error
	return errors.As(err, &f) && f.Kind == kind
}
