package rest

import (
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

// JSONBinder is a type that reads itself from a JSON value, such as a union.
// BindJSON gets a value that is present and reports its problems under loc, the
// path to it. A field of such a type may have no rule except required, because
// the type checks itself.
type JSONBinder interface {
	BindJSON(v jsontree.Value, loc []any, p *fault.Problems)
}

// MemberBinder is a struct that an input embeds and that reads its members of the body
// itself, such as a query. Its fields are only documented; the input has it by being
// embedded. BindMembers reports members of the wrong shape; the error, which is
// returned only if no problem was reported, is fit for clients.
type MemberBinder interface {
	BindMembers(body jsontree.Value, p *fault.Problems) error
}

// TextBinder is a type that reads itself from a path or query parameter.
type TextBinder interface {
	BindText(text string, loc []any, p *fault.Problems)
}

// Validator is an input with rules that span fields. Validate is called if each
// field is valid on its own.
type Validator interface {
	Validate(p *fault.Problems)
}

// Scoped is an input that can select the scope of the call, such as the workspace
// to act in. Scope returns nil for the caller's own. The kernel enters the scope
// with Options.Enter after the input was checked and before the handler runs.
type Scoped interface {
	Scope() *int64
}

// binder is the state of binding one request: the current location and the
// problems until now.
type binder struct {
	shape.Reader
	problems fault.Problems
	room     shape.Room
}

func newBinder() *binder {
	b := &binder{}
	b.start()
	return b
}

// start prepares a zero binder.
func (b *binder) start() {
	b.Reader = shape.NewIn(&b.room, nil, &b.problems)
	b.NoNUL = true
}
