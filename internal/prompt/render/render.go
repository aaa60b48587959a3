// Package render finds the variables of a prompt's texts and fills them in,
// for the two formats that prompts are written in.
package render

import (
	"errors"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/prompt/render/jinja"
)

// Format is the language that a text is written in.
type Format string

// The formats. A text of any other format is left as it is.
const (
	FString Format = "f-string"
	Jinja2  Format = "jinja2"
)

// Result is a rendered text.
type Result struct {
	Text string
	// Undefined are the variables that the text needed and was not given, in
	// order of use, each once.
	Undefined []string
}

// Variables returns the names that the text looks up, in order of first
// appearance, each once. A text that does not parse has none. The caller must
// not change the result.
func Variables(format Format, text string) []string {
	if strings.IndexByte(text, '{') < 0 {
		return nil
	}
	parsed, err := parse(format, text)
	if err != nil || parsed == nil {
		return nil
	}
	return parsed.names
}

// Text renders one text. A text that does not parse, or that fails with these
// values, comes back unchanged. The error is fault.Invalid when the text runs
// into a limit, or that of the budget's context when that has ended.
func Text(format Format, text string, values *Values, budget *Budget) (Result, error) {
	unchanged := Result{Text: text}
	if strings.IndexByte(text, '{') < 0 && (format != FString || strings.IndexByte(text, '}') < 0) {
		return unchanged, budget.emit(len(text))
	}
	if err := budget.check(); err != nil {
		return unchanged, err
	}
	parsed, err := parse(format, text)
	if err != nil {
		return unchanged, limit(err)
	}
	if parsed == nil {
		return unchanged, budget.emit(len(text))
	}
	result, err := budget.render(parsed, values)
	var broken *jinja.Error
	var bug *jinja.BugError
	if errors.As(err, &broken) || errors.As(err, &bug) {
		return unchanged, budget.emit(len(text))
	}
	return result, limit(err)
}

// limit says which bound was hit, in words for whoever wrote the text.
func limit(err error) error {
	var reached *jinja.LimitError
	if errors.As(err, &reached) {
		return fault.Wrap(fault.Invalid, err, "rendering stopped at the limit of %s", reached.Limit)
	}
	var stopped *jinja.StopError
	if errors.As(err, &stopped) {
		return stopped.Cause
	}
	return err
}
