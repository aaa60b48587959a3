package jinja

func filterItems(r *run, input value, _ args) value {
	switch v := input.(type) {
	case undefined:
		return newList(nil)
	case *dict:
		return newList(r.pairs(v))
	}
	fail("items needs a mapping")
	return nil
}

// filterBatch splits a sequence into rows of a given length.
func filterBatch(r *run, input value, a args) value {
	b := a.to("batch", "linecount", "fill_with")
	size := b.int(0, 0)
	if size <= 0 {
		fail("batch needs a positive size")
	}
	var rows []value
	items := r.elements(input)
	for len(items) > 0 {
		n := int(min(size, int64(len(items))))
		r.reserve(elementSize)
		row := r.copyItems(items[:n])
		if b.or(1, nil) != nil {
			row = r.append(row, r.repeatItems([]value{b[1]}, size-int64(n)))
		}
		rows = append(rows, newList(row))
		items = items[n:]
	}
	return newList(rows)
}

// filterSlice splits a sequence into a number of columns.
func filterSlice(r *run, input value, a args) value {
	b := a.to("slice", "slices", "fill_with")
	count := b.int(0, 0)
	if count <= 0 {
		fail("slice needs a positive count")
	}
	items := r.elements(input)
	r.reserveTimes(2*elementSize, count)
	r.spend(int(count))
	each, extra := len(items)/int(count), len(items)%int(count)
	columns := make([]value, 0, count)
	for i := range int(count) {
		n := each
		if i < extra {
			n++
		}
		column := r.copyItems(items[:n])
		if b.or(1, nil) != nil && i >= extra && extra > 0 {
			column = append(column, b[1])
		}
		columns = append(columns, newList(column))
		items = items[n:]
	}
	return newList(columns)
}

// filterGroupBy sorts by an attribute and groups equal values.
func filterGroupBy(r *run, input value, a args) value {
	b := a.to("groupby", "attribute", "default", "case_sensitive")
	get := r.getter(b.need(0), b.or(1, absent{}))
	fold := r.sortKey(nil, b.truth(r, 2, false))
	key := func(v value) value { return fold(get(v)) }
	var groups []value
	var last value
	for i, item := range r.sorted(r.elements(input), key, false) {
		r.spend(1)
		r.reserve(2 * elementSize)
		k := key(item)
		if i == 0 || !r.equal(k, last) {
			groups = append(groups, tuple{get(item), newList(nil)})
			last = k
		}
		members := groups[len(groups)-1].(tuple)[1].(*list)
		members.items = append(members.items, item)
	}
	return newList(groups)
}

func filterMap(r *run, input value, a args) value {
	return newList(r.each(r.elementsIfAny(input), r.mapper(a)))
}

// elementsIfAny treats every false value, including None and 0, as an empty
// list.
func (r *run) elementsIfAny(input value) []value {
	if !r.truth(input) {
		return nil
	}
	return r.elements(input)
}

// mapper returns the function that map applies to each element: read an
// attribute, or apply a filter.
func (r *run) mapper(a args) func(value) value {
	if len(a.positional) == 0 {
		b := a.to("map", "attribute", "default")
		return r.getter(b.need(0), b.or(1, absent{}))
	}
	name, _ := text(a.positional[0])
	apply := filters[name]
	if apply == nil {
		fail("unknown filter %q", name)
	}
	rest := args{a.positional[1:], a.keywords}
	return func(v value) value {
		r.descend()
		defer r.ascend()
		return apply(r, v, rest)
	}
}

func filterSelect(r *run, input value, a args) value     { return r.selected(input, a, false, true) }
func filterReject(r *run, input value, a args) value     { return r.selected(input, a, false, false) }
func filterSelectAttr(r *run, input value, a args) value { return r.selected(input, a, true, true) }
func filterRejectAttr(r *run, input value, a args) value { return r.selected(input, a, true, false) }

// selected returns the elements that pass a test, or fail it, directly or with
// one of their attributes.
func (r *run) selected(input value, a args, byAttribute, want bool) value {
	get := func(v value) value { return v }
	if byAttribute {
		if len(a.positional) == 0 {
			fail("the filter needs an attribute")
		}
		get = r.getter(a.positional[0], absent{})
		a.positional = a.positional[1:]
	}
	check := r.checker(a)
	var kept []value
	for _, item := range r.elementsIfAny(input) {
		r.spend(1)
		if check(get(item)) == want {
			r.reserve(elementSize)
			kept = append(kept, item)
		}
	}
	return newList(kept)
}

func (r *run) checker(a args) func(value) bool {
	if len(a.positional) == 0 {
		return r.truth
	}
	name, _ := text(a.positional[0])
	check := tests[name]
	if check == nil {
		fail("unknown test %q", name)
	}
	rest := args{a.positional[1:], a.keywords}
	return func(v value) bool { return check(r, v, rest) }
}
