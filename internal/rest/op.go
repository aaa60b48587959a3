// Package rest is the operation kernel on net/http. An API is a table of Op
// values; for each request the kernel finds the operation, authenticates,
// limits, reads, binds and checks, runs the handler, and encodes its answer or
// its error. The same table yields the OpenAPI document and the reference
// page, so what is documented is what is checked. The kernel knows no domain.
package rest

import (
	"context"
	"net/http"
	"reflect"
)

// Auth says how an operation's caller proves who they are.
type Auth uint8

// The ways to authenticate.
const (
	// AuthKey takes the key from the X-API-KEY header only.
	AuthKey Auth = iota
	// AuthKeyOrBody takes the header, or where the header is absent the
	// string member api_key of the JSON body.
	AuthKeyOrBody
	// AuthNone asks for nothing.
	AuthNone
)

// Op is one operation of the API: where it is reached, how it is described,
// what is demanded before it runs, and the handler that runs.
type Op struct {
	Method string
	// Path is a pattern of segments: literal, {name} for one segment,
	// {name:digits} for one segment of ASCII digits, and at most one
	// {name...} that takes one or more segments.
	Path string
	// ID names the operation in the documents, in logs and in metrics.
	ID          string
	Summary     string
	Description string
	Tag         string
	Deprecated  bool
	// Status is the success status; 0 means 200.
	Status int
	// Also lists further statuses for the documents, beyond those that the
	// kernel itself can answer. Those under 400 carry the usual output.
	Also []int
	Auth Auth
	// Limit names the rate limit that calls count against, "" for none.
	Limit string
	// EmptyBody takes a missing, empty or null body for an empty object.
	EmptyBody bool
	// Accept, when set, is the strict list of media types; a body of any
	// type but JSON is handed to a raw handler unparsed. When not set, the
	// body is JSON and clients that label it carelessly are forgiven.
	Accept []string
	// Produces names media types besides JSON that a raw handler answers
	// with; it is for the documents only.
	Produces []string
	// MaxBody overrides Options.MaxBody when it is not 0; where Accept is set,
	// for bodies that are no JSON: a tree takes many times their memory.
	MaxBody int64
	// Stream leaves the body to a raw handler, which reads it from
	// Request.Stream as it arrives: for bodies that must not be in memory.
	Stream bool
	// ErrorText repeats the message as the error code, for clients that
	// show nothing but the code.
	ErrorText bool
	// Computes keeps the turn of a large body (Options.Share) until a raw
	// handler returns, because it computes with the whole body. Handlers that
	// wait for others must not.
	Computes bool
	Handler  Handler
}

// Handler is what an operation runs, made by Handle, RawBound or Raw.
type Handler struct {
	in, out reflect.Type // nil where there is none
	newIn   func() any
	call    func(ctx context.Context, in any) (any, error)
	raw     func(w http.ResponseWriter, r *Request) error
	bound   bool // raw gets its whole input bound
}

// ReadsBody reports whether the handler reads the body by itself, so that only
// tests can tell whether the documented input type is what it reads.
func (h Handler) ReadsBody() bool { return h.raw != nil && !h.bound }

// Handle returns a handler of typed input and output. The fields of In are
// bound by their tags path, query and json; rules beside them (required,
// default, minLength, maxLength, pattern, enum, minimum, maximum,
// exclusiveMinimum, exclusiveMaximum, minItems, maxItems, and the same with
// the prefix "items." for the elements of a list or the values of a map) are
// both checked and documented. A field whose type has a method Enum() []any
// takes one of those values. In may implement Validator.
//
// The answer is Out as JSON with the operation's status, or the one that Out
// gives as a StatusCoder. Out is nil only when that status has no body.
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

// Raw returns a handler that writes its own answer and reads the body's tree
// itself. Values of the types in and out stand for input and output in the
// documents; either may be nil. A body is read when in has json fields or Op.Accept is
// set. Path fields of in are checked before the body is read; Request.Bind
// does the rest for handlers that want it. A returned error is answered like
// every other, provided that nothing was written yet.
func Raw(in, out any, fn func(w http.ResponseWriter, r *Request) error) Handler {
	return Handler{in: indirectType(in), out: indirectType(out), raw: fn}
}

// RawBound returns a handler that writes its own answer, like Raw, but gets its
// input bound and checked, like Handle.
func RawBound[In any](out any, fn func(w http.ResponseWriter, r *Request, in *In) error) Handler {
	return Handler{in: reflect.TypeFor[In](), out: indirectType(out), bound: true, raw: func(w http.ResponseWriter, r *Request) error {
		in := new(In)
		if err := r.Bind(in); err != nil {
			return err
		}
		return fn(w, r, in)
	}}
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

func (op *Op) status() int {
	if op.Status == 0 {
		return http.StatusOK
	}
	return op.Status
}
