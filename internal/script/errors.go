package script

import (
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Reason is the reason for a failure.
type Reason string

// The reasons for failures.
const (
	Syntax       Reason = "syntax"      // the code has a syntax error
	Thrown       Reason = "thrown"      // the code threw an exception
	BadValue     Reason = "bad_value"   // the value cannot be represented in JSON
	OutputLimit  Reason = "output"      // the value is too large
	TimeLimit    Reason = "time"        // the run took too long
	MemoryLimit  Reason = "memory"      // the code used too much memory
	StackLimit   Reason = "stack"       // calls were nested too deeply
	CodeTooLarge Reason = "code_size"   // the code is too large and was not run
	Crashed      Reason = "crashed"     // the process ended unexpectedly
	Unsettled    Reason = "never_ended" // the code awaits a promise that is never settled
)

// Error is a failure that the code itself caused.
type Error struct {
	Reason Reason `json:"reason"`
	// Type is the name of the exception's class, or a word for the reason.
	Type string `json:"type"`
	// Message is one line that says what is wrong, and where.
	Message string `json:"message"`
	// Line is the line of the code, 0 if unknown.
	Line int `json:"line,omitempty"`
	// Trace is the stack trace in the format of the language, "" if none.
	Trace string `json:"trace,omitempty"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func overTime(limit time.Duration) *Error {
	return &Error{Reason: TimeLimit, Type: "TimeLimitExceeded", Message: fmt.Sprintf("time limit of %s exceeded", limit)}
}

func overMemory(limit int64) *Error {
	return &Error{Reason: MemoryLimit, Type: "MemoryLimitExceeded", Message: fmt.Sprintf("memory limit of %s exceeded", sizeText(limit))}
}

func overOutput(limit int64) *Error {
	return &Error{Reason: OutputLimit, Type: "OutputLimitExceeded", Message: fmt.Sprintf("output limit of %s exceeded", sizeText(limit))}
}

func tooDeep() *Error {
	return &Error{Reason: BadValue, Type: "RangeError", Message: fmt.Sprintf("the result is nested deeper than %d levels", jsontree.MaxDepth)}
}

func overStack() *Error {
	return &Error{Reason: StackLimit, Type: "RangeError", Message: "calls are nested too deeply"}
}

func crashed(how string) *Error {
	return &Error{Reason: Crashed, Type: "Crashed", Message: "the code's process ended without a result: " + how}
}

// sizeText returns a number of bytes as text.
func sizeText(bytes int64) string {
	switch {
	case bytes >= 1<<20 && bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes >= 1<<10 && bytes%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// maxText limits the size of messages and traces, which contain text of users.
const maxText = 8 << 10

// bounded returns the failure with truncated texts.
func (e *Error) bounded() *Error {
	if e == nil {
		return nil
	}
	e.Type, e.Message, e.Trace = cut(e.Type, 256), cut(e.Message, maxText), cut(e.Trace, maxText)
	return e
}
