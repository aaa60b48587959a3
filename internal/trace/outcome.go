package trace

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// maxErrorMessage is the longest error message of a log, in characters.
const maxErrorMessage = 1024

// failed reports whether the operation of the span failed.
func (v *view) failed() bool { return v.span.Status == reqlog.SpanError }

// outcome returns how a call ended.
func (v *view) outcome() (status, errorType, message string) {
	if !v.failed() {
		return reqlog.StatusSuccess, "", ""
	}
	exception := v.eventNamed("exception")
	message = cmp.Or(v.span.StatusMessage, asText(exception.Get("exception.message")), scalarText(v.first("exception.message")))
	class := cmp.Or(scalarText(v.first("error.type")), asText(exception.Get("exception.type")), scalarText(v.first("exception.type")))
	status = scalarText(v.first("http.response.status_code", "http.status_code"))
	return reqlog.StatusError, errorTypeOf(class, status, message), firstCharacters(message, maxErrorMessage)
}

// errorPatterns tell the type of an error by its words, most specific first.
var errorPatterns = []struct {
	errorType string
	pattern   *regexp.Regexp
}{
	{provider.TypeQuotaLimit, regexp.MustCompile(`(?i)quota|payment required|\b402\b`)},
	{provider.TypeRateLimit, regexp.MustCompile(`(?i)rate.?limit|too many requests|\b429\b`)},
	{provider.TypeTimeout, regexp.MustCompile(`(?i)time.?out|timed out|deadline|\b(408|504)\b`)},
	{provider.TypeAuth, regexp.MustCompile(`(?i)authent|authori[sz]|\bauth(error)?\b|permission|forbidden|api.?key|\b40[13]\b`)},
}

// maxErrorText is how much of an error is searched for words.
const maxErrorText = 4096

// errorTypeOf returns the error type of a log for the class, the HTTP status and
// the message of an error. The class and the status are more reliable than the
// message.
func errorTypeOf(class, status, message string) string {
	for _, text := range []string{cut(class, maxErrorText) + " " + status, cut(message, maxErrorText)} {
		for _, known := range errorPatterns {
			if known.pattern.MatchString(text) {
				return known.errorType
			}
		}
	}
	if class != "" || status != "" {
		return provider.TypeProvider
	}
	return provider.TypeUnknown
}

// firstCharacters returns the beginning of a text.
func firstCharacters(text string, most int) string {
	for i := range text {
		if most == 0 {
			return text[:i]
		}
		most--
	}
	return text
}

// exceptionText returns what went wrong in a span.
func (v *view) exceptionText() string {
	var lines []string
	for _, e := range v.events {
		if e.name == "exception" {
			for _, part := range []string{"exception.type", "exception.message", "exception.stacktrace"} {
				lines = appendText(lines, e.attributes.Get(part))
			}
		}
	}
	if len(lines) == 0 && v.failed() {
		lines = []string{v.span.StatusMessage}
	}
	return cut(strings.Join(lines, "\n"), maxIndexText)
}

func appendText(lines []string, value jsontree.Value) []string {
	if text := asText(value); text != "" {
		lines = append(lines, cut(text, maxIndexText))
	}
	return lines
}
