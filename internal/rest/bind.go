package rest

import (
	"net/url"
	"reflect"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// bindPath fills the path fields of input. Invalid path fields are reported on
// their own, because the path of such a request cannot exist.
func (p *plan) bindPath(b *binder, input reflect.Value, names []string, values *[maxParams]string) error {
	if len(p.path) == 0 {
		return nil
	}
	b.Enter("path")
	for i := range p.path {
		f := &p.path[i]
		b.Enter(f.name)
		for n, name := range names {
			if name == f.name {
				f.read(b, values[n], f.in(input))
			}
		}
		b.Leave()
	}
	b.Leave()
	return b.problems.Err()
}

// bind fills the query and body fields of input and reports all problems.
func (p *plan) bind(b *binder, input reflect.Value, rawQuery string, body jsontree.Value) error {
	if len(p.query) > 0 {
		b.Enter("query")
		p.bindQuery(b, input, parseQuery(rawQuery))
		b.Leave()
	}
	var refused error
	if p.bindsPart {
		refused = input.Addr().Interface().(MemberBinder).BindMembers(body, &b.problems)
	}
	b.Enter("body")
	if p.body != nil {
		p.body.read(b, body, input)
	}
	if p.bindsItself {
		readHook(b, body, input)
	}
	b.Leave()
	if refused != nil && !b.problems.Any() {
		return refused
	}
	if p.validates && !b.problems.Any() {
		input.Addr().Interface().(Validator).Validate(&b.problems)
	}
	return b.problems.Err()
}

var percentEncoding = fault.Rulef("value_error", "Input has malformed percent-encoding")

// queryPair is one name=value pair of a query.
type queryPair struct {
	name, value string
	broken      bool // the value's escapes are malformed
}

// parseQuery is like url.ParseQuery, but drops nothing: a semicolon is data, and
// a malformed value is kept so that it can be reported.
func parseQuery(raw string) []queryPair {
	if raw == "" {
		return nil
	}
	pairs := make([]queryPair, 0, 1+strings.Count(raw, "&"))
	for part := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(part, "=")
		name, err := url.QueryUnescape(name)
		if err != nil || part == "" {
			continue
		}
		value, err = url.QueryUnescape(value)
		pairs = append(pairs, queryPair{name, value, err != nil})
	}
	return pairs
}

func (p *plan) bindQuery(b *binder, input reflect.Value, pairs []queryPair) {
	for i := range p.query {
		f := &p.query[i]
		b.Enter(f.name)
		f.bindPairs(b, pairs, f.in(input))
		b.Leave()
	}
}

// bindPairs reads the pairs with the name of the field. The last one wins, unless
// the field is a list.
func (p *param) bindPairs(b *binder, pairs []queryPair, dst reflect.Value) bool {
	var last *queryPair
	var texts []string
	for i := range pairs {
		pair := &pairs[i]
		if pair.name != p.name {
			continue
		}
		if pair.broken {
			return b.Report(percentEncoding)
		}
		last = pair
		if p.readList != nil {
			texts = append(texts, pair.value)
		}
	}
	switch {
	case last == nil:
		return p.absent(b, dst)
	case p.readList != nil:
		return p.readList(b, texts, dst)
	default:
		return p.read(b, last.value, dst)
	}
}

// manyMembers is the number of members above which one walk over an object is
// cheaper than looking up each field.
const manyMembers = 64

// read is the jsonReader of a struct.
func (o *object) read(b *binder, v jsontree.Value, dst reflect.Value) bool {
	if !b.Is(v, jsontree.Object) {
		return false
	}
	get := func(i int) jsontree.Value { return v.Get(o.fields[i].name) }
	if v.Len() > manyMembers {
		found := o.collect(v)
		get = func(i int) jsontree.Value { return found[i] }
	}
	ok := true
	for i := range o.fields {
		m := &o.fields[i]
		b.Enter(m.name)
		ok = m.bind(b, get(i), m.in(dst)) && ok
		b.Leave()
	}
	return ok
}

// collect finds the members of all fields in one walk.
func (o *object) collect(v jsontree.Value) []jsontree.Value {
	found := make([]jsontree.Value, len(o.fields))
	for key, value := range v.Members() {
		if i, ok := o.byName[key]; ok {
			found[i] = value
		}
	}
	return found
}

func (m *member) bind(b *binder, v jsontree.Value, dst reflect.Value) bool {
	if v.Given() || m.keepsNull && v.Kind() == jsontree.Null {
		return m.read(b, v, dst)
	}
	if m.nested != nil && !m.required {
		m.nested.setDefaults(dst)
	}
	return m.absent(b, dst)
}

// setDefaults sets the fields of an absent struct to their defaults.
func (o *object) setDefaults(dst reflect.Value) {
	for i := range o.fields {
		m := &o.fields[i]
		if m.fallback != nil {
			m.fallback(m.in(dst))
		} else if m.nested != nil {
			m.nested.setDefaults(m.in(dst))
		}
	}
}
