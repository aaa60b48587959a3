package jinja

import "slices"

// dictMethods are the methods of Python's dicts that templates use.
var dictMethods = map[string]func(*run, *dict, args) value{
	"items":  func(r *run, d *dict, _ args) value { return &list{items: r.pairs(d), label: "dict_items"} },
	"keys":   func(r *run, d *dict, _ args) value { return &list{items: r.keys(d), label: "dict_keys"} },
	"values": func(r *run, d *dict, _ args) value { return &list{items: r.values(d), label: "dict_values"} },
	"copy":   func(r *run, d *dict, _ args) value { return r.copyOf(d) },
	"get": func(r *run, d *dict, a args) value {
		b := a.to("get", "key", "default")
		if v, ok := r.get(d, b.need(0)); ok {
			return v
		}
		return b.or(1, nil)
	},
	"setdefault": func(r *run, d *dict, a args) value {
		b := a.to("setdefault", "key", "default")
		if v, ok := r.get(d, b.need(0)); ok {
			return v
		}
		r.put(d, b[0], b.or(1, nil))
		return b.or(1, nil)
	},
	"update": func(r *run, d *dict, a args) value {
		r.update(d, makeDict(r, a))
		return nil
	},
	"pop": dictPop,
}

func dictPop(r *run, d *dict, a args) value {
	b := a.to("pop", "key", "default")
	at := r.loadDict(d).find(r.hash(b.need(0)))
	if at >= 0 {
		r.spend(d.len())
		return d.remove(at)
	}
	return b.need(1)
}

// listMethods are the methods of Python's lists that templates use.
var listMethods = map[string]func(*run, *list, args) value{
	"append": func(r *run, l *list, a args) value {
		r.reserve(elementSize)
		l.items = append(r.load(l), a.to("append", "object").need(0))
		return nil
	},
	"extend": func(r *run, l *list, a args) value {
		more := r.copyItems(r.elements(a.to("extend", "iterable").need(0)))
		l.items = append(r.load(l), more...)
		return nil
	},
	"insert": func(r *run, l *list, a args) value {
		b := a.to("insert", "index", "object")
		n := len(r.load(l))
		r.spend(n)
		r.reserve(elementSize)
		at := clamp(int(b.int(0, 0)), n, 0, n)
		l.items = slices.Insert(l.items, at, b.need(1))
		return nil
	},
	"pop": listPop,
	"remove": func(r *run, l *list, a args) value {
		at := r.mustFind(r.load(l), a.to("remove", "value").need(0))
		l.items = slices.Delete(l.items, at, at+1)
		return nil
	},
	"reverse": func(r *run, l *list, _ args) value {
		r.spend(len(r.load(l)))
		slices.Reverse(l.items)
		return nil
	},
	"sort": func(r *run, l *list, a args) value {
		reverse := a.to("sort", "reverse").truth(r, 0, false)
		l.items = r.sorted(r.load(l), func(v value) value { return v }, reverse)
		return nil
	},
	"copy": func(r *run, l *list, _ args) value { return newList(r.copyItems(r.load(l))) },
	"index": func(r *run, l *list, a args) value {
		return int64(r.mustFind(r.load(l), a.to("index", "value").need(0)))
	},
	"count": func(r *run, l *list, a args) value { return r.occurrences(r.load(l), a) },
}

func listPop(r *run, l *list, a args) value {
	at, ok := position(a.to("pop", "index").or(0, int64(-1)), int64(len(r.load(l))))
	if !ok {
		fail("pop index out of range")
	}
	v := l.items[at]
	r.spend(len(l.items) - int(at))
	l.items = slices.Delete(l.items, int(at), int(at)+1)
	return v
}

func (r *run) mustFind(items []value, v value) int {
	at := slices.IndexFunc(items, func(other value) bool { return r.equal(other, v) })
	if at < 0 {
		fail("the value is not in the list")
	}
	return at
}

func (r *run) occurrences(items []value, a args) value {
	wanted := a.to("count", "value").need(0)
	n := int64(0)
	for _, item := range items {
		if r.equal(item, wanted) {
			n++
		}
	}
	return n
}

// tupleAttribute returns a method of tuples, or a named part of a group.
func tupleAttribute(t tuple, name string) value {
	switch name {
	case "index":
		return &method{name, func(r *run, a args) value { return int64(r.mustFind(t, a.to(name, "value").need(0))) }}
	case "count":
		return &method{name, func(r *run, a args) value { return r.occurrences(t, a) }}
	case "grouper", "list":
		if len(t) == 2 {
			return t[int(intOf(name == "list"))]
		}
	}
	return undefined{}
}
