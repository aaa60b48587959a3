package convert

import (
	"bytes"
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var (
	null       = []byte("null")
	emptyArray = []byte("[]")
)

// object writes one JSON object, member by member.
type object struct {
	text []byte
	keys []string
}

func newObject() *object {
	return &object{text: append(make([]byte, 0, 256), '{'), keys: make([]string, 0, 8)}
}

func (o *object) separate() {
	if len(o.text) > 1 {
		o.text = append(o.text, ',')
	}
}

// raw writes a member whose value is JSON text, null when it is nil. The key
// must need no escaping.
func (o *object) raw(key string, value []byte) *object {
	if value == nil {
		value = null
	}
	o.separate()
	o.text = append(append(append(o.text, '"'), key...), '"', ':')
	o.text = append(o.text, value...)
	o.keys = append(o.keys, key)
	return o
}

// str writes a member whose value is a string.
func (o *object) str(key, value string) *object { return o.raw(key, quote(value)) }

// given writes a member as it was written, unless it is null or absent.
func (o *object) given(key string, v jsontree.Value) *object {
	if v.Given() {
		o.raw(key, v.Raw())
	}
	return o
}

// member writes value under the name that v has in its own object.
func (o *object) member(v jsontree.Value, value []byte) {
	o.separate()
	o.text = append(o.text, v.RawKey()...)
	o.text = append(o.text, ':')
	o.text = append(o.text, value...)
}

// rest carries over the members of from that say something new: those that
// are not null, whose name was not written before, and whose name in snake
// case is not among known.
func (o *object) rest(from jsontree.Value, known ...string) *object {
	for key, v := range from.Members() {
		if v.Given() && !slices.Contains(known, snake(key)) && !slices.Contains(o.keys, key) {
			o.member(v, v.Raw())
		}
	}
	return o
}

func (o *object) len() int { return len(o.text) - 1 }

// end closes the object, which must not be written to afterwards.
func (o *object) end() []byte { return append(o.text, '}') }

// array joins JSON texts to an array.
func array(items [][]byte) []byte {
	return slices.Concat([]byte{'['}, bytes.Join(items, []byte{','}), []byte{']'})
}

// quote returns s as a JSON string.
func quote(s string) []byte { return jsontree.AppendQuoted(nil, s) }

// stringRaw returns a string as it was written, nil for every other kind.
func stringRaw(v jsontree.Value) []byte {
	if v.Kind() != jsontree.String {
		return nil
	}
	return v.Raw()
}

// asString returns v as a JSON string: a string as it was written, any other
// value as its own JSON text.
func asString(v jsontree.Value) []byte {
	if v.Kind() == jsontree.String {
		return v.Raw()
	}
	return quote(string(v.Compact()))
}
