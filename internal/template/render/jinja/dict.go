package jinja

import (
	"math"
	"math/big"
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// dict is a mapping that keeps the insertion order of keys. A dict of the input
// is converted on first use.
type dict struct {
	entries []entry
	index   map[any]int // nil while there are few entries
	source  jsontree.Value
}

type entry struct{ key, hash, value value }

// few is the number of entries up to which a linear search beats a map.
const few = 8

// hashed is the Go map key of a tuple or a number beyond 64 bits.
type hashed struct{ text string }

// hash returns the map key of v. As in Python, 1, 1.0 and True are the same
// key. It fails for values that are not hashable.
func (r *run) hash(v value) any {
	switch v := plain(v).(type) {
	case string:
		r.read(v)
		return v
	case nil, int64, undefined:
		return v
	case bool:
		return intOf(v)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<62 {
			return int64(v)
		}
		return v
	case *big.Int:
		return hashed{v.String()}
	case tuple:
		return r.hashTuple(v)
	}
	fail("%s is not hashable", typeName(v))
	return nil
}

func (r *run) hashTuple(t tuple) any {
	for _, item := range t {
		r.hash(item)
	}
	return hashed{r.repr(t)}
}

func intOf(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func newDict() *dict { return &dict{} }

func (d *dict) len() int { return len(d.entries) }

// find returns the index of the entry with the hash, or -1.
func (d *dict) find(hash any) int {
	if d.index != nil {
		if at, ok := d.index[hash]; ok {
			return at
		}
		return -1
	}
	return slices.IndexFunc(d.entries, func(e entry) bool { return e.hash == hash })
}

func (d *dict) put(key, hash, v value) {
	if at := d.find(hash); at >= 0 {
		d.entries[at].value = v
		return
	}
	d.entries = append(d.entries, entry{key, hash, v})
	switch {
	case d.index != nil:
		d.index[hash] = len(d.entries) - 1
	case len(d.entries) > few:
		d.reindex()
	}
}

func (d *dict) reindex() {
	d.index = make(map[any]int, len(d.entries)+1)
	for i, e := range d.entries {
		d.index[e.hash] = i
	}
}

// remove removes an entry and returns its value.
func (d *dict) remove(at int) value {
	v := d.entries[at].value
	d.entries = slices.Delete(d.entries, at, at+1)
	d.index = nil
	if len(d.entries) > few {
		d.reindex()
	}
	return v
}

// entrySize is the memory of one entry, including its share of the index.
const entrySize = 128

// loadDict converts a dict of the input on first use.
func (r *run) loadDict(d *dict) *dict {
	if d.source.Kind() == jsontree.Object {
		n := d.source.Len()
		r.reserve(n * entrySize)
		r.spend(n)
		d.entries = make([]entry, 0, n)
		for key, member := range d.source.Members() {
			d.put(key, key, convert(member))
		}
		d.source = jsontree.Value{}
	}
	return d
}

// get returns the value of a key, or undefined.
func (r *run) get(d *dict, key value) (value, bool) {
	if at := r.loadDict(d).find(r.hash(key)); at >= 0 {
		return d.entries[at].value, true
	}
	return undefined{}, false
}

func (r *run) put(d *dict, key, v value) {
	r.reserve(entrySize)
	r.loadDict(d).put(key, r.hash(key), v)
}

func (r *run) keys(d *dict) []value {
	return r.project(d, func(e entry) value { return e.key })
}

func (r *run) values(d *dict) []value {
	return r.project(d, func(e entry) value { return e.value })
}

func (r *run) pairs(d *dict) []value {
	r.reserve(r.loadDict(d).len() * elementSize)
	return r.project(d, func(e entry) value { return tuple{e.key, e.value} })
}

func (r *run) project(d *dict, part func(entry) value) []value {
	n := r.loadDict(d).len()
	r.spend(n)
	r.reserve(n * elementSize)
	items := make([]value, n)
	for i, e := range d.entries {
		items[i] = part(e)
	}
	return items
}

// copyOf returns a dict with the same entries.
func (r *run) copyOf(d *dict) *dict {
	n := r.loadDict(d).len()
	r.spend(n)
	r.reserve(n * entrySize)
	c := &dict{entries: slices.Clone(d.entries)}
	if n > few {
		c.reindex()
	}
	return c
}
