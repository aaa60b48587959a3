package jinja

import "fmt"

// Meter is what a template may still use. One meter serves all templates of
// one request, so that many small ones cost no more than one large one.
type Meter struct {
	// Steps is the work left: about one step per evaluated node or element.
	Steps int64
	// Memory is how many bytes templates may still build, freed or not.
	Memory int64
	// Output is how many bytes of finished text are left.
	Output int64
	// Stopped is asked now and then; an error from it ends the rendering.
	Stopped func() error

	unchecked int64
}

// stepsPerCheck keeps asking the clock out of the profile: a step takes well
// under a microsecond, so a stop is seen within a millisecond.
const stepsPerCheck = 2048

// LimitError says which bound a template ran into.
type LimitError struct{ Limit string }

// Error names the bound.
func (e *LimitError) Error() string { return "the template exceeds the limit of " + e.Limit }

// StopError carries the error with which Meter.Stopped ended a rendering.
type StopError struct{ Cause error }

// Error is the cause's text.
func (e *StopError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *StopError) Unwrap() error { return e.Cause }

// Error is a fault of the template itself: its syntax, or an operation that
// its values do not allow.
type Error struct{ Message string }

// Error is the message.
func (e *Error) Error() string { return e.Message }

// BugError is a panic that the engine did not raise itself.
type BugError struct{ Panic any }

// Error shows the panic.
func (e *BugError) Error() string { return fmt.Sprintf("template engine: %v", e.Panic) }

// spend takes work off the meter. Like all failures of a rendering it panics,
// and the panic ends in caught.
func (m *Meter) spend(steps int) {
	m.Steps -= int64(steps)
	if m.Steps < 0 {
		panic(&LimitError{"work"})
	}
	if m.unchecked += int64(steps); m.unchecked >= stepsPerCheck {
		m.unchecked = 0
		if err := m.Stopped(); err != nil {
			panic(&StopError{err})
		}
	}
}

// reserve takes bytes off the meter before they are built.
func (m *Meter) reserve(bytes int) {
	m.Memory -= int64(bytes)
	if bytes < 0 || m.Memory < 0 {
		panic(&LimitError{"memory"})
	}
}

// Emit takes finished text off the meter; the error is a *LimitError.
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

// fail ends a rendering or a parse with a fault of the template.
func fail(format string, args ...any) {
	panic(&Error{fmt.Sprintf(format, args...)})
}
