package rest

// ErrorBody is the one shape of every error.
type ErrorBody = errorResponse

// ErrorDetail is one broken rule in an ErrorBody.
type ErrorDetail = errorDetail

// ErrorShape returns how an operation that fails with err is answered, for
// answers that report several outcomes at once.
func ErrorShape(err error) (status int, body ErrorBody) {
	status, body, _ = newErrorResponse(err, false)
	return status, body
}
