package rest

import (
	"context"
	"io"
	"net/http"
	"reflect"
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Request is a request as a raw handler sees it. It must not be used after the
// handler has returned, but the memory of Body and Bytes may.
type Request struct {
	// HTTP is the original request. If the operation has a body, it has been
	// read into Body or Bytes.
	HTTP *http.Request
	// Body is the JSON body, an object. It is absent if the operation has no body
	// or the body has another media type.
	Body jsontree.Value
	// Bytes is the unpacked body. Nothing else writes to it.
	Bytes []byte
	// Stream is the unpacked body of an operation with Op.Stream; Body and Bytes
	// are then empty. Its errors are fit for clients.
	Stream io.Reader
	// MediaType is the type of the body, one of Op.Accept or application/json.
	MediaType string
	// Caller is the name that the Authenticator returned.
	Caller string

	ctx    context.Context
	op     *operation
	values [maxParams]string
	binder binder
	read   bool // the body was read
	packed bool // the body is compressed
	cost   charge

	receiver receiver
	stream   bodyStream
	head     []byte // the part of the body that was read to find the key

	enter func(context.Context, int64) (context.Context, error)
	share func(context.Context) (end func(), err error)
	turn  func() // ends the turn that share gave, nil without one
}

// Context returns the context of the Authenticator or, once a Scoped input is
// bound, of the scope.
func (r *Request) Context() context.Context { return r.ctx }

// Path returns the decoded value of a path parameter, or "" for an unknown one.
func (r *Request) Path(name string) string {
	if i := slices.Index(r.op.pattern.params, name); i >= 0 {
		return r.values[i]
	}
	return ""
}

// noMembers is the body of a request that has none.
var noMembers = jsontree.MustParse(`{}`)

// Bind fills the struct that in points to from path, query and body, with the same
// rules as the input of a typed handler, and enters its scope if it is Scoped. A body
// that is not JSON has no members.
func (r *Request) Bind(in any) error {
	input := reflect.ValueOf(in).Elem()
	p, err := planOf(input.Type())
	if err != nil {
		return err
	}
	b := newBinder()
	if err := p.bindPath(b, input, r.op.pattern.params, &r.values); err != nil {
		return err
	}
	if err := r.bindRest(b, p, in); err != nil {
		return err
	}
	return r.enterScope(in)
}

// bindRest fills what an input with bound path fields takes from query and body.
func (r *Request) bindRest(b *binder, p *plan, in any) error {
	body := r.Body
	if r.read && r.MediaType != jsonType && body.Kind() == jsontree.Absent {
		body = noMembers
	}
	return p.bind(b, reflect.ValueOf(in).Elem(), r.HTTP.URL.RawQuery, body)
}

// enterScope replaces the context by that of the scope that the input selects.
func (r *Request) enterScope(in any) (err error) {
	scoped, ok := in.(Scoped)
	if !ok {
		return nil
	}
	if id := scoped.Scope(); id != nil {
		r.ctx, err = r.enter(r.ctx, *id)
	}
	return err
}

type requestIDKey struct{}

// RequestID returns the id of the request in logs and responses, or "" outside of a
// request.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// usableID reports whether the request id of a client can be used.
func usableID(id string) bool {
	for i := range len(id) {
		c := id[i]
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return id != "" && len(id) <= 64
}

// BindBody fills the struct that in points to from a JSON body only, with the same
// rules as the input of a typed handler.
func BindBody(body jsontree.Value, in any) error {
	input := reflect.ValueOf(in).Elem()
	p, err := planOf(input.Type())
	if err != nil {
		return err
	}
	return p.bind(newBinder(), input, "", body)
}
