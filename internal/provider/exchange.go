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
	// Response is the provider's answer, {} when the call failed.
	Response jsontree.Value
}

// Record is the part of a request log that follows from a recorded call.
type Record struct {
	Provider string
	// Engine is the model's name, "" when it is not known.
	Engine string
	// APIType is the API that was called, "" where the provider has only one
	// or it is not known.
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

	InputTokens    int64
	OutputTokens   int64
	CachedTokens   int64
	ThinkingTokens int64
}

// Reader reads the recorded calls of an API. Clients record any arguments they
// gave to a provider's library and any answer, so every shape is possible: what
// a reader does not understand it keeps as it was written.
type Reader struct {
	// Functions are endings of the names of the library functions that call the
	// API. The first is the one that calls made by this program are logged with.
	Functions []string
	// APIType is the API type of the calls, "" if the provider decides.
	APIType string
	// Chat says that the provider's ChatType is the API type.
	Chat bool
	// Matches reports whether a call of an unknown function looks like a call
	// of this API. It may be nil.
	Matches func(Exchange) bool
	// Input returns the conversation before the call, and Output the answer.
	// They report false if the call does not have the API's shape.
	Input  func(*Reading) (Blueprint, bool)
	Output func(Exchange) (Turn, bool)
	// Distinct says that answers have a shape of their own, by which they are
	// recognised whatever function was called.
	Distinct bool
	// Usage is where answers say how many tokens a call took.
	Usage *Usage
}

// Reading is an exchange while it is read. It remembers which arguments became
// part of the blueprint, because the others are the parameters.
type Reading struct {
	Exchange
	lifted map[jsontree.Value]bool
	// opened are the objects that hold something lifted.
	opened map[jsontree.Value]bool
}

func newReading(x Exchange) *Reading {
	return &Reading{Exchange: x, lifted: map[jsontree.Value]bool{}, opened: map[jsontree.Value]bool{}}
}

// Peek returns a named argument and leaves it among the parameters.
func (r *Reading) Peek(key string) jsontree.Value { return Field(r.Kwargs, key) }

// Lift returns a named argument and takes it out of the parameters.
func (r *Reading) Lift(key string) jsontree.Value { return r.LiftFrom(r.Kwargs, key) }

// LiftFrom is Lift for a member of an argument.
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

// neverParameters are the named arguments, in snake case, that other fields of
// the log hold, and credentials, which no log may hold although some clients
// record them.
var neverParameters = []string{
	"model", "engine", "model_id", "messages", "prompt", "input",

	"api_key", "aws_access_key", "aws_secret_key", "aws_session_token",
	"aws_access_key_id", "aws_secret_access_key",
}

// parameters returns the named arguments that are left.
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

// keep adds the member v without what was lifted out of it.
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
