package reqlog

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/ascii"
	"github.com/promptuary/promptuary/internal/jsontree"
)

const (
	// MaxPairs is the maximum number of pairs of a flattened object.
	MaxPairs = 10_000
	// maxKeyBytes limits the total size of the keys of one flattened object.
	// Nested keys repeat their whole path in every leaf, so without it a small
	// body could grow a thousandfold.
	maxKeyBytes = 4 << 20
)

// Flatten returns the leaves of an object: nested keys are joined by dots and
// array indexes are dropped. The last of several members with the same name
// wins. It omits pairs beyond MaxPairs.
func Flatten(object jsontree.Value) []Pair { return flattenObject(object).pairs }

func flattenObject(object jsontree.Value) *flattener {
	if object.Kind() != jsontree.Object {
		return newFlattener(0)
	}
	f := newFlattener(object.Len())
	f.members(object, "", true)
	return f
}

// FlattenMembers flattens the object with these members. It omits pairs beyond
// MaxPairs.
func FlattenMembers(members []Member) []Pair {
	f := newFlattener(len(members))
	for _, m := range members {
		f.raw(m.Value, m.Key)
	}
	return f.pairs
}

// FlattenVariables flattens the input variables that the linked template
// version uses; a log without a link has none.
func FlattenVariables(n *Notes) []Pair {
	if n.Prompt == nil || len(n.Variables) == 0 || len(n.Prompt.Referenced) == 0 {
		return nil
	}
	variables, err := jsontree.Parse(n.Variables)
	if err != nil {
		return nil
	}
	f := newFlattener(0)
	index := indexMembers(variables)
	for _, name := range n.Prompt.Referenced {
		if value := index.get(name); value.Kind() != jsontree.Absent {
			f.value(value, name)
		}
	}
	return f.pairs
}

// tooMany reports whether the flattened members exceed the limits of the index.
func tooMany(members []Member) bool {
	f := newFlattener(len(members))
	for _, m := range members {
		f.raw(m.Value, m.Key)
	}
	return f.cut
}

// flattener collects the leaves of a tree. Its recursion is limited by the
// maximum depth of package jsontree.
type flattener struct {
	pairs []Pair
	// room is how many bytes of keys may still be added.
	room int
	// cut is set if something was omitted.
	cut bool
	// embedded is the path whose strings are parsed if they contain JSON.
	embedded string
}

func newFlattener(hint int) *flattener {
	f := &flattener{room: maxKeyBytes}
	if hint > 0 {
		f.pairs = make([]Pair, 0, min(hint, MaxPairs))
	}
	return f
}

func (f *flattener) leaf(path, text string, empty bool) {
	if len(f.pairs) >= MaxPairs {
		f.cut = true
		return
	}
	f.pairs = append(f.pairs, Pair{Key: path, Value: text, Empty: empty})
}

// value adds the leaves of v under the path.
func (f *flattener) value(v jsontree.Value, path string) {
	if f.room -= len(path); f.room < 0 {
		f.cut = true
	}
	if f.cut {
		return
	}
	switch v.Kind() {
	case jsontree.Object:
		if v.Len() == 0 {
			f.leaf(path, "", true)
			return
		}
		f.members(v, path, false)
	case jsontree.Array:
		f.elements(v, path)
	case jsontree.String:
		f.text(v.Str(), path)
	default:
		f.leaf(path, LeafText(v), !v.Given())
	}
}

func (f *flattener) members(object jsontree.Value, path string, root bool) {
	index := indexMembers(object)
	for key, member := range object.Members() {
		if f.cut {
			return
		}
		if index.get(key) != member {
			continue
		}
		if !root {
			key = path + "." + key
		}
		f.value(member, key)
	}
}

func (f *flattener) elements(array jsontree.Value, path string) {
	if array.Len() == 0 {
		f.leaf(path, "", true)
		return
	}
	for _, element := range array.Elems() {
		if f.cut {
			return
		}
		f.value(element, path)
	}
}

// text adds a string, or the JSON in it if the path is embedded.
func (f *flattener) text(text, path string) {
	if path == f.embedded && path != "" {
		if inner, ok := parseContainer(text); ok {
			f.value(inner, path)
			return
		}
	}
	f.leaf(path, text, false)
}

// parseContainer parses text that is one JSON object or array. It checks the
// first byte before parsing.
func parseContainer(text string) (jsontree.Value, bool) {
	for i := range len(text) {
		switch text[i] {
		case ' ', '\t', '\n', '\r':
			continue
		case '{', '[':
			v, err := jsontree.Parse([]byte(text[i:]))
			return v, err == nil
		}
		break
	}
	return jsontree.Value{}, false
}

// raw adds the value with this JSON text. Almost all metadata values are short
// strings and numbers, which need no tree.
func (f *flattener) raw(text json.RawMessage, path string) {
	plain, ok := plainText(text)
	if !ok {
		v, _ := jsontree.Parse(text) // invalid JSON has no value
		f.value(v, path)
		return
	}
	if f.room -= len(path); f.room < 0 {
		f.cut = true
		return
	}
	f.leaf(path, plain, false)
}

// plainText returns the text of a string without escapes or of a number.
func plainText(raw json.RawMessage) (string, bool) {
	switch n := len(raw); {
	case n == 0:
		return "", false
	case raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9':
		return decimalText(string(raw)), true
	case raw[0] == '"' && n >= 2 && bytes.IndexByte(raw, '\\') < 0:
		return string(raw[1 : n-1]), true
	default:
		return "", false
	}
}

// LeafText returns the text by which a leaf is compared: strings unchanged,
// booleans as true and false, numbers in shortest decimal form, "" for null.
func LeafText(v jsontree.Value) string {
	switch v.Kind() {
	case jsontree.String:
		return v.Str()
	case jsontree.Number:
		return decimalText(string(v.Raw()))
	case jsontree.Bool:
		return strconv.FormatBool(v.Bool())
	default:
		return ""
	}
}

// decimalText normalizes a JSON number, so that equal numbers have equal texts:
// 42, 42.0 and 4.2e1 are all "42". Whole numbers keep every digit; a number
// outside of the range of float64 is left unchanged.
func decimalText(number string) string {
	if ascii.IsDigits(strings.TrimPrefix(number, "-")) && number != "-0" {
		return number
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return number
	}
	if f == 0 {
		return "0" // also negative zero
	}
	if size := math.Abs(f); size < 1e-6 || size >= 1e21 {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// memberIndex finds members by name; the last of several with the same name
// wins.
type memberIndex struct {
	object jsontree.Value
	last   map[string]jsontree.Value
}

// smallObject is the size up to which scanning is faster than building a map.
const smallObject = 16

func indexMembers(object jsontree.Value) memberIndex {
	index := memberIndex{object: object}
	if object.Len() > smallObject {
		index.last = make(map[string]jsontree.Value, object.Len())
		for key, member := range object.Members() {
			index.last[key] = member
		}
	}
	return index
}

func (x memberIndex) get(key string) jsontree.Value {
	if x.last != nil {
		return x.last[key]
	}
	return x.object.Get(key)
}
