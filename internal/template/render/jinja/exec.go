package jinja

func (s *dataStmt) exec(r *run) signal {
	r.write(s.text)
	return signalNone
}

func (s *printStmt) exec(r *run) signal {
	v := r.eval(s.value)
	text := r.str(v)
	if _, safe := v.(markup); r.escape && !safe {
		text = r.escaped(text)
	}
	r.write(text)
	return signalNone
}

func (s *ifStmt) exec(r *run) signal {
	for _, b := range s.branches {
		if r.truth(r.eval(b.condition)) {
			return r.body(b.body)
		}
	}
	return r.body(s.otherwise)
}

func (s *setStmt) exec(r *run) signal {
	r.assign(s.target, r.eval(s.value))
	return signalNone
}

// assign binds a target in the current scope.
func (r *run) assign(t target, v value) {
	switch {
	case t.several != nil:
		items := r.elements(v)
		if len(items) != len(t.several) {
			fail("cannot unpack %d values into %d names", len(items), len(t.several))
		}
		for i, part := range t.several {
			r.assign(part, items[i])
		}
	case t.attribute != "":
		object, ok := r.resolve(t.name, false).(*namespace)
		if !ok {
			fail("cannot assign to attributes of anything but a namespace")
		}
		r.put(object.attributes, t.attribute, v)
	default:
		r.frame.set(t.name, v)
	}
}

func (s *setBlockStmt) exec(r *run) signal {
	var v value = r.captureScoped(s.body)
	if r.escape {
		v = markup(v.(string))
	}
	if s.filter != nil {
		v = r.applyTo(s.filter, v)
	}
	r.assign(s.target, v)
	return signalNone
}

func (r *run) captureScoped(body []stmt) string {
	return r.capture(func() { r.scoped(r.frame, func() { r.body(body) }) })
}

// applyTo runs a chain of filters on a value.
func (r *run) applyTo(chain expr, input value) value {
	r.descend()
	defer r.ascend()
	f, ok := chain.(*filterExpr)
	if !ok {
		fail("expected a filter")
	}
	if f.input != nil {
		input = r.applyTo(f.input, input)
	}
	return f.apply(r, input, r.arguments(f.args))
}

func (s *withStmt) exec(r *run) signal {
	values := r.evalAll(s.values)
	sig := signalNone
	r.scoped(r.frame, func() {
		for i, t := range s.targets {
			r.assign(t, values[i])
		}
		sig = r.body(s.body)
	})
	return sig
}

func (s *filterStmt) exec(r *run) signal {
	text := r.captureScoped(s.body)
	r.write(r.str(r.applyTo(s.filter, text)))
	return signalNone
}

func (s *escapeStmt) exec(r *run) signal {
	outer := r.escape
	r.escape = r.truth(r.eval(s.enabled))
	sig := signalNone
	r.scoped(r.frame, func() { sig = r.body(s.body) })
	r.escape = outer
	return sig
}

func (s *doStmt) exec(r *run) signal {
	r.eval(s.value)
	return signalNone
}

func (s *loopStmt) exec(*run) signal { return s.signal }

func (s *loadStmt) exec(r *run) signal {
	r.eval(s.name)
	if !s.optional {
		fail("templates cannot load other templates")
	}
	return signalNone
}

func (s *blockStmt) exec(r *run) signal {
	r.block(s)
	return signalNone
}

// block runs a block. It sees the names of the template, and those of the
// enclosing scopes only if it is scoped.
func (r *run) block(s *blockStmt) {
	parent := r.top
	if s.scoped {
		parent = r.frame
	}
	r.scoped(parent, func() { r.body(s.body) })
}

// blocks is the value of self: its attributes run blocks.
type blocks struct{}

func (*blocks) attribute(r *run, name string) value {
	s := r.template.blocks[name]
	if s == nil {
		return undefined{}
	}
	return &method{name, func(r *run, _ args) value {
		return r.capture(func() { r.block(s) })
	}}
}
