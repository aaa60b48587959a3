package provider

import (
	"encoding/json"
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Exchange is a recorded call to a provider. Absent values count as empty.
type Exchange struct {
	// FunctionName names the library function that was called, as in
	// "openai.chat.completions.create"; it may be "".
	FunctionName string
	// ProviderType is the provider that the client named; it may be "".
	ProviderType string
	// Args and Kwargs are the positional and the named arguments.
	Args   jsontree.Value
	Kwargs jsontree.Value
	// Response is the response of the provider, {} if the call failed.
	Response jsontree.Value
}

// Record is the part of a request log that is derived from a recorded call.
type Record struct {
	Provider string
	// Engine is the name of the model, or "" if unknown.
	Engine string
	// APIType is the API that was called, or "" if unknown or if the provider
	// has only one.
	APIType string
	// FunctionName is that of the exchange.
	FunctionName string

	// Input and Output are chat or completion templates. The output of a failed
	// call has no messages.
	Input  json.RawMessage
	Output json.RawMessage
	// Parameters is the object of named arguments without those that became
	// part of Input or Engine, and without credentials.
	Parameters json.RawMessage

	Usage Usage
}

// Reader reads the recorded calls of an API. Clients record arbitrary arguments
// and responses, so a reader keeps everything that it does not understand as
// is.
type Reader struct {
	// Functions are suffixes of the names of library functions that call the
	// API. Calls by this program are logged with the first.
	Functions []string
	// APIType is the API type of the calls, "" if the provider decides.
	APIType string
	// Chat says that the provider's ChatType is the API type.
	Chat bool
	// Matches reports whether a call of an unknown function looks like a call
	// of this API. It may be nil.
	Matches func(Exchange) bool
	// Input returns the conversation before the call, and Output the answer.
	// They return false if the call does not match the API.
	Input  func(*Reading) (Blueprint, bool)
	Output func(Exchange) (Turn, bool)
	// Distinct says that responses can be recognised by their structure,
	// regardless of the function.
	Distinct bool
	// Usage reads the token counts of a response, none if it has another
	// structure.
	Usage func(response jsontree.Value) Usage
}

// Reading is an exchange that is being read. It records which arguments became
// part of the blueprint; the others are the parameters.
type Reading struct {
	Exchange
	lifted map[jsontree.Value]bool
	// opened are the objects with lifted members.
	opened map[jsontree.Value]bool
}

func newReading(x Exchange) *Reading {
	return &Reading{Exchange: x, lifted: map[jsontree.Value]bool{}, opened: map[jsontree.Value]bool{}}
}

// Peek returns a named argument and leaves it among the parameters.
func (r *Reading) Peek(key string) jsontree.Value { return Field(r.Kwargs, key) }

// Lift returns a named argument and removes it from the parameters.
func (r *Reading) Lift(key string) jsontree.Value { return r.LiftFrom(r.Kwargs, key) }

// LiftFrom is like Lift for a member of an argument.
func (r *Reading) LiftFrom(parent jsontree.Value, key string) jsontree.Value {
	v := Field(parent, key)
	if v.Kind() != jsontree.Absent {
		r.lifted[v] = true
		r.opened[parent] = true
	}
	return v
}

// LiftIf lifts a named argument of one of these kinds. It leaves others among
// the parameters and returns absent for them.
func (r *Reading) LiftIf(key string, kinds ...jsontree.Kind) jsontree.Value {
	v := r.Peek(key)
	if v.Given() && !slices.Contains(kinds, v.Kind()) {
		return jsontree.Value{}
	}
	return r.Lift(key)
}

// neverParameters are named arguments, in snake case, that are stored in other
// fields of the log, and credentials, which must not be logged although some
// clients record them.
var neverParameters = []string{
	"model", "engine", "model_id", "messages", "prompt", "input",

	"api_key", "aws_access_key", "aws_secret_key", "aws_session_token",
	"aws_access_key_id", "aws_secret_access_key",
}

// parameters returns the remaining named arguments.
func (r *Reading) parameters() []byte {
	left := NewObject()
	for key, v := range r.Kwargs.Members() {
		// An object under "prompt" refers to a prompt stored at the provider,
		// which no template shows.
		reference := key == "prompt" && v.Kind() == jsontree.Object
		if reference || !slices.Contains(neverParameters, Snake(key)) {
			r.keep(left, v)
		}
	}
	return left.Bytes()
}

// keep adds the member v without its lifted parts.
func (r *Reading) keep(to *Object, v jsontree.Value) {
	switch {
	case r.lifted[v]:
	case r.opened[v]:
		left := NewObject()
		for _, member := range v.Members() {
			r.keep(left, member)
		}
		if left.Len() > 0 {
			to.Member(v, left)
		}
	default:
		to.Member(v, nil)
	}
}
