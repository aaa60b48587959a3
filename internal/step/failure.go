package step

import (
	"context"
	"errors"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
)

// FailureError is a failure of a step with details, such as the whole response
// of a provider or a stack trace. Both texts may be shown to users.
type FailureError struct {
	// Message is one line.
	Message string
	// Detail is the whole text.
	Detail string
	// Cause is the underlying error, or nil.
	Cause error
}

// Error returns the message.
func (f *FailureError) Error() string { return f.Message }

// Unwrap returns the cause, or nil.
func (f *FailureError) Unwrap() error { return f.Cause }

// Maximum sizes of the texts of a failure, in bytes.
const (
	maxMessage = 1 << 10
	maxDetail  = 64 << 10
)

// Explain returns a short message and the details of a failure of a step, as
// far as users may see them: internal errors belong in the log of the server.
// Both texts are bounded and can be stored by every store.
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
	return "The step failed because of an internal error", "See the server log"
}

// storable replaces characters that some stores cannot hold: messages of code
// and providers can contain anything.
func storable(text string, limit int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return text
}
