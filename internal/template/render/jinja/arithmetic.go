package jinja

import (
	"math"
	"math/bits"
	"strings"
)

func (r *run) sign(operator string, v value) value {
	n, ok := number(v)
	if !ok {
		fail("%s does not support unary operators", typeName(v))
	}
	if operator == "+" {
		return n
	}
	if f, float := n.(float64); float {
		return -f
	}
	return r.numeric("-", int64(0), n)
}

func (r *run) arithmetic(operator string, left, right value) value {
	a, leftNumber := number(left)
	b, rightNumber := number(right)
	if leftNumber && rightNumber {
		return r.numeric(operator, a, b)
	}
	switch operator {
	case "+":
		if v, ok := r.join(left, right); ok {
			return v
		}
	case "*":
		if rightNumber {
			return r.repeat(left, b)
		}
		if leftNumber {
			return r.repeat(right, a)
		}
	case "%":
		if format, ok := text(left); ok {
			return r.percent(format, right)
		}
	}
	fail("unsupported operand types for %s: %s and %s", operator, typeName(left), typeName(right))
	return nil
}

// join adds strings and sequences.
func (r *run) join(left, right value) (value, bool) {
	if a, ok := text(left); ok {
		b, ok := text(right)
		if !ok {
			return nil, false
		}
		r.reserve(len(a) + len(b))
		return a + b, true
	}
	switch a := left.(type) {
	case *list:
		if b, ok := right.(*list); ok {
			return newList(r.append(r.load(a), r.load(b))), true
		}
	case tuple:
		if b, ok := right.(tuple); ok {
			return tuple(r.append(a, b)), true
		}
	}
	return nil, false
}

// append returns a new slice with both parts.
func (r *run) append(a, b []value) []value {
	n := len(a) + len(b)
	r.reserve(n * elementSize)
	r.spend(n)
	return append(append(make([]value, 0, n), a...), b...)
}

func (r *run) repeat(v, times value) value {
	count, ok := asInt(times)
	if _, float := times.(float64); float || !ok {
		fail("cannot repeat by %s", typeName(times))
	}
	count = max(count, 0)
	switch v := plain(v).(type) {
	case string:
		r.reserveTimes(len(v), count)
		return strings.Repeat(v, int(count))
	case *list:
		return newList(r.repeatItems(r.load(v), count))
	case tuple:
		return tuple(r.repeatItems(v, count))
	}
	fail("%s cannot be repeated", typeName(v))
	return nil
}

func (r *run) repeatItems(items []value, count int64) []value {
	if len(items) == 0 || count == 0 {
		return nil
	}
	r.reserveTimes(len(items)*elementSize, count)
	r.spend(len(items) * int(count))
	out := make([]value, 0, len(items)*int(count))
	for range count {
		out = append(out, items...)
	}
	return out
}

// reserveTimes reserves a multiple of a size without overflow. Repeating an
// empty value is free, but the caller must not count to the number.
func (r *run) reserveTimes(size int, times int64) {
	high, low := bits.Mul64(uint64(size), uint64(times))
	if high != 0 || low > math.MaxInt32 {
		panic(&LimitError{"memory"})
	}
	r.reserve(int(low))
}
