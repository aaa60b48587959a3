// Package rest serves operations over HTTP. An API is a table of Op values. For
// each request the kernel finds the operation, authenticates the caller, applies
// limits, reads and checks the input, runs the handler, and encodes its output or
// error. The OpenAPI document is generated from the same table, so that
// documentation and checks agree. The kernel knows no domain.
package rest

import (
	"context"
	"net/http"
	"reflect"
)

// Auth is how the caller of an operation authenticates.
type Auth uint8

// The ways to authenticate.
const (
	// AuthKey takes the key from the X-API-KEY header only.
	AuthKey Auth = iota
	// AuthKeyOrBody takes the key from the header or, without the header, from
	// the string member api_key of the JSON body.
	AuthKeyOrBody
	// AuthNone needs no authentication.
	AuthNone
)

// Op is an operation of the API: its path, its documentation, its requirements and
// its handler.
type Op struct {
	Method string
	// Path is a pattern of segments: literal, {name} for one segment,
	// {name:digits} for one segment of ASCII digits, and at most one
	// {name...} for one or more segments.
	Path string
	// ID identifies the operation in documents, logs and metrics.
	ID          string
	Summary     string
	Description string
	Tag         string
	Deprecated  bool
	// Status is the success status; 0 means 200.
	Status int
	// Also lists further statuses for the documents, in addition to those that
	// the kernel produces. Those below 400 have the usual output.
	Also []int
	// Errors has the types of error responses with members that others lack, by
	// status, for the documents. A raw handler writes them.
	Errors map[int]any
	Auth   Auth
	// Limit names the rate limit that calls count against, "" for none.
	Limit string
	// EmptyBody treats a missing, empty or null body as an empty object.
	EmptyBody bool
	// Accept is the list of accepted media types. A body other than JSON is
	// passed to a raw handler without parsing. If it is empty, the body is JSON,
	// and some wrong content types are tolerated.
	Accept []string
	// Produces lists media types besides JSON that a raw handler responds with,
	// for the documents.
	Produces []string
	// MaxBody overrides Options.MaxBody unless it is 0. If Accept is set, it
	// applies only to bodies other than JSON, because a tree takes many times
	// the memory of a body.
	MaxBody int64
	// Stream lets a raw handler read the body from Request.Stream as it arrives,
	// for bodies that are too large for memory.
	Stream bool
	// ErrorText repeats the message as the error code, for clients that show
	// only the code.
	ErrorText bool
	// WriteOnly operations return nothing that is stored. Options.Authorize
	// may admit callers to them who cannot read.
	WriteOnly bool
	// Computes keeps the turn of a large body (Options.Share) until a raw
	// handler returns, because it computes with the whole body or decodes it. Handlers that
	// wait for others must not.
	Computes bool
	Handler  Handler
}

// Handler is the handler of an operation, created by Handle, RawBound or Raw.
type Handler struct {
	in, out reflect.Type // nil where there is none
	newIn   func() any   // nil unless the kernel binds the whole input
	call    func(ctx context.Context, in any) (any, error)
	raw     func(w http.ResponseWriter, r *Request, in any) error
}

// ReadsBody reports whether the handler or a part of its input reads the body itself,
// so that only tests can tell whether it matches the documented input type.
func (h Handler) ReadsBody() bool {
	return h.raw != nil && h.newIn == nil || h.in != nil && bindsMembers(h.in)
}

// Handle returns a handler with typed input and output. The fields of In are
// bound by their tags path, query and json. Rules in further tags (required,
// default, minLength, maxLength, pattern, enum, minimum, maximum,
// exclusiveMinimum, exclusiveMaximum, minItems, maxItems, and the same with
// the prefix "items." for the elements of a list or the values of a map) are
// both checked and documented. A field whose type has a method Enum() []any
// takes one of those values. In may implement Validator.
//
// The response is Out as JSON with the status of the operation, or with that of
// Out if it is a StatusCoder. Out may be nil only if that status has no body.
func Handle[In, Out any](fn func(ctx context.Context, in *In) (*Out, error)) Handler {
	return Handler{
		in:    reflect.TypeFor[In](),
		out:   reflect.TypeFor[Out](),
		newIn: func() any { return new(In) },
		call: func(ctx context.Context, in any) (any, error) {
			out, err := fn(ctx, in.(*In))
			if err != nil || out == nil {
				return nil, err
			}
			return out, nil
		},
	}
}

// Raw returns a handler that reads the tree of the body and writes the response
// itself. The types of in and out are the input and the output in the documents;
// either may be nil. A body is read if in has json fields or Op.Accept is set. Path
// fields of in are checked before the body is read; Request.Bind binds the rest. A
// returned error is answered as usual, unless something was written already.
func Raw(in, out any, fn func(w http.ResponseWriter, r *Request) error) Handler {
	return Handler{in: indirectType(in), out: indirectType(out), raw: func(w http.ResponseWriter, r *Request, _ any) error {
		return fn(w, r)
	}}
}

// RawBound returns a handler that writes the response itself, like Raw, but whose
// input is bound and checked, like that of Handle.
func RawBound[In any](out any, fn func(w http.ResponseWriter, r *Request, in *In) error) Handler {
	return Handler{
		in: reflect.TypeFor[In](), out: indirectType(out), newIn: func() any { return new(In) },
		raw: func(w http.ResponseWriter, r *Request, in any) error { return fn(w, r, in.(*In)) },
	}
}

func indirectType(sample any) reflect.Type { return indirect(reflect.TypeOf(sample)) }

func indirect(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// StatusCoder is an output that chooses its own success status.
type StatusCoder interface{ HTTPStatus() int }

// scoped reports whether the input can select a scope.
func (op *Op) scoped() bool {
	return op.Handler.in != nil && reflect.PointerTo(op.Handler.in).Implements(reflect.TypeFor[Scoped]())
}

func (op *Op) status() int {
	if op.Status == 0 {
		return http.StatusOK
	}
	return op.Status
}
