package jinja

func (n *literal) eval(*run) value    { return n.value }
func (n *nameExpr) eval(r *run) value { return r.resolve(n.name, n.quiet) }
func (n *attrExpr) eval(r *run) value { return r.attribute(r.eval(n.object), n.name) }
func (n *notExpr) eval(r *run) value  { return !r.truth(r.eval(n.operand)) }

func (n *itemExpr) eval(r *run) value {
	object := r.eval(n.object)
	if part, ok := n.key.(*sliceExpr); ok {
		return r.slice(object, part)
	}
	return r.item(object, r.eval(n.key))
}

// eval of a slice that is not directly an item, as in x[1:2, 3], has no meaning
// for any value.
func (n *sliceExpr) eval(*run) value {
	fail("a slice cannot be a key")
	return nil
}

func (n *callExpr) eval(r *run) value {
	callee := r.eval(n.callee)
	return r.call(callee, r.arguments(n.args))
}

func (n *filterExpr) eval(r *run) value {
	input := r.eval(n.input)
	r.read(input)
	return n.apply(r, input, r.arguments(n.args))
}

func (n *testExpr) eval(r *run) value {
	input := r.eval(n.input)
	r.read(input)
	return n.check(r, input, r.arguments(n.args)) != n.negate
}

func (n *unaryExpr) eval(r *run) value {
	return r.sign(n.operator, r.eval(n.operand))
}

func (n *binaryExpr) eval(r *run) value {
	left := r.eval(n.left)
	right := r.eval(n.right)
	r.read(left)
	r.read(right)
	return r.arithmetic(n.operator, left, right)
}

func (n *logicExpr) eval(r *run) value {
	left := r.eval(n.left)
	if r.truth(left) == n.or {
		return left
	}
	return r.eval(n.right)
}

func (n *compareExpr) eval(r *run) value {
	left := r.eval(n.first)
	for _, next := range n.rest {
		right := r.eval(next.operand)
		if !r.compare(next.operator, left, right) {
			return false
		}
		left = right
	}
	return true
}

func (n *concatExpr) eval(r *run) value {
	var all []byte
	for _, part := range n.parts {
		text := r.str(r.eval(part))
		r.reserve(len(text))
		all = append(all, text...)
	}
	return string(all)
}

func (n *ifExpr) eval(r *run) value {
	if r.truth(r.eval(n.condition)) {
		return r.eval(n.then)
	}
	if n.otherwise == nil {
		return undefined{}
	}
	return r.eval(n.otherwise)
}

func (n *listExpr) eval(r *run) value  { return newList(r.evalAll(n.items)) }
func (n *tupleExpr) eval(r *run) value { return tuple(r.evalAll(n.items)) }

func (r *run) evalAll(nodes []expr) []value {
	r.reserve(len(nodes) * elementSize)
	items := make([]value, len(nodes))
	for i, node := range nodes {
		items[i] = r.eval(node)
	}
	return items
}

func (n *dictExpr) eval(r *run) value {
	d := newDict()
	for i, key := range n.keys {
		k := r.eval(key)
		r.put(d, k, r.eval(n.values[i]))
	}
	return d
}

// arguments evaluates the arguments of a call.
func (r *run) arguments(written arguments) args {
	var a args
	if len(written.positional) > 0 {
		a.positional = r.evalAll(written.positional)
	}
	if written.splat != nil {
		more := r.elements(r.eval(written.splat))
		r.reserve(len(more) * elementSize)
		a.positional = append(a.positional, more...)
	}
	for _, k := range written.keywords {
		a.keywords = append(a.keywords, slot{k.name, r.eval(k.value)})
	}
	if written.splatMap != nil {
		r.splatMap(&a, r.eval(written.splatMap))
	}
	return a
}

func (r *run) splatMap(a *args, v value) {
	d, ok := v.(*dict)
	if !ok {
		fail("%s is not a mapping", typeName(v))
	}
	r.reserve(r.loadDict(d).len() * elementSize)
	for _, e := range d.entries {
		name, ok := text(e.key)
		if !ok {
			fail("keywords must be strings")
		}
		a.keywords = append(a.keywords, slot{name, e.value})
	}
}

// attribute is object.name: an attribute first, then an item, as in Jinja.
func (r *run) attribute(object value, name string) value {
	switch o := object.(type) {
	case *namespace:
		v, _ := r.get(o.attributes, name)
		return v
	case attributed:
		return o.attribute(r, name)
	case *dict:
		if m := bind(dictMethods, name, o); m != nil {
			return m
		}
		v, _ := r.get(o, name)
		return v
	case *list:
		if m := bind(listMethods, name, o); m != nil {
			return m
		}
	case tuple:
		return tupleAttribute(o, name)
	case string, markup:
		s, _ := text(o)
		r.read(s)
		if m := bind(stringMethods, name, s); m != nil {
			return m
		}
	}
	return undefined{}
}

// attributed is an object of the engine with attributes.
type attributed interface {
	attribute(r *run, name string) value
}

// bind returns a method as a function of its arguments, or nil.
func bind[T any](methods map[string]func(*run, T, args) value, name string, object T) value {
	do, ok := methods[name]
	if !ok {
		return nil
	}
	return &method{name, func(r *run, a args) value { return do(r, object, a) }}
}

// item is object[key]: an item first, then an attribute.
func (r *run) item(object, key value) value {
	switch o := plain(object).(type) {
	case *dict:
		if v, ok := r.get(o, key); ok {
			return v
		}
	case *list:
		return index(r.load(o), key)
	case tuple:
		return index(o, key)
	case *span:
		if i, ok := position(key, o.length); ok {
			return o.at(i)
		}
		return undefined{}
	case string:
		if _, ok := asInt(key); ok {
			return index(r.characters(o), key)
		}
	}
	if name, ok := text(key); ok {
		return r.attribute(object, name)
	}
	return undefined{}
}

func index(items []value, key value) value {
	if i, ok := position(key, int64(len(items))); ok {
		return items[i]
	}
	return undefined{}
}

// position resolves an index that may count from the end.
func position(key value, length int64) (int64, bool) {
	i, ok := asInt(key)
	if !ok {
		return 0, false
	}
	if i < 0 {
		i += length
	}
	return i, i >= 0 && i < length
}

func (r *run) call(callee value, a args) value {
	r.descend()
	defer r.ascend()
	switch c := callee.(type) {
	case *method:
		return c.call(r, a)
	case callable:
		return c.call(r, a)
	}
	fail("%s is not callable", typeName(callee))
	return nil
}

// callable is an object of the engine that can be called.
type callable interface {
	call(r *run, a args) value
}
