package step

// FailureError is why a step failed, where there is more to tell than a line:
// the whole answer of a provider, or the trace of an exception. Both texts are
// fit for the user.
type FailureError struct {
	// Message says in one line what happened.
	Message string
	// Detail is all that is known.
	Detail string
	// Cause is the failure itself, nil where there is none.
	Cause error
}

// Error returns the message.
func (f *FailureError) Error() string { return f.Message }

// Unwrap returns the cause, or nil.
func (f *FailureError) Unwrap() error { return f.Cause }
