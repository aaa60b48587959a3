package rest

import (
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

// JSONBinder is a type that reads itself from a JSON value, such as a union.
// BindJSON gets a value that is present and reports what is wrong with it
// under loc, the path to it. A field of such a type must not carry rules other
// than required: the type checks itself.
type JSONBinder interface {
	BindJSON(v jsontree.Value, loc []any, p *fault.Problems)
}

// TextBinder is a type that reads itself from a path or query parameter.
type TextBinder interface {
	BindText(text string, loc []any, p *fault.Problems)
}

// Validator is an input with rules across its fields. Validate is called once
// every field by itself is right.
type Validator interface {
	Validate(p *fault.Problems)
}

// binder is the state of binding one request: where it is and what it found
// wrong.
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

// start makes a zero binder ready to use.
func (b *binder) start() {
	b.Reader = shape.NewIn(&b.room, nil, &b.problems)
	b.NoNUL = true
}
