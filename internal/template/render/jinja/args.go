package jinja

import "math/big"

// args are the evaluated arguments of a call.
type args struct {
	positional []value
	keywords   []slot
}

// bound are arguments by parameter. Arguments that were not given are absent.
type bound []value

type absent struct{}

// to assigns the arguments to parameters by position and by name.
func (a args) to(function string, names ...string) bound {
	if len(a.positional) > len(names) {
		fail("%s takes at most %d arguments", function, len(names))
	}
	out := make(bound, len(names))
	for i := range out {
		out[i] = absent{}
	}
	copy(out, a.positional)
	for _, k := range a.keywords {
		at := -1
		for i, name := range names {
			if name == k.name {
				at = i
			}
		}
		if at < 0 || at < len(a.positional) {
			fail("%s got an unexpected or repeated argument %s", function, k.name)
		}
		out[at] = k.value
	}
	return out
}

// need returns a required argument.
func (b bound) need(i int) value {
	if _, missing := b[i].(absent); missing {
		fail("an argument is missing")
	}
	return b[i]
}

func (b bound) or(i int, fallback value) value {
	if _, missing := b[i].(absent); missing {
		return fallback
	}
	return b[i]
}

func (b bound) text(i int, fallback string) string {
	s, ok := text(b.or(i, fallback))
	if !ok {
		fail("an argument must be a string, not %s", typeName(b[i]))
	}
	return s
}

func (b bound) int(i int, fallback int64) int64 {
	n, ok := asInt(b.or(i, fallback))
	if !ok {
		fail("an argument must be an integer, not %s", typeName(b[i]))
	}
	return n
}

func (b bound) truth(r *run, i int, fallback bool) bool { return r.truth(b.or(i, fallback)) }

// asInt returns a 64-bit integer; booleans count as integers. Larger values are
// clamped, which is good enough for positions and sizes.
func asInt(v value) (int64, bool) {
	switch v := plain(v).(type) {
	case int64:
		return v, true
	case bool:
		return intOf(v), true
	case *big.Int:
		return int64(v.Sign()) << 62, true
	}
	return 0, false
}
