package convert

import (
	"encoding/json"
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// request is a call's arguments while they are read. It remembers which of
// them became part of the template, because the rest are the parameters.
type request struct {
	call   Call
	lifted map[jsontree.Value]bool
	// opened are the objects that hold something lifted.
	opened map[jsontree.Value]bool
}

func newRequest(c Call) *request {
	return &request{call: c, lifted: map[jsontree.Value]bool{}, opened: map[jsontree.Value]bool{}}
}

// peek returns a named argument and leaves it among the parameters.
func (r *request) peek(key string) jsontree.Value { return field(r.call.Kwargs, key) }

// lift returns a named argument and takes it out of the parameters.
func (r *request) lift(key string) jsontree.Value { return r.liftFrom(r.call.Kwargs, key) }

// liftFrom is lift for a member of an argument.
func (r *request) liftFrom(parent jsontree.Value, key string) jsontree.Value {
	v := field(parent, key)
	if v.Kind() != jsontree.Absent {
		r.lifted[v] = true
		r.opened[parent] = true
	}
	return v
}

// liftIf lifts a named argument of one of these kinds. It leaves others among
// the parameters and returns absent for them.
func (r *request) liftIf(key string, kinds ...jsontree.Kind) jsontree.Value {
	v := r.peek(key)
	if v.Given() && !slices.Contains(kinds, v.Kind()) {
		return jsontree.Value{}
	}
	return r.lift(key)
}

// firstArg returns the first positional argument, absent if there is none.
func (r *request) firstArg() jsontree.Value { return first(r.call.Args) }

// neverParameters are the named arguments, in snake case, that other fields
// of the log hold, and those that no log may hold: some clients record the
// credentials they called the provider with.
var neverParameters = map[string]bool{
	"model": true, "engine": true, "model_id": true, "messages": true, "prompt": true, "input": true,

	"api_key": true, "aws_access_key": true, "aws_secret_key": true, "aws_session_token": true,
	"aws_access_key_id": true, "aws_secret_access_key": true,
}

// parameters returns what is left of the named arguments.
func (r *request) parameters() json.RawMessage {
	left := newObject()
	for key, v := range r.call.Kwargs.Members() {
		// An object under "prompt" refers to a prompt stored at the provider,
		// which no template shows.
		reference := key == "prompt" && v.Kind() == jsontree.Object
		if neverParameters[snake(key)] && !reference {
			continue
		}
		r.keep(left, v)
	}
	return left.end()
}

// keep writes the member v without what was lifted out of it.
func (r *request) keep(to *object, v jsontree.Value) {
	switch {
	case r.lifted[v]:
	case r.opened[v]:
		left := newObject()
		for _, member := range v.Members() {
			r.keep(left, member)
		}
		if left.len() > 0 {
			to.member(v, left.end())
		}
	default:
		to.member(v, v.Raw())
	}
}
