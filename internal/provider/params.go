package provider

import (
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// limitNames are the providers' names for the maximum number of tokens to
// generate. Callers can override it with any of them.
var limitNames = []string{
	"maxOutputTokens", "max_output_tokens", "max_tokens", "max_completion_tokens", "maxTokens",
}

// Param is a parameter with its name as given. Canon is its canonical name.
type Param struct {
	Key, Canon string
	Value      jsontree.Value
	taken      bool
}

// Params are distinct parameters in order of first appearance.
type Params struct {
	list  []Param
	canon func(string) string
	// index maps canonical names to parameters once there are many.
	index map[string]int
}

// indexFrom is the number of parameters from which an index is faster. It
// prevents quadratic time for hostile input.
const indexFrom = 24

// NewParams returns the members of an object as parameters.
func NewParams(object jsontree.Value) *Params {
	p := &Params{}
	for key, v := range object.Members() {
		p.Set(key, v)
	}
	return p
}

func mergeParams(in Input, f *Format) *Params {
	p := &Params{canon: f.Canon, list: make([]Param, 0, in.Parameters.Len()+in.Overrides.Len())}
	p.add(in.Parameters, f.Nested, p.Set)
	p.add(in.Overrides, f.Nested, func(key string, v jsontree.Value) {
		if f.Limit != "" && slices.Contains(limitNames, key) {
			p.dropLimits()
			key = f.Limit
		}
		p.Set(key, v)
	})
	return p
}

// add sets all members of from, replacing the nested object with its members.
func (p *Params) add(from jsontree.Value, nested string, set func(string, jsontree.Value)) {
	for key, v := range from.Members() {
		if nested == "" || p.common(key) != nested || v.Kind() != jsontree.Object {
			set(key, v)
			continue
		}
		for inner, member := range v.Members() {
			set(inner, member)
		}
	}
}

// dropLimits removes stored limits under every name: providers reject calls
// with two of them.
func (p *Params) dropLimits() {
	for _, name := range limitNames {
		p.Take(name)
	}
}

func (p *Params) common(key string) string {
	if p.canon == nil {
		return key
	}
	return p.canon(key)
}

// find returns the index of a parameter, or -1.
func (p *Params) find(canon string) int {
	if p.index == nil {
		return slices.IndexFunc(p.list, func(other Param) bool { return other.Canon == canon })
	}
	if at, ok := p.index[canon]; ok {
		return at
	}
	return -1
}

// Set sets a parameter. An existing one keeps its position.
func (p *Params) Set(key string, v jsontree.Value) {
	fresh := Param{Key: key, Canon: p.common(key), Value: v}
	if at := p.find(fresh.Canon); at >= 0 {
		p.list[at] = fresh
		return
	}
	p.list = append(p.list, fresh)
	switch {
	case p.index != nil:
		p.index[fresh.Canon] = len(p.list) - 1
	case len(p.list) == indexFrom:
		p.index = make(map[string]int, 2*indexFrom)
		for i := range p.list {
			p.index[p.list[i].Canon] = i
		}
	}
}

// Has reports whether a parameter is set and not taken.
func (p *Params) Has(key string) bool {
	at := p.find(p.common(key))
	return at >= 0 && !p.list[at].taken
}

// Get returns a parameter, absent if it is not set.
func (p *Params) Get(key string) jsontree.Value {
	if at := p.find(p.common(key)); at >= 0 && !p.list[at].taken {
		return p.list[at].Value
	}
	return jsontree.Value{}
}

// Take removes and returns a parameter, absent if it is not set.
func (p *Params) Take(key string) jsontree.Value {
	v := p.Get(key)
	if at := p.find(p.common(key)); at >= 0 {
		p.list[at].taken = true
	}
	return v
}

// HasLimit reports whether the maximum number of tokens is given by the name.
// One that is given by the name of another provider gets this name.
func (p *Params) HasLimit(name string) bool {
	if p.Get(name).Given() {
		return true
	}
	for _, other := range limitNames {
		if limit := p.Get(other); limit.Given() {
			p.dropLimits()
			p.Set(name, limit)
			return true
		}
	}
	return false
}

// Each calls use with the parameters that were not taken, and takes those for
// which it returns true.
func (p *Params) Each(use func(Param) bool) {
	for i := range p.list {
		if !p.list[i].taken {
			p.list[i].taken = use(p.list[i])
		}
	}
}

// WriteTo adds the parameters that were not taken to an object.
func (p *Params) WriteTo(o *Object) {
	p.Each(func(param Param) bool {
		o.Val(param.Key, param.Value)
		return true
	})
}
