package jinja

// slice evaluates object[start:stop:step].
func (r *run) slice(object value, n *sliceExpr) value {
	switch o := plain(object).(type) {
	case string:
		return r.sliceText(o, n)
	case tuple:
		return tuple(r.cut(o, n))
	case *list:
		return newList(r.cut(r.load(o), n))
	case *span:
		return newList(r.cut(r.spread(o), n))
	case undefined:
		return undefined{}
	}
	fail("%s cannot be sliced", typeName(object))
	return nil
}

func (r *run) sliceText(s string, n *sliceExpr) value {
	r.reserve(4 * len(s))
	r.spend(len(s) / 16)
	characters := []rune(s)
	from, step, count := r.bounds(n, len(characters))
	out := make([]rune, 0, count)
	for ; count > 0; count-- {
		out = append(out, characters[from])
		from += step
	}
	return string(out)
}

func (r *run) cut(items []value, n *sliceExpr) []value {
	from, step, count := r.bounds(n, len(items))
	r.reserve(count * elementSize)
	r.spend(count)
	out := make([]value, 0, count)
	for ; count > 0; count-- {
		out = append(out, items[from])
		from += step
	}
	return out
}

// bounds resolves a slice of length elements to a start, a step and a count.
func (r *run) bounds(n *sliceExpr, length int) (from, step, count int) {
	start, hasStart := r.bound(n.start)
	stop, hasStop := r.bound(n.stop)
	step, hasStep := r.bound(n.step)
	switch {
	case !hasStep:
		step = 1
	case step == 0:
		fail("the step of a slice must not be zero")
	}
	if step > 0 {
		from = clamp(start, length, 0, length)
		end := length
		if hasStop {
			end = clamp(stop, length, 0, length)
		}
		step = min(step, length+1)
		return from, step, max(0, (end-from+step-1)/step)
	}
	from, end := length-1, -1
	if hasStart {
		from = clamp(start, length, -1, length-1)
	}
	if hasStop {
		end = clamp(stop, length, -1, length-1)
	}
	step = max(step, -length-1)
	return from, step, max(0, (from-end-step-1)/-step)
}

// bound evaluates one part of a slice; None counts as omitted.
func (r *run) bound(n expr) (int, bool) {
	if n == nil {
		return 0, false
	}
	v := r.eval(n)
	if v == nil {
		return 0, false
	}
	i, ok := asInt(v)
	if !ok {
		fail("slice indices must be integers")
	}
	return int(i), true
}

// clamp resolves a position that may count from the end, and limits it to the
// valid range.
func clamp(i, length, low, high int) int {
	if i < 0 {
		i += length
	}
	return min(max(i, low), high)
}
