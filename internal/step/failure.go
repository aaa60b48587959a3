package step

import (
	"context"
	"errors"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
)

// FailureError is why a step failed, where there is more to tell than a line:
// the whole answer of a provider, or the trace of an exception. Both texts are
// fit for the user.
type FailureError struct {
	// Message says in one line what happened.
	Message string
	// Detail is all that is known.
	Detail string
	// Cause is the failure itself, nil where there is none.
	Cause error
}

// Error returns the message.
func (f *FailureError) Error() string { return f.Message }

// Unwrap returns the cause, or nil.
func (f *FailureError) Unwrap() error { return f.Cause }

// How much of a failure is told, in bytes.
const (
	maxMessage = 1 << 10
	maxDetail  = 64 << 10
)

// Explain returns for a failure of a step a short text for people, and all
// that may be told. What is wrong with the server itself is for its own log.
// Both texts are bounded, and such that every store can keep them.
func Explain(err error) (message, detail string) {
	message, detail = explain(err)
	return storable(message, maxMessage), storable(detail, maxDetail)
}

func explain(err error) (message, detail string) {
	var failure *FailureError
	var known *fault.Error
	switch {
	case errors.As(err, &failure):
		return failure.Message, failure.Detail
	case errors.As(err, &known) && known.Kind != fault.Internal:
		return known.Message, known.Message
	case errors.Is(err, context.Canceled):
		return "The run was cancelled", "The run was cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "The step took too long", "The step took too long"
	}
	return "The step failed because of a mistake in the server", "See the log of the server"
}

// storable replaces what not every store can keep: code and providers put into
// their messages what they like.
func storable(text string, limit int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return text
}
