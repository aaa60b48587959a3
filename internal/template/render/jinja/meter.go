package jinja

import "fmt"

// Meter holds the remaining limits of a rendering. All templates of a request
// share a meter, so that many small ones cannot exceed the limits of one large
// one.
type Meter struct {
	// Steps is the number of steps left: about one per evaluated node or
	// element.
	Steps int64
	// Memory is the number of bytes that templates may still allocate, whether
	// freed or not.
	Memory int64
	// Output is the number of bytes that may still be written.
	Output int64
	// Stopped is called regularly; an error ends the rendering.
	Stopped func() error

	unchecked int64
}

// stepsPerCheck keeps the cost of reading the clock low: a step takes well
// under a microsecond, so a stop is noticed within a millisecond.
const stepsPerCheck = 2048

// LimitError names the limit that a template exceeded.
type LimitError struct{ Limit string }

// Error names the limit.
func (e *LimitError) Error() string { return "the template exceeds the " + e.Limit + " limit" }

// StopError wraps the error of Meter.Stopped that ended a rendering.
type StopError struct{ Cause error }

// Error returns the text of the cause.
func (e *StopError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *StopError) Unwrap() error { return e.Cause }

// Error is an error in the template: its syntax, or an operation that its
// values do not support.
type Error struct{ Message string }

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// BugError is an unexpected panic in the engine.
type BugError struct{ Panic any }

// Error shows the panic.
func (e *BugError) Error() string { return fmt.Sprintf("template engine: %v", e.Panic) }

// spend charges the meter for steps. Like all failures of a rendering it
// panics, and caught recovers.
func (m *Meter) spend(steps int) {
	m.Steps -= int64(steps)
	if m.Steps < 0 {
		panic(&LimitError{"step"})
	}
	if m.unchecked += int64(steps); m.unchecked >= stepsPerCheck {
		m.unchecked = 0
		if err := m.Stopped(); err != nil {
			panic(&StopError{err})
		}
	}
}

// reserve charges the meter for bytes before they are allocated.
func (m *Meter) reserve(bytes int) {
	m.Memory -= int64(bytes)
	if bytes < 0 || m.Memory < 0 {
		panic(&LimitError{"memory"})
	}
}

// Emit charges the meter for finished text; the error is a *LimitError.
func (m *Meter) Emit(bytes int) error {
	m.Output -= int64(bytes)
	if m.Output < 0 {
		return &LimitError{"output"}
	}
	return nil
}

// caught turns a panic into the error of a rendering or of a parse.
func caught(err *error) {
	switch failure := recover().(type) {
	case nil:
	case *Error:
		*err = failure
	case *LimitError:
		*err = failure
	case *StopError:
		*err = failure
	default:
		*err = &BugError{failure}
	}
}

// fail ends a rendering or a parse with an error in the template.
func fail(format string, args ...any) {
	panic(&Error{fmt.Sprintf(format, args...)})
}
