package jinja

import (
	"math"
	"strings"
)

// globals are the built-in names. A variable of the same name hides them.
var globals map[string]value

func init() {
	globals = map[string]value{
		"range":     &method{"range", newSpan},
		"dict":      &method{"dict", makeDict},
		"namespace": &method{"namespace", func(r *run, a args) value { return &namespace{makeDict(r, a).(*dict)} }},
		"cycler":    &method{"cycler", func(_ *run, a args) value { return newCycler(a) }},
		"joiner":    &method{"joiner", newJoiner},
		"lipsum":    &method{"lipsum", lipsum},
	}
}

func newSpan(_ *run, a args) value {
	if len(a.keywords) > 0 || len(a.positional) == 0 || len(a.positional) > 3 {
		fail("range takes one to three numbers")
	}
	numbers := make([]int64, len(a.positional))
	for i, v := range a.positional {
		n, ok := asInt(v)
		if !ok {
			fail("range takes integers, not %s", typeName(v))
		}
		numbers[i] = min(max(n, -maxElements), maxElements)
	}
	s := &span{step: 1}
	stop := numbers[0]
	if len(numbers) > 1 {
		s.start, stop = numbers[0], numbers[1]
	}
	if len(numbers) > 2 {
		s.step = numbers[2]
	}
	s.length = spanLength(s.start, stop, s.step)
	return s
}

func spanLength(start, stop, step int64) int64 {
	switch {
	case step == 0:
		fail("the step of range must not be zero")
	case step > 0 && stop > start:
		return (stop-start-1)/step + 1
	case step < 0 && stop < start:
		return (start-stop-1)/-step + 1
	}
	return 0
}

func makeDict(r *run, a args) value {
	if len(a.positional) > 1 {
		fail("dict takes at most one argument")
	}
	d := newDict()
	if len(a.positional) == 1 {
		r.update(d, a.positional[0])
	}
	for _, k := range a.keywords {
		r.put(d, k.name, k.value)
	}
	return d
}

// update adds the entries of a mapping or of a sequence of pairs.
func (r *run) update(d *dict, from value) {
	if other, ok := from.(*dict); ok {
		r.reserve(r.loadDict(other).len() * entrySize)
		for _, e := range other.entries {
			r.loadDict(d).put(e.key, e.hash, e.value)
		}
		return
	}
	for _, item := range r.elements(from) {
		pair := r.elements(item)
		if len(pair) != 2 {
			fail("expected a pair, got %d elements", len(pair))
		}
		r.put(d, pair[0], pair[1])
	}
}

// cycler returns its items in turn.
type cycler struct {
	items []value
	at    int
}

func newCycler(a args) value {
	if len(a.positional) == 0 {
		fail("cycler needs at least one item")
	}
	return &cycler{items: a.positional}
}

func (c *cycler) attribute(_ *run, name string) value {
	switch name {
	case "next":
		return &method{name, func(*run, args) value {
			v := c.items[c.at]
			c.at = (c.at + 1) % len(c.items)
			return v
		}}
	case "reset":
		return &method{name, func(*run, args) value {
			c.at = 0
			return nil
		}}
	case "current":
		return c.items[c.at]
	}
	return undefined{}
}

// newJoiner returns a function that returns an empty string on the first call
// and the separator afterwards.
func newJoiner(r *run, a args) value {
	separator := a.to("joiner", "sep").text(0, ", ")
	used := false
	return &method{"joiner", func(*run, args) value {
		if !used {
			used = true
			return ""
		}
		return separator
	}}
}

const filler = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua."

// lipsum returns paragraphs of filler text, always the same.
func lipsum(r *run, a args) value {
	b := a.to("lipsum", "n", "html", "min", "max")
	paragraph, separator := filler, "\n\n"
	if b.truth(r, 1, true) {
		paragraph, separator = "<p>"+filler+"</p>", "\n"
	}
	n := min(max(b.int(0, 5), 0), math.MaxInt32)
	r.reserveTimes(len(paragraph)+len(separator), n)
	return markup(strings.TrimSuffix(strings.Repeat(paragraph+separator, int(n)), separator))
}
