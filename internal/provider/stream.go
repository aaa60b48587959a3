package provider

import "github.com/promptuary/promptuary/internal/jsontree"

// Assembler puts the events of a stream together.
type Assembler interface {
	// Event takes the data of the next event, which it may keep.
	Event(data []byte) *Error
	// Answer returns what a call without a stream would have been answered, or
	// a failure when the stream ended too early.
	Answer() ([]byte, *Error)
}

// Assembly is an Assembler of events that are JSON objects.
type Assembly struct {
	// Handle takes the next event.
	Handle func(event jsontree.Value) *Error
	// Whole is the answer so far, and Ended says that it is complete.
	Whole *Grown
	Ended bool
}

// Event reads the event and handles it. An error within a stream ends it.
func (a *Assembly) Event(data []byte) *Error {
	event, err := jsontree.Parse(data)
	switch {
	case err != nil:
		return Malformed("an event of its stream is not JSON (%v)", err)
	case event.Kind() != jsontree.Object:
		return Malformed("an event of its stream is %s", event.Kind())
	case event.Get("error").Given():
		return Refused(0, event)
	}
	return a.Handle(event)
}

// Answer returns the whole answer.
func (a *Assembly) Answer() ([]byte, *Error) {
	if !a.Ended {
		return nil, Interrupted()
	}
	return a.Whole.Bytes()
}

// Deliver hands on a piece of the answer unless it is empty.
func Deliver(to func(Delta), d Delta) {
	if d != (Delta{}) {
		to(d)
	}
}
