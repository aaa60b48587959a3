package jinja

import (
	"math"
	"math/big"
	"slices"
	"strings"
)

func (r *run) compare(operator string, left, right value) bool {
	switch operator {
	case "==":
		return r.equal(left, right)
	case "!=":
		return !r.equal(left, right)
	case "in":
		return r.in(left, right)
	case "not in":
		return !r.in(left, right)
	}
	if isNaN(left) || isNaN(right) {
		return false
	}
	order := r.order(left, right)
	switch operator {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

func isNaN(v value) bool {
	f, ok := plain(v).(float64)
	return ok && math.IsNaN(f)
}

// equal implements Python's ==.
func (r *run) equal(left, right value) bool {
	r.descend()
	defer r.ascend()
	r.spend(1)
	if a, ok := number(left); ok {
		b, ok := number(right)
		return ok && !isNaN(a) && !isNaN(b) && compareNumbers(a, b) == 0
	}
	switch a := plain(left).(type) {
	case string:
		b, ok := text(right)
		r.read(a)
		return ok && a == b
	case *list:
		b, ok := right.(*list)
		return ok && (a == b || r.equalItems(r.load(a), r.load(b)))
	case tuple:
		b, ok := right.(tuple)
		return ok && r.equalItems(a, b)
	case *dict:
		b, ok := right.(*dict)
		return ok && (a == b || r.equalDicts(a, b))
	case *span:
		b, ok := right.(*span)
		return ok && *a == *b
	default:
		return plain(right) == a
	}
}

func (r *run) equalItems(a, b []value) bool {
	return len(a) == len(b) && r.firstDifference(a, b) == len(a)
}

// firstDifference returns the number of equal leading elements.
func (r *run) firstDifference(a, b []value) int {
	n := min(len(a), len(b))
	for i := range n {
		if !r.equal(a[i], b[i]) {
			return i
		}
	}
	return n
}

func (r *run) equalDicts(a, b *dict) bool {
	if r.loadDict(a).len() != r.loadDict(b).len() {
		return false
	}
	for _, e := range a.entries {
		at := b.find(e.hash)
		if at < 0 || !r.equal(e.value, b.entries[at].value) {
			return false
		}
	}
	return true
}

// order compares two values and fails if they have no order.
func (r *run) order(left, right value) int {
	r.descend()
	defer r.ascend()
	r.spend(1)
	if a, ok := number(left); ok {
		if b, ok := number(right); ok {
			return compareNumbers(a, b)
		}
	}
	switch a := plain(left).(type) {
	case string:
		if b, ok := text(right); ok {
			r.read(a)
			return strings.Compare(a, b)
		}
	case *list:
		if b, ok := right.(*list); ok {
			return r.orderItems(r.load(a), r.load(b))
		}
	case tuple:
		if b, ok := right.(tuple); ok {
			return r.orderItems(a, b)
		}
	}
	fail("cannot compare %s and %s", typeName(left), typeName(right))
	return 0
}

func (r *run) orderItems(a, b []value) int {
	i := r.firstDifference(a, b)
	if i < len(a) && i < len(b) {
		return r.order(a[i], b[i])
	}
	return len(a) - len(b)
}

func compareNumbers(a, b value) int {
	x, smallA := a.(int64)
	y, smallB := b.(int64)
	switch {
	case smallA && smallB:
		if x < y {
			return -1
		}
		if x > y {
			return 1
		}
		return 0
	case asBig(a) != nil && asBig(b) != nil:
		return asBig(a).Cmp(asBig(b))
	}
	return compareFloats(asFloat(a), asFloat(b))
}

func compareFloats(x, y float64) int {
	if math.IsInf(x, 0) || math.IsInf(y, 0) || math.IsNaN(x) || math.IsNaN(y) {
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
	return big.NewFloat(x).Cmp(big.NewFloat(y))
}

// in implements Python's in.
func (r *run) in(item, container value) bool {
	switch c := plain(container).(type) {
	case string:
		part, ok := text(item)
		if !ok {
			fail("a string cannot contain %s", typeName(item))
		}
		r.read(c)
		return strings.Contains(c, part)
	case *dict:
		_, ok := r.get(c, item)
		return ok
	case *span:
		return c.holds(item)
	}
	return slices.ContainsFunc(r.elements(container), func(other value) bool { return r.equal(item, other) })
}

func (s *span) holds(item value) bool {
	n, ok := number(item)
	if !ok || s.length == 0 {
		return false
	}
	if f, float := n.(float64); float {
		if f != math.Trunc(f) || math.Abs(f) > 1<<62 {
			return false
		}
		n = int64(f)
	}
	i, ok := n.(int64)
	if !ok {
		return false
	}
	offset := i - s.start
	return offset%s.step == 0 && offset/s.step >= 0 && offset/s.step < s.length
}
