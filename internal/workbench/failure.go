package workbench

import (
	"errors"
	"strings"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/script"
	"github.com/promptuary/promptuary/internal/step"
)

// explain turns a failure of a model or of code into one that users may see,
// with a short message and the details.
func explain(err error) error {
	var call *provider.Error
	var code *script.Error
	switch {
	case errors.As(err, &call):
		return &step.FailureError{Message: short(call.Message), Detail: strings.TrimSpace(call.Type + " " + call.Detail), Cause: err}
	case errors.As(err, &code):
		text := code.Trace
		if text == "" {
			text = code.Type + ": " + code.Message
		}
		return &step.FailureError{Message: short(code.Message), Detail: text, Cause: err}
	default:
		return err
	}
}

// maxShort is the maximum number of characters of a short message.
const maxShort = 500

func short(text string) string {
	if runes := []rune(text); len(runes) > maxShort {
		return string(runes[:maxShort]) + "…"
	}
	return text
}
