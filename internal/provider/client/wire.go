package client

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// wire is one interface of a provider.
type wire struct {
	// function ends the names of the library functions that call it.
	function string
	// path is the interface's place below the provider's address.
	path string
	// undeployed says that Azure has it once for all deployments.
	undeployed bool
	// body returns what is sent.
	body func(*plan) ([]byte, error)
	// send sends the body through the provider's library.
	send func(context.Context, *plan) error
	// read checks an answer and returns why it ends.
	read func(jsontree.Value) (finish string, failure *Error)
	// pieces puts a streamed answer together, nil where there are no streams.
	pieces func(func(Delta)) assembler
	// usage reads what is paid for.
	usage func(jsontree.Value) usage
}

func (w *wire) streams() bool { return w.pieces != nil }

// assembler puts the events of a stream together.
type assembler interface {
	// event takes the data of the next event, which it may keep.
	event(data []byte) *Error
	// answer returns what an unstreamed call would have been answered, or a
	// failure when the stream ended too early.
	answer() ([]byte, *Error)
}

// member is a member of an object that is to be written.
type member struct {
	key string
	raw []byte
}

// rewritten returns an object without some of its members, followed by others.
func rewritten(object jsontree.Value, without []string, with ...member) []byte {
	dst := make([]byte, 0, len(object.Raw())+64)
	dst = append(dst, '{')
	for key, v := range object.Members() {
		if !slices.Contains(without, key) {
			dst = append(separated(dst), v.RawKey()...)
			dst = append(dst, ':')
			dst = append(dst, v.Raw()...)
		}
	}
	for _, m := range with {
		dst = jsontree.AppendQuoted(separated(dst), m.key)
		dst = append(dst, ':')
		dst = append(dst, m.raw...)
	}
	return append(dst, '}')
}

// separated appends a comma unless an object or array was just begun.
func separated(dst []byte) []byte {
	if last := dst[len(dst)-1]; last != '{' && last != '[' {
		dst = append(dst, ',')
	}
	return dst
}

func quoted(text string) []byte { return jsontree.AppendQuoted(nil, text) }

// modelMember is the model, where the arguments name none.
func (p *plan) modelMember() []member {
	if p.arguments.Get("model").Str() != "" {
		return nil
	}
	return []member{{"model", quoted(p.model)}}
}

// firstOf returns the first element of an array, absent without one.
func firstOf(list jsontree.Value) jsontree.Value {
	for _, v := range list.Elems() {
		return v
	}
	return jsontree.Value{}
}

// either returns the member of one of the names, the first that is given.
func either(v jsontree.Value, names ...string) jsontree.Value {
	for _, name := range names {
		if found := v.Get(name); found.Given() {
			return found
		}
	}
	return jsontree.Value{}
}
