package otlpgrpc

import (
	"bytes"
	"encoding/json"
	"net/http"
)

// The status codes of gRPC.
const (
	success            = 0
	invalidArgument    = 3
	permissionDenied   = 7
	failedPrecondition = 9
	unimplemented      = 12
	internal           = 13
	unavailable        = 14
	unauthenticated    = 16
)

// codeOf returns the status of a call. Exporters try again only if it is
// unavailable.
func codeOf(status int) int {
	switch status {
	case http.StatusOK, 0:
		return success
	case http.StatusUnauthorized:
		return unauthenticated
	case http.StatusForbidden:
		return permissionDenied
	case http.StatusConflict:
		return failedPrecondition
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return unavailable
	}
	if status < http.StatusInternalServerError {
		return invalidArgument
	}
	return internal
}

// response collects the response over HTTP, which is small.
type response struct {
	under  http.ResponseWriter
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the header of the response over HTTP.
func (r *response) Header() http.Header { return r.header }

// WriteHeader sets the status.
func (r *response) WriteHeader(status int) { r.status = status }

// Write adds to the body.
func (r *response) Write(part []byte) (int, error) { return r.body.Write(part) }

// Flush does nothing: the response is sent as a whole.
func (r *response) Flush() {}

// Unwrap returns the writer of the call for http.ResponseController.
func (r *response) Unwrap() http.ResponseWriter { return r.under }

// message returns the text of an error.
func (r *response) message() string {
	var body struct{ Message string }
	if err := json.Unmarshal(r.body.Bytes(), &body); err != nil || body.Message == "" {
		return http.StatusText(r.status)
	}
	return body.Message
}
