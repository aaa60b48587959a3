package kwargs

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// limitNames are the providers' names for the highest number of tokens to
// answer with. Callers override it by any of them.
var limitNames = []string{
	"maxOutputTokens", "max_output_tokens", "max_tokens", "max_completion_tokens", "maxTokens",
}

// param is one parameter under the name it was given by.
type param struct {
	key, canon string
	value      jsontree.Value
	taken      bool
}

// params are parameters in the order of their first appearance, each once.
type params struct {
	list  []param
	canon func(string) string
	// index finds parameters by their common name once there are many.
	index map[string]int
}

// indexFrom is the number of parameters from which looking one up by a map is
// worth it. It also keeps a hostile number of them from costing its square.
const indexFrom = 24

func mergeParams(in Input, s shape) *params {
	p := &params{canon: s.canon, list: make([]param, 0, in.Parameters.Len()+in.Overrides.Len())}
	p.add(in.Parameters, s, p.set)
	p.add(in.Overrides, s, func(key string, v jsontree.Value) {
		if s.limit != "" && slices.Contains(limitNames, key) {
			p.dropLimits()
			key = s.limit
		}
		p.set(key, v)
	})
	return p
}

// add sets all members of from, and those of the nested object in its place.
func (p *params) add(from jsontree.Value, s shape, set func(string, jsontree.Value)) {
	for key, v := range from.Members() {
		if s.nested == "" || p.common(key) != s.nested || v.Kind() != jsontree.Object {
			set(key, v)
			continue
		}
		for inner, member := range v.Members() {
			set(inner, member)
		}
	}
}

// dropLimits forgets stored limits under every name: providers refuse a call
// with two of them.
func (p *params) dropLimits() {
	for _, name := range limitNames {
		p.take(name)
	}
}

func (p *params) common(key string) string {
	if p.canon == nil {
		return key
	}
	return p.canon(key)
}

// find returns where a parameter stands, -1 if it was never set.
func (p *params) find(canon string) int {
	if p.index != nil {
		if at, ok := p.index[canon]; ok {
			return at
		}
		return -1
	}
	for i := range p.list {
		if p.list[i].canon == canon {
			return i
		}
	}
	return -1
}

func (p *params) set(key string, v jsontree.Value) {
	canon := p.common(key)
	if at := p.find(canon); at >= 0 {
		p.list[at] = param{key: key, canon: canon, value: v}
		return
	}
	p.list = append(p.list, param{key: key, canon: canon, value: v})
	switch {
	case p.index != nil:
		p.index[canon] = len(p.list) - 1
	case len(p.list) == indexFrom:
		p.index = make(map[string]int, 2*indexFrom)
		for i := range p.list {
			p.index[p.list[i].canon] = i
		}
	}
}

// has reports whether a parameter is set and not taken.
func (p *params) has(key string) bool {
	at := p.find(p.common(key))
	return at >= 0 && !p.list[at].taken
}

// take returns a parameter and takes it out, absent when it is not set.
func (p *params) take(key string) jsontree.Value {
	at := p.find(p.common(key))
	if at < 0 || p.list[at].taken {
		return jsontree.Value{}
	}
	p.list[at].taken = true
	return p.list[at].value
}

// writeAll writes the parameters that were not taken.
func (p *params) writeAll(b *builder) {
	for i := range p.list {
		if !p.list[i].taken {
			p.list[i].write(b, p.list[i].key)
		}
	}
}

// write writes the parameter under a name.
func (p *param) write(b *builder, name string) {
	b.separate()
	b.buf = append(jsontree.AppendQuoted(b.buf, name), ':')
	b.buf = append(b.buf, p.value.Raw()...)
}

// amend writes an argument that parameters and template both fill: the
// members of the given object, then the one that more writes under name,
// unless the object has it. A given value that is no object wins as it is.
func (b *builder) amend(argument, name string, more func()) {
	given := b.params.take(argument)
	b.key(argument)
	if given.Given() && given.Kind() != jsontree.Object {
		b.raw(given.Raw())
		return
	}
	b.open('{')
	b.rest(given)
	if !given.Get(name).Given() {
		b.key(name)
		more()
	}
	b.close('}')
}

// responseFormat takes the wish for an answer in JSON out of the parameters.
// The definition holds the schema and its name, and is absent when any JSON
// will do.
func (b *builder) responseFormat() (format string, definition jsontree.Value) {
	v := b.params.take("response_format")
	format = v.Get("type").Str()
	if format != "json_schema" {
		return format, jsontree.Value{}
	}
	if inner := v.Get("json_schema"); inner.Kind() == jsontree.Object {
		return format, inner
	}
	return format, v
}

// snake returns a name in camel case as one in snake case.
func snake(name string) string {
	if !strings.ContainsFunc(name, isUpper) {
		return name
	}
	out := make([]byte, 0, len(name)+4)
	for i := range len(name) {
		c := name[i]
		if isUpper(rune(c)) {
			out = append(out, '_')
			c |= 0x20
		}
		out = append(out, c)
	}
	return string(out)
}

func isUpper(r rune) bool { return 'A' <= r && r <= 'Z' }
