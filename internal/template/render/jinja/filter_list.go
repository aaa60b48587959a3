package jinja

import (
	"math/rand/v2"
	"slices"
	"strings"
)

func filterFirst(r *run, input value, _ args) value {
	if s, ok := input.(*span); ok && s.length > 0 {
		return s.at(0)
	}
	return index(r.elements(input), int64(0))
}

func filterLast(r *run, input value, _ args) value {
	if s, ok := input.(*span); ok && s.length > 0 {
		return s.at(s.length - 1)
	}
	return index(r.elements(input), int64(-1))
}

// filterRandom picks an arbitrary element.
func filterRandom(r *run, input value, _ args) value {
	items := r.elements(input)
	if len(items) == 0 {
		return undefined{}
	}
	return items[rand.IntN(len(items))]
}

func filterList(r *run, input value, _ args) value { return newList(r.copyItems(r.elements(input))) }

func (r *run) copyItems(items []value) []value { return r.append(items, nil) }

func filterReverse(r *run, input value, _ args) value {
	items := r.copyItems(r.elements(input))
	slices.Reverse(items)
	if _, ok := text(input); ok {
		return r.joined("", items)
	}
	return newList(items)
}

func filterJoin(r *run, input value, a args) value {
	b := a.to("join", "d", "attribute")
	items := r.elements(input)
	if b.or(1, nil) != nil {
		items = r.each(items, r.getter(b.need(1), absent{}))
	}
	return r.joined(r.str(b.or(0, "")), items)
}

// joined joins the texts of items. It reserves the size before it builds the
// result.
func (r *run) joined(separator string, items []value) string {
	r.reserve(len(items) * 16)
	r.reserveTimes(len(separator), int64(len(items)))
	texts := make([]string, len(items))
	for i, item := range items {
		r.spend(1)
		texts[i] = r.str(item)
		r.reserve(len(texts[i]))
	}
	return strings.Join(texts, separator)
}

// each applies a function to each item.
func (r *run) each(items []value, do func(value) value) []value {
	r.reserve(len(items) * elementSize)
	out := make([]value, len(items))
	for i, item := range items {
		r.spend(1)
		out[i] = do(item)
	}
	return out
}

// getter returns a function that reads an attribute path such as a.b.0. Missing
// values become the fallback, unless that is absent.
func (r *run) getter(path value, fallback value) func(value) value {
	var keys []value
	if s, ok := text(path); ok {
		for part := range strings.SplitSeq(s, ".") {
			if digits(part, "0123456789") == len(part) && part != "" && len(part) < 18 {
				keys = append(keys, parseInt(strings.TrimLeft(part[:len(part)-1], "0")+part[len(part)-1:]))
			} else {
				keys = append(keys, part)
			}
		}
	} else {
		keys = []value{path}
	}
	return func(item value) value {
		for _, key := range keys {
			item = r.item(item, key)
			if _, missing := item.(undefined); missing && fallback != value(absent{}) {
				return fallback
			}
		}
		return item
	}
}

// sortKey returns the value to sort by, in lower case unless the sort is
// case-sensitive.
func (r *run) sortKey(attribute value, caseSensitive bool) func(value) value {
	get := func(v value) value { return v }
	if attribute != nil {
		get = r.getter(attribute, absent{})
	}
	if caseSensitive {
		return get
	}
	return func(v value) value {
		v = get(v)
		if s, ok := text(v); ok {
			r.reserve(len(s))
			return strings.ToLower(s)
		}
		return v
	}
}

// sorted sorts by a key; equal elements keep their order.
func (r *run) sorted(items []value, key func(value) value, reverse bool) []value {
	keyed := r.each(items, func(item value) value { return [2]value{key(item), item} })
	slices.SortStableFunc(keyed, func(a, b value) int {
		if r.equal(a.([2]value)[0], b.([2]value)[0]) {
			return 0 // also for values without an order, such as undefined
		}
		order := r.order(a.([2]value)[0], b.([2]value)[0])
		if reverse {
			return -order
		}
		return order
	})
	return r.each(keyed, func(pair value) value { return pair.([2]value)[1] })
}

func filterSort(r *run, input value, a args) value {
	b := a.to("sort", "reverse", "case_sensitive", "attribute")
	key := r.sortKeys(b.or(2, nil), b.truth(r, 1, false))
	return newList(r.sorted(r.elements(input), key, b.truth(r, 0, false)))
}

// sortKeys also accepts several comma-separated attributes.
func (r *run) sortKeys(attribute value, caseSensitive bool) func(value) value {
	s, ok := text(attribute)
	if !ok || !strings.Contains(s, ",") {
		return r.sortKey(attribute, caseSensitive)
	}
	var keys []func(value) value
	for part := range strings.SplitSeq(s, ",") {
		keys = append(keys, r.sortKey(part, caseSensitive))
	}
	return func(v value) value {
		r.reserve(len(keys) * elementSize)
		all := make(tuple, len(keys))
		for i, key := range keys {
			all[i] = key(v)
		}
		return all
	}
}

func filterDictSort(r *run, input value, a args) value {
	b := a.to("dictsort", "case_sensitive", "by", "reverse")
	d, ok := input.(*dict)
	if !ok {
		fail("dictsort needs a mapping")
	}
	by := int64(0)
	if b.text(1, "key") == "value" {
		by = 1
	}
	return newList(r.sorted(r.pairs(d), r.sortKey(by, b.truth(r, 0, false)), b.truth(r, 2, false)))
}

func filterUnique(r *run, input value, a args) value {
	b := a.to("unique", "case_sensitive", "attribute")
	key := r.sortKey(b.or(1, nil), b.truth(r, 0, false))
	seen := map[any]bool{}
	var out []value
	for _, item := range r.elements(input) {
		r.spend(1)
		hash := r.hash(key(item))
		if !seen[hash] {
			r.reserve(entrySize)
			seen[hash] = true
			out = append(out, item)
		}
	}
	return newList(out)
}

func filterMin(r *run, input value, a args) value { return r.extreme("min", input, a, -1) }
func filterMax(r *run, input value, a args) value { return r.extreme("max", input, a, 1) }

func (r *run) extreme(name string, input value, a args, sign int) value {
	b := a.to(name, "case_sensitive", "attribute")
	key := r.sortKey(b.or(1, nil), b.truth(r, 0, false))
	var best, bestKey value = undefined{}, nil
	for i, item := range r.elements(input) {
		k := key(item)
		if i == 0 || r.order(k, bestKey)*sign > 0 {
			best, bestKey = item, k
		}
	}
	return best
}

func filterSum(r *run, input value, a args) value {
	b := a.to("sum", "attribute", "start")
	get := func(v value) value { return v }
	if b.or(0, nil) != nil {
		get = r.getter(b.need(0), absent{})
	}
	total := b.or(1, int64(0))
	for _, item := range r.elements(input) {
		r.spend(1)
		total = r.arithmetic("+", total, get(item))
	}
	return total
}
