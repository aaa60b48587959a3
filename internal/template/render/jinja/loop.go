package jinja

// loop is the value of loop within a for.
type loop struct {
	items   []value // nil while ranging over numbers
	numbers *span
	length  int
	index   int
	depth   int
	again   func(r *run, items value) value // nil unless recursive
	changed []value
	seen    bool
}

func (s *forStmt) exec(r *run) signal {
	s.iterate(r, r.eval(s.items), 0)
	return signalNone
}

func (s *forStmt) iterate(r *run, over value, depth int) {
	l := &loop{depth: depth}
	l.numbers, _ = over.(*span)
	if l.numbers != nil && s.condition == nil {
		l.length = int(l.numbers.length)
	} else {
		l.items = s.selected(r, r.elements(over))
		l.length, l.numbers = len(l.items), nil
	}
	if s.recursive {
		l.again = func(r *run, items value) value {
			return r.capture(func() { s.iterate(r, items, depth+1) })
		}
	}
	if l.length == 0 {
		r.scoped(r.frame, func() { r.body(s.otherwise) })
		return
	}
	s.turns(r, l)
}

// turnSteps is the cost of an iteration without its body: it has a scope.
const turnSteps = 3

func (s *forStmt) turns(r *run, l *loop) {
	outer := r.frame
	defer func() { r.frame = outer }()
	for ; l.index < l.length; l.index++ {
		r.spend(turnSteps)
		r.frame = &frame{parent: outer, slots: make([]slot, 0, 2)}
		r.assign(s.target, l.at(l.index))
		r.frame.set("loop", l)
		if r.body(s.body) == signalBreak {
			return
		}
	}
}

// selected applies the condition of the loop.
func (s *forStmt) selected(r *run, items []value) []value {
	if s.condition == nil {
		return items
	}
	r.reserve(len(items) * elementSize)
	var kept []value
	for _, item := range items {
		r.scoped(r.frame, func() {
			r.assign(s.target, item)
			if r.truth(r.eval(s.condition)) {
				kept = append(kept, item)
			}
		})
	}
	return kept
}

func (l *loop) at(i int) value {
	switch {
	case i < 0 || i >= l.length:
		return undefined{}
	case l.numbers != nil:
		return l.numbers.at(int64(i))
	}
	return l.items[i]
}

func (l *loop) attribute(_ *run, name string) value {
	switch name {
	case "index":
		return int64(l.index + 1)
	case "index0":
		return int64(l.index)
	case "revindex":
		return int64(l.length - l.index)
	case "revindex0":
		return int64(l.length - l.index - 1)
	case "first":
		return l.index == 0
	case "last":
		return l.index == l.length-1
	case "length":
		return int64(l.length)
	case "depth":
		return int64(l.depth + 1)
	case "depth0":
		return int64(l.depth)
	case "previtem":
		return l.at(l.index - 1)
	case "nextitem":
		return l.at(l.index + 1)
	case "cycle":
		return &method{name, l.cycle}
	case "changed":
		return &method{name, l.hasChanged}
	}
	return undefined{}
}

func (l *loop) cycle(_ *run, a args) value {
	if len(a.positional) == 0 {
		fail("cycle needs at least one item")
	}
	return a.positional[l.index%len(a.positional)]
}

func (l *loop) hasChanged(r *run, a args) value {
	same := l.seen && r.equal(tuple(l.changed), tuple(a.positional))
	l.changed, l.seen = a.positional, true
	return !same
}

func (l *loop) call(r *run, a args) value {
	if l.again == nil {
		fail("the loop is not recursive")
	}
	return l.again(r, a.to("loop", "items").need(0))
}
