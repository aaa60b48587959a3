package step

import (
	"iter"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Named is a value with its name.
type Named struct {
	Name  string
	Value jsontree.Value
}

// List is a short list of values. The first of duplicate names counts.
type List []Named

// Get returns the first value of that name.
func (l List) Get(name string) (jsontree.Value, bool) {
	for i := range l {
		if l[i].Name == name {
			return l[i].Value, true
		}
	}
	return jsontree.Value{}, false
}

// All ranges over the values in order, with distinct names.
func (l List) All() iter.Seq2[string, jsontree.Value] {
	return func(yield func(string, jsontree.Value) bool) {
		for i := range l {
			if _, before := l[:i].Get(l[i].Name); before {
				continue
			}
			if !yield(l[i].Name, l[i].Value) {
				return
			}
		}
	}
}

// layered is a list in front of other values.
type layered struct {
	front List
	back  Values
}

func (l layered) Get(name string) (jsontree.Value, bool) {
	if v, ok := l.front.Get(name); ok || l.back == nil {
		return v, ok
	}
	return l.back.Get(name)
}

func (l layered) All() iter.Seq2[string, jsontree.Value] {
	return func(yield func(string, jsontree.Value) bool) {
		for name, value := range l.front.All() {
			if !yield(name, value) {
				return
			}
		}
		if l.back == nil {
			return
		}
		for name, value := range l.back.All() {
			if _, before := l.front.Get(name); before {
				continue
			}
			if !yield(name, value) {
				return
			}
		}
	}
}
