// Package render finds the variables of texts and fills them in, for both
// template formats.
package render

import (
	"errors"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/template/render/jinja"
)

// Format is the template language of a text.
type Format string

// The formats. Texts of any other format are not rendered.
const (
	FString Format = "f-string"
	Jinja2  Format = "jinja2"
)

// MaxJinja is the maximum size of a text in Jinja2, in bytes.
const MaxJinja = jinja.MaxSource

// Result is a rendered text.
type Result struct {
	Text string
	// Undefined are the distinct variables that the text uses but that were not
	// given, in order of use.
	Undefined []string
}

// Variables returns the distinct names that the text reads, in order of first
// appearance. A text with a syntax error has none. The caller must not change
// the result.
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

// Text renders a text. A text with a syntax error, or that fails with these
// values, is returned unchanged. The error is fault.Invalid if the text exceeds
// a limit, or that of the budget's context if it has ended.
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

// limit returns the error for the limit that was exceeded.
func limit(err error) error {
	var reached *jinja.LimitError
	if errors.As(err, &reached) {
		return fault.Wrap(fault.Invalid, err, "rendering exceeds the %s limit", reached.Limit)
	}
	var stopped *jinja.StopError
	if errors.As(err, &stopped) {
		return stopped.Cause
	}
	return err
}
