package rest

import (
	"cmp"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
)

// answers maps each kind of fault to its status and code, which are part of the
// API.
var answers = map[fault.Kind]struct {
	status int
	code   string
}{
	fault.Internal:         {http.StatusInternalServerError, "internal_error"},
	fault.Unauthorized:     {http.StatusUnauthorized, "unauthorized"},
	fault.RateLimited:      {http.StatusTooManyRequests, "rate_limited"},
	fault.UnsupportedMedia: {http.StatusUnsupportedMediaType, "unsupported_media_type"},
	fault.TooLarge:         {http.StatusRequestEntityTooLarge, "payload_too_large"},
	fault.BadRequest:       {http.StatusBadRequest, "bad_request"},
	fault.Invalid:          {http.StatusUnprocessableEntity, "validation_error"},
	fault.Forbidden:        {http.StatusForbidden, "forbidden"},
	fault.NotFound:         {http.StatusNotFound, "not_found"},
	fault.MethodNotAllowed: {http.StatusMethodNotAllowed, "method_not_allowed"},
	fault.Conflict:         {http.StatusConflict, "conflict"},
	fault.Unavailable:      {http.StatusServiceUnavailable, "unavailable"},
	fault.Damaged:          {http.StatusInternalServerError, "data_damaged"},
	fault.BadGateway:       {http.StatusBadGateway, "bad_gateway"},
}

const internalMessage = "Internal server error"

// errorResponse is the body of every error response.
type errorResponse struct {
	Success bool          `json:"success" required:"true" enum:"[false]" description:"Always false."`
	Message string        `json:"message" required:"true" description:"What went wrong, for people."`
	Error   string        `json:"error" required:"true" description:"The class of the error, for programs."`
	Detail  []errorDetail `json:"detail,omitempty" description:"Every broken rule; only with status 422."`
}

// errorDetail is one violated rule.
type errorDetail struct {
	Loc  []any  `json:"loc" required:"true" description:"The way to the value: body, query or path, then keys and indexes."`
	Msg  string `json:"msg" required:"true" description:"What is wrong with it."`
	Type string `json:"type" required:"true" description:"The class of the rule, such as missing or int_type."`
}

// The maximum lengths of texts in an error, in characters. They may quote the
// request, which must not make the response large.
const (
	maxMessage = 500
	maxLocPart = 200
)

// newErrorResponse returns the response to an error. The texts of internal errors,
// and of errors that are not faults, are not included.
func newErrorResponse(err error, textAsCode bool) (status int, body errorResponse, retryAfter time.Duration) {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind == fault.Internal {
		f = &fault.Error{Kind: fault.Internal, Message: internalMessage}
	}
	if f.Kind == fault.Invalid {
		f = f.Rooted("body")
	}
	answer, ok := answers[f.Kind]
	if !ok {
		answer = answers[fault.Internal]
	}
	body.Message = clip(cmp.Or(f.Message, http.StatusText(answer.status)), maxMessage)
	body.Error = answer.code
	if textAsCode {
		body.Error = body.Message
	}
	if f.Kind == fault.Invalid {
		body.Detail = details(f)
	}
	return answer.status, body, f.RetryAfter
}

// details lists the violated rules. A fault without fields becomes one.
func details(f *fault.Error) []errorDetail {
	fields := f.Fields
	if len(fields) == 0 {
		fields = []fault.Field{{Loc: []any{"body"}, Msg: f.Message, Type: "value_error"}}
	}
	list := make([]errorDetail, len(fields))
	for i, field := range fields {
		loc := make([]any, len(field.Loc))
		for n, part := range field.Loc {
			loc[n] = part
			if key, ok := part.(string); ok {
				loc[n] = clip(key, maxLocPart)
			}
		}
		list[i] = errorDetail{Loc: loc, Msg: clip(field.Msg, maxMessage), Type: field.Type}
	}
	return list
}

// writeError responds with the error. Nothing may have been written before.
func writeError(w http.ResponseWriter, err error, textAsCode bool) {
	status, body, retryAfter := newErrorResponse(err, textAsCode)
	if retryAfter > 0 {
		seconds := math.Ceil(retryAfter.Seconds())
		w.Header().Set("Retry-After", strconv.FormatFloat(seconds, 'f', 0, 64))
	}
	// Encoding strings and integers cannot fail.
	_ = WriteJSON(w, status, body)
}

// clip shortens text to at most limit characters of valid UTF-8.
func clip(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text
	}
	runes := 0
	for i := range text {
		if runes == limit-1 {
			return text[:i] + "…"
		}
		runes++
	}
	return text
}
