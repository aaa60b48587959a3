package jinja

import (
	"math/big"
	"sync"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Lookup returns a variable of the request, and whether it was given.
type Lookup func(name string) (jsontree.Value, bool)

// Output is a rendered template.
type Output struct {
	Text string
	// Missing are the distinct names that were looked up and not found, in
	// order. Names that the template only tests are not included.
	Missing []string
}

// run is the state of a rendering.
type run struct {
	*Meter
	template *Template
	lookup   Lookup
	frame    *frame
	top      *frame
	out      []byte
	captures int // number of nested captures; 0 while out is the result
	depth    int
	escape   bool
	given    map[string]value // the converted variables
	missing  []string
	reported map[string]bool // the names in missing
}

var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 4096); return &b }}

// keptBuffer is the largest buffer that is reused.
const keptBuffer = 1 << 16

// Render renders the template. The error is an *Error if the template fails
// with these variables, a *LimitError or *StopError if the meter ended it, and
// a *BugError if the engine has a bug.
func (t *Template) Render(lookup Lookup, meter *Meter) (out Output, err error) {
	buffer := buffers.Get().(*[]byte)
	r := &run{Meter: meter, template: t, lookup: lookup, top: &frame{}, out: (*buffer)[:0]}
	r.frame = r.top
	defer func() {
		if cap(r.out) <= keptBuffer && r.captures == 0 {
			*buffer = r.out
			buffers.Put(buffer)
		}
	}()
	defer caught(&err)
	if err := meter.Stopped(); err != nil {
		return out, &StopError{err}
	}
	r.body(t.body)
	return Output{Text: string(r.out), Missing: r.missing}, nil
}

// maxDepth limits the recursion of a rendering through the tree, macros and
// nested values.
const maxDepth = 2500

func (r *run) descend() {
	if r.depth++; r.depth > maxDepth {
		panic(&LimitError{"recursion"})
	}
}

func (r *run) ascend() { r.depth-- }

func (r *run) body(body []stmt) signal {
	r.descend()
	for _, s := range body {
		r.spend(1)
		if sig := s.exec(r); sig != signalNone {
			r.ascend()
			return sig
		}
	}
	r.ascend()
	return signalNone
}

func (r *run) eval(e expr) value {
	r.descend()
	r.spend(1)
	v := e.eval(r)
	r.ascend()
	return v
}

// scoped runs a function in a new child scope of parent.
func (r *run) scoped(parent *frame, do func()) {
	outer := r.frame
	r.frame = &frame{parent: parent}
	do()
	r.frame = outer
}

func (r *run) write(s string) {
	if r.captures > 0 {
		r.reserve(len(s))
	} else if err := r.Emit(len(s)); err != nil {
		panic(err)
	}
	r.out = append(r.out, s...)
}

// capture returns the output of a function.
func (r *run) capture(do func()) string {
	outer := r.out
	r.out = nil
	r.captures++
	do()
	text := string(r.out)
	r.out = outer
	r.captures--
	return text
}

// resolve looks up a name: scopes first, then variables, then built-ins.
func (r *run) resolve(name string, quiet bool) value {
	if v, ok := r.frame.find(name); ok {
		return v
	}
	if v, ok := r.given[name]; ok {
		return v
	}
	if variable, ok := r.lookup(name); ok {
		return r.remember(name, convert(variable))
	}
	if v, ok := globals[name]; ok {
		return v
	}
	if name == "self" {
		return &blocks{}
	}
	if !quiet && !r.reported[name] {
		if r.reported == nil {
			r.reported = map[string]bool{}
		}
		r.reported[name] = true
		r.missing = append(r.missing, name)
	}
	return undefined{}
}

// remember caches a converted value, so that a container stays one object and
// is converted once.
func (r *run) remember(name string, v value) value {
	switch v.(type) {
	case string, *list, *dict:
		if r.given == nil {
			r.given = map[string]value{}
		}
		r.given[name] = v
	}
	return v
}

// read charges for one pass over a text. Short texts are part of the step.
func (r *run) read(v value) {
	switch v := v.(type) {
	case string:
		r.spend(len(v) / 64)
	case markup:
		r.spend(len(v) / 64)
	case *big.Int:
		r.spend(v.BitLen() / 64)
	}
}
