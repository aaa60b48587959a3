// Package guard starts the goroutines of the program, so that no panic ends the
// process: a panic is logged with its stack, counted, and turned into an error.
// Handlers of requests have their own protection in package rest.
package guard

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// restartPause is the time between a panic and the restart of a loop.
const restartPause = time.Second

var panics atomic.Int64

// Panics returns the number of panics since the process started.
func Panics() int64 { return panics.Load() }

// Error is a panic. Its text is for the log of the program only.
type Error struct {
	What  string // what panicked
	Value any    // what it panicked with
}

// Error describes the panic without its stack.
func (e *Error) Error() string { return fmt.Sprintf("panic in %s: %v", e.What, e.Value) }

// Run runs work and returns its error, or an Error if it panics.
func Run(what string, work func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = note(what, value)
		}
	}()
	return work()
}

// note counts and logs a panic.
func note(what string, value any) error {
	panics.Add(1)
	err := &Error{What: what, Value: value}
	slog.Error("the program has a bug: a panic was caught", "in", what, "panic", fmt.Sprint(value), "stack", string(debug.Stack()))
	return err
}

// Func returns a function that runs work. If work panics, it just ends.
func Func(what string, work func()) func() {
	return func() {
		_ = Run(what, func() error { work(); return nil }) // it is logged
	}
}

// Task returns a function that runs work and returns its error, or an Error if it
// panics.
func Task(what string, work func() error) func() error {
	return func() error { return Run(what, work) }
}

// Go runs work in a new goroutine. If work panics, only the goroutine ends.
func Go(what string, work func()) { go Func(what, work)() }

// Loop returns a function that runs work until it returns. If work panics, it
// starts again after a pause, unless stop is closed.
func Loop(what string, stop <-chan struct{}, work func()) func() {
	return func() {
		for Run(what, func() error { work(); return nil }) != nil {
			select {
			case <-stop:
				return
			case <-time.After(restartPause):
			}
		}
	}
}
