package run

import (
	"context"
	"errors"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/step"
)

// interrupted is what is known of a step that was under way when its process
// was lost.
const interrupted = "The server stopped while this node ran. It may have taken effect, so it was not repeated."

// cancelled is what is known of nodes of a run that somebody ended.
const cancelled = "The run was cancelled"

// explain returns a short text for people, and all that may be told. What is
// wrong with the server itself is for its own log.
func explain(err error) (message, raw string) {
	var failure *step.FailureError
	var known *fault.Error
	switch {
	case errors.As(err, &failure):
		return failure.Message, failure.Detail
	case errors.As(err, &known) && known.Kind != fault.Internal:
		return known.Message, known.Message
	case errors.Is(err, context.Canceled):
		return cancelled, cancelled
	case errors.Is(err, context.DeadlineExceeded):
		return "The node took too long", "The node took too long"
	}
	return "The node failed because of a mistake in the server", "See the log of the server"
}

// How much of a failure is kept, in bytes.
const (
	maxMessage = 1 << 10
	maxRaw     = 64 << 10
)

// storable returns a text as every store can keep it: code and providers put
// into their messages what they like.
func storable(text string, limit int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return text
}
