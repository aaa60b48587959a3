package step

import (
	"github.com/ohler55/ojg/jp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// path is a JSONPath. It is parsed by ojg but evaluated here, because our
// values keep their bytes and the order of their keys, because the work on
// hostile paths and data must be limited, and because ojg misses matches of a
// descent after a wildcard or slice.
type path struct{ parts jp.Expr }

const (
	maxPath = 4 << 10
	// maxVisits is the maximum number of values that one evaluation visits.
	maxVisits = 4_000_000
)

// parsePath parses a path. It rejects filters and scripts.
func parsePath(text string) (*path, error) {
	if len(text) > maxPath {
		return nil, fault.BadRequestf("JSON path is longer than %d characters", maxPath)
	}
	parts, err := jp.ParseString(text)
	if err != nil {
		return nil, fault.Wrap(fault.BadRequest, err, "invalid JSON path '%s'", shorten(text))
	}
	for i, part := range parts {
		if !supported(part, i == 0, i == len(parts)-1) {
			return nil, fault.BadRequestf("unsupported JSON path '%s'", shorten(text))
		}
	}
	if len(parts) == 0 {
		return nil, fault.BadRequestf("JSON path is empty")
	}
	return &path{parts}, nil
}

func supported(part jp.Frag, first, last bool) bool {
	switch part := part.(type) {
	case jp.Root:
		return first
	case jp.Child, jp.Nth, jp.Union, jp.Wildcard:
		return true
	case jp.Descent:
		return !last
	case jp.Slice:
		return part[2] != 0
	default:
		return false
	}
}

// shorten shortens a user's text for a message.
func shorten(text string) string {
	const most = 80
	text = text[:min(len(text), 5*most)] // at least most characters
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// path returns a path that is given, or nil.
func (c *settings) path(required bool, spellings ...string) *path {
	if !required && !c.has(spellings...) {
		return nil
	}
	text := c.text(spellings...)
	if text == "" {
		return nil
	}
	p, err := parsePath(text)
	if err != nil {
		c.fail("%s", err.Error())
	}
	return p
}

// first returns the first match, or null.
func (p *path) first(v jsontree.Value) (jsontree.Value, error) {
	found := null
	err := p.each(v, func(match jsontree.Value) bool {
		found = match
		return false
	})
	return found, err
}

// all returns the matches in document order.
func (p *path) all(v jsontree.Value) ([]jsontree.Value, error) {
	var found []jsontree.Value
	err := p.each(v, func(match jsontree.Value) bool {
		found = append(found, match)
		return true
	})
	return found, err
}

func (p *path) each(v jsontree.Value, yield func(jsontree.Value) bool) error {
	w := walk{left: maxVisits, yield: yield}
	w.follow(p.parts, v)
	if w.left <= 0 {
		return failf("the JSON path visits too many values")
	}
	return nil
}

// walk is one evaluation of a path.
type walk struct {
	left  int
	yield func(jsontree.Value) bool
}

// follow visits all matches of the parts, and reports whether to continue.
func (w *walk) follow(parts jp.Expr, v jsontree.Value) bool {
	if w.left--; w.left <= 0 {
		return false
	}
	if len(parts) == 0 {
		return w.yield(v)
	}
	rest := parts[1:]
	switch part := parts[0].(type) {
	case jp.Root:
		return w.follow(rest, v)
	case jp.Child:
		return w.member(rest, v, string(part))
	case jp.Nth:
		return w.element(rest, v, int(part))
	case jp.Wildcard:
		return w.children(rest, v)
	case jp.Descent:
		return w.descend(parts, v)
	case jp.Slice:
		return w.slice(rest, v, part)
	case jp.Union:
		return w.union(rest, v, part)
	default:
		return true
	}
}

func (w *walk) member(rest jp.Expr, v jsontree.Value, key string) bool {
	if v.Kind() != jsontree.Object {
		return true
	}
	w.left -= v.Len() // a lookup is a linear search
	if member := v.Get(key); member.Kind() != jsontree.Absent {
		return w.follow(rest, member)
	}
	return true
}

func (w *walk) element(rest jp.Expr, v jsontree.Value, at int) bool {
	if at < 0 {
		at += v.Len()
	}
	if v.Kind() != jsontree.Array || at < 0 || at >= v.Len() {
		return true
	}
	w.left -= at
	for i, element := range v.Elems() {
		if i == at {
			return w.follow(rest, element)
		}
	}
	return true
}

func (w *walk) children(rest jp.Expr, v jsontree.Value) bool {
	for _, element := range v.Elems() {
		if !w.follow(rest, element) {
			return false
		}
	}
	for _, member := range v.Members() {
		if !w.follow(rest, member) {
			return false
		}
	}
	return true
}

// descend follows the rest of the path from v and from all values below it.
func (w *walk) descend(parts jp.Expr, v jsontree.Value) bool {
	return w.follow(parts[1:], v) && w.children(parts, v)
}

func (w *walk) slice(rest jp.Expr, v jsontree.Value, part jp.Slice) bool {
	if v.Kind() != jsontree.Array || w.left <= v.Len() {
		w.left -= v.Len()
		return w.left > 0
	}
	w.left -= v.Len()
	elements := make([]jsontree.Value, 0, v.Len())
	for _, element := range v.Elems() {
		elements = append(elements, element)
	}
	from, to, step := bounds(part, len(elements))
	for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
		if !w.follow(rest, elements[i]) {
			return false
		}
	}
	return true
}

// bounds returns the start, the end and the step of a slice of n elements, as
// in Python.
func bounds(part jp.Slice, n int) (from, to, step int) {
	step = part[2]
	if step == jp.SliceNotSet {
		step = 1
	}
	step = min(max(step, -n-1), n+1)
	low, high := 0, n
	if step < 0 {
		low, high = -1, n-1
	}
	at := func(i, unset int) int {
		if i == jp.SliceNotSet {
			return unset
		}
		if i < 0 {
			i = max(i, -n-1) + n
		}
		return min(max(i, low), high)
	}
	if step < 0 {
		return at(part[0], high), at(part[1], low), step
	}
	return at(part[0], low), at(part[1], high), step
}

func (w *walk) union(rest jp.Expr, v jsontree.Value, part jp.Union) bool {
	for _, key := range part {
		more := true
		switch key := key.(type) {
		case string:
			more = w.member(rest, v, key)
		case int64:
			more = w.element(rest, v, int(key))
		}
		if !more {
			return false
		}
	}
	return true
}
