package jinja

// Variables returns the distinct names that the template reads from its input,
// in order of first appearance. A name that the template sets is included if it
// may be read before it is set.
func (t *Template) Variables() []string {
	f := &survey{known: map[string]bool{"loop": true, "self": true, "super": true}, seen: map[string]bool{}, late: map[string]bool{}}
	for name := range globals {
		f.known[name] = true
	}
	for _, s := range t.body {
		f.hoist(s)
	}
	f.scope = &scope{names: map[string]bool{}}
	f.top = f.scope
	f.body(t.body)
	return f.found
}

// survey walks the tree in the order of execution.
type survey struct {
	scope *scope
	top   *scope
	known map[string]bool
	// late are the names that the template sets at its top level: the bodies of
	// macros and blocks run later, so they see them regardless of position.
	late   map[string]bool
	within int // number of enclosing bodies of this kind
	seen   map[string]bool
	found  []string
}

// scope holds the names that are definitely set.
type scope struct {
	parent *scope
	names  map[string]bool
}

func (s *scope) has(name string) bool {
	for ; s != nil; s = s.parent {
		if s.names[name] {
			return true
		}
	}
	return false
}

func (f *survey) hoist(s stmt) {
	switch s := s.(type) {
	case *macroStmt:
		f.late[s.macro.name] = true
	case *setStmt:
		s.target.each(func(name string) { f.late[name] = true })
	case *setBlockStmt:
		s.target.each(func(name string) { f.late[name] = true })
	case *loadStmt:
		for _, name := range s.defines {
			f.late[name] = true
		}
	}
}

// each calls do with every name that the target sets.
func (t target) each(do func(name string)) {
	if t.name != "" && t.attribute == "" {
		do(t.name)
	}
	for _, part := range t.several {
		part.each(do)
	}
}

func (f *survey) use(name string) {
	if f.known[name] || f.seen[name] || f.scope.has(name) || f.within > 0 && f.late[name] {
		return
	}
	f.seen[name] = true
	f.found = append(f.found, name)
}

func (f *survey) declare(t target) {
	f.useNamespaces(t)
	t.each(func(name string) { f.scope.names[name] = true })
}

// useNamespaces records the objects whose attributes are set.
func (f *survey) useNamespaces(t target) {
	if t.attribute != "" {
		f.use(t.name)
	}
	for _, part := range t.several {
		f.useNamespaces(part)
	}
}

// inner walks in a new child scope of parent and returns it.
func (f *survey) inner(parent *scope, walk func()) *scope {
	outer := f.scope
	f.scope = &scope{parent: parent, names: map[string]bool{}}
	walk()
	walked := f.scope
	f.scope = outer
	return walked
}

func (f *survey) body(body []stmt) {
	for _, s := range body {
		f.statement(s)
	}
}

func (f *survey) statement(s stmt) {
	switch s := s.(type) {
	case *printStmt:
		f.expr(s.value)
	case *doStmt:
		f.expr(s.value)
	case *ifStmt:
		f.branches(s)
	case *forStmt:
		f.loop(s)
	case *setStmt:
		f.expr(s.value)
		f.declare(s.target)
	case *setBlockStmt:
		f.inner(f.scope, func() { f.body(s.body) })
		f.expr(s.filter)
		f.declare(s.target)
	case *withStmt:
		f.exprs(s.values)
		f.inner(f.scope, func() {
			for _, t := range s.targets {
				f.declare(t)
			}
			f.body(s.body)
		})
	default:
		f.bodies(s)
	}
}

// bodies walks the statements that consist only of a body with a scope.
func (f *survey) bodies(s stmt) {
	switch s := s.(type) {
	case *macroStmt:
		f.scope.names[s.macro.name] = true
		f.macro(s.macro)
	case *callStmt:
		f.expr(s.call)
		f.macro(s.caller)
	case *filterStmt:
		f.inner(f.scope, func() { f.body(s.body) })
		f.expr(s.filter)
	case *escapeStmt:
		f.expr(s.enabled)
		f.inner(f.scope, func() { f.body(s.body) })
	case *blockStmt:
		parent := f.top
		if s.scoped {
			parent = f.scope
		}
		f.within++
		f.inner(parent, func() { f.body(s.body) })
		f.within--
	case *loadStmt:
		f.expr(s.name)
		for _, name := range s.defines {
			f.scope.names[name] = true
		}
	}
}

// branches keeps the names that every branch of an if sets.
func (f *survey) branches(s *ifStmt) {
	var ways []*scope
	for _, b := range s.branches {
		f.expr(b.condition)
		ways = append(ways, f.inner(f.scope, func() { f.body(b.body) }))
	}
	ways = append(ways, f.inner(f.scope, func() { f.body(s.otherwise) }))
	for name := range ways[0].names {
		everywhere := true
		for _, way := range ways[1:] {
			everywhere = everywhere && way.names[name]
		}
		if everywhere {
			f.scope.names[name] = true
		}
	}
}

func (f *survey) loop(s *forStmt) {
	f.expr(s.items)
	f.inner(f.scope, func() {
		f.declare(s.target)
		f.expr(s.condition)
		f.body(s.body)
	})
	f.inner(f.scope, func() { f.body(s.otherwise) })
}

func (f *survey) macro(m *macroNode) {
	f.within++
	f.inner(f.scope, func() {
		for _, p := range m.parameters {
			f.expr(p.value)
			f.scope.names[p.name] = true
		}
		for name := range m.catches {
			f.scope.names[name] = true
		}
		f.body(m.body)
	})
	f.within--
}

func (f *survey) exprs(nodes []expr) {
	for _, node := range nodes {
		f.expr(node)
	}
}

func (f *survey) arguments(a arguments) {
	f.exprs(a.positional)
	for _, k := range a.keywords {
		f.expr(k.value)
	}
	f.expr(a.splat)
	f.expr(a.splatMap)
}

// expr walks an expression, which may be nil.
func (f *survey) expr(node expr) {
	switch n := node.(type) {
	case *nameExpr:
		f.use(n.name)
	case *attrExpr:
		f.expr(n.object)
	case *callExpr:
		f.expr(n.callee)
		f.arguments(n.args)
	case *filterExpr:
		f.expr(n.input)
		f.arguments(n.args)
	case *testExpr:
		f.expr(n.input)
		f.arguments(n.args)
	case *compareExpr:
		f.expr(n.first)
		for _, c := range n.rest {
			f.expr(c.operand)
		}
	case *dictExpr:
		for i := range n.keys {
			f.expr(n.keys[i])
			f.expr(n.values[i])
		}
	default:
		f.exprs(parts(node))
	}
}

// parts returns the operands of simple expressions in source order.
func parts(node expr) []expr {
	switch n := node.(type) {
	case *itemExpr:
		return []expr{n.object, n.key}
	case *sliceExpr:
		return []expr{n.start, n.stop, n.step}
	case *unaryExpr:
		return []expr{n.operand}
	case *notExpr:
		return []expr{n.operand}
	case *binaryExpr:
		return []expr{n.left, n.right}
	case *logicExpr:
		return []expr{n.left, n.right}
	case *ifExpr:
		return []expr{n.then, n.condition, n.otherwise}
	case *concatExpr:
		return n.parts
	case *listExpr:
		return n.items
	case *tupleExpr:
		return n.items
	}
	return nil
}
