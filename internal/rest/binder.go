package rest

import (
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
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

// maxProblems is where reporting stops; a client learns nothing from more.
const maxProblems = 50

// binder is the state of binding one request: where it stands and what it
// found wrong. The path is a stack and becomes a location only when something
// is wrong, so that a right request pays nothing for it. The zero value is
// ready to use.
type binder struct {
	problems fault.Problems
	reported int
	steps    []step
	space    [8]step
}

// step is one part of the way to a value: a key or an index.
type step struct {
	key   string
	index int
	isKey bool
}

func newBinder() *binder { return &binder{} }

// enter goes down to a member.
func (b *binder) enter(key string) { b.push(step{key: key, isKey: true}) }

// enterIndex goes down to an element.
func (b *binder) enterIndex(i int) { b.push(step{index: i}) }

func (b *binder) push(s step) {
	if b.steps == nil {
		b.steps = b.space[:0]
	}
	b.steps = append(b.steps, s)
}

// leave goes back up.
func (b *binder) leave() { b.steps = b.steps[:len(b.steps)-1] }

// exhausted reports that further problems are not recorded any more.
func (b *binder) exhausted() bool { return b.reported >= maxProblems }

func (b *binder) missing() bool { return b.fail("missing", "Field required") }

func (b *binder) extra(key string) {
	b.enter(key)
	b.fail("extra_forbidden", "Extra inputs are not permitted")
	b.leave()
}

// loc returns the way to the value under the binder's hands.
func (b *binder) loc() []any {
	loc := make([]any, len(b.steps))
	for i, s := range b.steps {
		if s.isKey {
			loc[i] = s.key
		} else {
			loc[i] = s.index
		}
	}
	return loc
}

// fail records a problem at the current place and returns false.
func (b *binder) fail(typ, format string, args ...any) bool {
	if !b.exhausted() {
		b.reported++
		b.problems.Add(b.loc(), typ, format, args...)
	}
	return false
}
