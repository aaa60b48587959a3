package workbench

import (
	"errors"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/llm"
	"github.com/promptuary/promptuary/internal/script"
)

// explain turns the failure of a model or of code into a fault: its message is
// short, and its cause has the full text.
func explain(err error) error {
	var call *llm.Error
	var code *script.Error
	switch {
	case errors.As(err, &call):
		return fault.Wrap(fault.BadRequest, &fullError{strings.TrimSpace(call.Type + " " + call.Detail), call}, "%s", short(call.Message))
	case errors.As(err, &code):
		text := code.Trace
		if text == "" {
			text = code.Type
		}
		return fault.Wrap(fault.BadRequest, &fullError{text, code}, "%s", short(code.Message))
	default:
		return err
	}
}

// fullError is all that is known of a failure.
type fullError struct {
	text  string
	cause error
}

// Error returns the text.
func (f *fullError) Error() string { return f.text }

// Unwrap returns the failure itself.
func (f *fullError) Unwrap() error { return f.cause }

// maxShort is how many characters fit where a failure is shown.
const maxShort = 500

func short(text string) string {
	if runes := []rune(text); len(runes) > maxShort {
		return string(runes[:maxShort]) + "…"
	}
	return text
}
