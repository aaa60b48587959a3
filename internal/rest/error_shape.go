package rest

// ErrorBody is the body of every error response.
type ErrorBody = errorResponse

// ErrorDetail is one violated rule in an ErrorBody.
type ErrorDetail = errorDetail

// ErrorShape returns the response to an operation that fails with err, for
// responses that report several outcomes.
func ErrorShape(err error) (status int, body ErrorBody) {
	status, body, _ = newErrorResponse(err, false)
	return status, body
}
