package jinja

import (
	"math/big"
	"strconv"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// value is the value of an expression. The types are nil for None, bool, int64,
// *big.Int beyond 64 bits, float64, written, string, markup, tuple, *list,
// *dict, *span, undefined, and the callable and helper objects.
type value = any

type (
	// undefined is a missing value. Its attributes and items are undefined too.
	undefined struct{}
	// markup is text that needs no further escaping.
	markup string
	tuple  []value
	// written is a number of the input whose text differs from what Python
	// would print. Unless computed with, it is printed as written.
	written struct {
		text   string
		number value
	}
	// list is a list, or one of the sequences that dict methods return, which
	// have a label. A list of the input is converted on first use.
	list struct {
		items  []value
		source jsontree.Value
		label  string
	}
	// span is the result of range.
	span struct{ start, step, length int64 }
	// method is a function, or a method bound to its object.
	method struct {
		name string
		call func(r *run, args args) value
	}
	namespace struct{ attributes *dict }
)

// convert converts a JSON value. Containers convert their elements later, level
// by level, because most are never used.
func convert(v jsontree.Value) value {
	switch v.Kind() {
	case jsontree.Absent:
		return undefined{}
	case jsontree.Bool:
		return v.Bool()
	case jsontree.Number:
		return convertNumber(string(v.Raw()))
	case jsontree.String:
		return v.Str()
	case jsontree.Array:
		return &list{source: v}
	case jsontree.Object:
		return &dict{source: v}
	default:
		return nil
	}
}

func convertNumber(text string) value {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return asWritten(text, n)
	}
	if digits(text[1:], "0123456789") == len(text)-1 && len(text) <= maxDigits {
		if n, ok := new(big.Int).SetString(text, 10); ok {
			return asWritten(text, n)
		}
	}
	f, _ := strconv.ParseFloat(text, 64) // infinite if out of range, as in Python
	return asWritten(text, f)
}

func asWritten(text string, number value) value {
	if string(appendNumber(nil, number)) == text {
		return number
	}
	return written{text, number}
}

// plain removes what matters only for printing.
func plain(v value) value {
	switch v := v.(type) {
	case written:
		return v.number
	case markup:
		return string(v)
	}
	return v
}

// elementSize is the memory of one element of a container.
const elementSize = 48

// load returns the items of a list.
func (r *run) load(l *list) []value {
	if l.source.Kind() == jsontree.Array {
		n := l.source.Len()
		r.reserve(n * elementSize)
		r.spend(n)
		l.items = make([]value, 0, n)
		for _, item := range l.source.Elems() {
			l.items = append(l.items, convert(item))
		}
		l.source = jsontree.Value{}
	}
	return l.items
}

func newList(items []value) *list { return &list{items: items} }

// text returns the text of a string, and whether v is one.
func text(v value) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case markup:
		return string(v), true
	}
	return "", false
}

// truth reports whether v is true in Python.
func (r *run) truth(v value) bool {
	switch v := plain(v).(type) {
	case nil, undefined:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case *big.Int:
		return v.Sign() != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	}
	n, sized := r.length(v)
	return !sized || n > 0
}

// length returns the number of elements of v, if it has elements.
func (r *run) length(v value) (int, bool) {
	switch v := plain(v).(type) {
	case string:
		r.read(v)
		return runeCount(v), true
	case tuple:
		return len(v), true
	case *list:
		return len(r.load(v)), true
	case *dict:
		return r.loadDict(v).len(), true
	case *span:
		return int(v.length), true
	case undefined:
		return 0, true
	}
	return 0, false
}

// elements returns all elements of v and fails if v is not iterable. The caller
// must not change them.
func (r *run) elements(v value) []value {
	switch v := plain(v).(type) {
	case *list:
		return r.load(v)
	case tuple:
		return v
	case *dict:
		return r.keys(v)
	case *span:
		return r.spread(v)
	case string:
		return r.characters(v)
	case undefined:
		return nil
	}
	fail("%s is not iterable", typeName(v))
	return nil
}

func (r *run) spread(s *span) []value {
	if s.length > maxElements {
		panic(&LimitError{"memory"})
	}
	n := int(s.length)
	r.spend(n)
	r.reserve(n * elementSize)
	items := make([]value, n)
	for i := range items {
		items[i] = s.at(int64(i))
	}
	return items
}

// maxElements keeps sizes far from overflow; the memory limit is much lower.
const maxElements = 1 << 40

func (s *span) at(i int64) value { return s.start + i*s.step }

func (r *run) characters(s string) []value {
	n := runeCount(s)
	r.spend(n)
	r.reserve(n * elementSize)
	items := make([]value, 0, n)
	for _, c := range s {
		items = append(items, string(c))
	}
	return items
}

// typeName returns the name of the type of v for messages.
func typeName(v value) string {
	switch plain(v).(type) {
	case nil:
		return "None"
	case undefined:
		return "undefined"
	case bool:
		return "bool"
	case int64, *big.Int:
		return "int"
	case float64:
		return "float"
	case string:
		return "str"
	case tuple:
		return "tuple"
	case *list:
		return "list"
	case *dict:
		return "dict"
	case *span:
		return "range"
	}
	return "object"
}
