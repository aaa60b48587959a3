package provider

import "github.com/promptuary/promptuary/internal/jsontree"

// Assembler assembles the events of a stream.
type Assembler interface {
	// Event handles the data of the next event, which it may keep.
	Event(data []byte) *Error
	// Answer returns the equivalent answer without streaming, or an error if
	// the stream ended early.
	Answer() ([]byte, *Error)
}

// Assembly is an Assembler of events that are JSON objects.
type Assembly struct {
	// Handle handles the next event.
	Handle func(event jsontree.Value) *Error
	// Whole is the answer until now, and Ended says that it is complete.
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

// Deliver passes on a piece of the answer unless it is empty.
func Deliver(to func(Delta), d Delta) {
	if d != (Delta{}) {
		to(d)
	}
}
