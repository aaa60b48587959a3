package jinja

// macro is a macro with the scope in which it was defined.
type macro struct {
	node   *macroNode
	scope  *frame
	escape bool
}

func (s *macroStmt) exec(r *run) signal {
	r.frame.set(s.macro.name, &macro{s.macro, r.frame, r.escape})
	return signalNone
}

func (s *callStmt) exec(r *run) signal {
	callee := r.eval(s.call.callee)
	a := r.arguments(s.call.args)
	a.keywords = append(a.keywords, slot{"caller", &macro{s.caller, r.frame, r.escape}})
	r.write(r.str(r.call(callee, a)))
	return signalNone
}

func (m *macro) call(r *run, a args) value {
	outer, escape := r.frame, r.escape
	r.frame, r.escape = &frame{parent: m.scope}, m.escape
	m.bind(r, a)
	text := r.capture(func() { r.body(m.node.body) })
	r.frame, r.escape = outer, escape
	if m.escape {
		return markup(text)
	}
	return text
}

// bind assigns the arguments in the scope of the macro, which is the current
// one.
func (m *macro) bind(r *run, a args) {
	used := make([]bool, len(a.keywords))
	for i, p := range m.node.parameters {
		at := keywordAt(a.keywords, p.name)
		switch {
		case i < len(a.positional):
			r.frame.set(p.name, a.positional[i])
		case at >= 0:
			used[at] = true
			r.frame.set(p.name, a.keywords[at].value)
		case p.value != nil:
			r.frame.set(p.name, r.eval(p.value))
		default:
			r.frame.set(p.name, undefined{})
		}
	}
	m.bindRest(r, a, used)
}

// bindRest assigns the remaining arguments to varargs and kwargs if the body
// uses them, and otherwise fails.
func (m *macro) bindRest(r *run, a args, used []bool) {
	extra := a.positional[min(len(a.positional), len(m.node.parameters)):]
	if m.node.catches["varargs"] {
		r.frame.set("varargs", tuple(extra))
	} else if len(extra) > 0 {
		fail("macro %q takes at most %d arguments", m.node.name, len(m.node.parameters))
	}
	rest := newDict()
	var caller value = undefined{}
	for i, k := range a.keywords {
		switch {
		case used[i]:
		case k.name == "caller" && m.node.catches["caller"]:
			caller = k.value
		default:
			r.put(rest, k.name, k.value)
		}
	}
	if m.node.catches["caller"] {
		r.frame.set("caller", caller)
	}
	if m.node.catches["kwargs"] {
		r.frame.set("kwargs", rest)
	} else if rest.len() > 0 {
		fail("macro %q has no parameter %v", m.node.name, rest.entries[0].key)
	}
}

func keywordAt(keywords []slot, name string) int {
	for i, k := range keywords {
		if k.name == name {
			return i
		}
	}
	return -1
}

func (m *macro) attribute(_ *run, name string) value {
	switch name {
	case "name":
		return m.node.name
	case "caller":
		return m.node.catches["caller"]
	}
	return undefined{}
}
