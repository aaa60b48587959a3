package script

import (
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Reason is why a program failed.
type Reason string

// The reasons for which a program fails.
const (
	Syntax       Reason = "syntax"      // it is not code of its language
	Thrown       Reason = "thrown"      // it ended with an exception
	BadValue     Reason = "bad_value"   // what it returned is no JSON value
	OutputLimit  Reason = "output"      // what it returned is too large
	TimeLimit    Reason = "time"        // it took too long
	MemoryLimit  Reason = "memory"      // it held too much memory
	StackLimit   Reason = "stack"       // its calls were nested too deeply
	CodeTooLarge Reason = "code_size"   // it was not even read
	Crashed      Reason = "crashed"     // its process ended, nobody knows why
	Unsettled    Reason = "never_ended" // it awaits what never happens
)

// Error is a failure for which the code itself is to blame.
type Error struct {
	Reason Reason `json:"reason"`
	// Type is the name of the exception's class, or a word for the reason.
	Type string `json:"type"`
	// Message says in one line what went wrong, and where.
	Message string `json:"message"`
	// Line is the line of the code at which it happened, 0 if not known.
	Line int `json:"line,omitempty"`
	// Trace is the stack of calls as the language shows it, "" if none.
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

// sizeText writes a number of bytes as people do.
func sizeText(bytes int64) string {
	switch {
	case bytes >= 1<<20 && bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes >= 1<<10 && bytes%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// maxText bounds messages and traces, which hold what the code put there.
const maxText = 8 << 10

// bounded returns the failure with texts of a sensible size.
func (e *Error) bounded() *Error {
	if e == nil {
		return nil
	}
	e.Type, e.Message, e.Trace = cut(e.Type, 256), cut(e.Message, maxText), cut(e.Trace, maxText)
	return e
}
