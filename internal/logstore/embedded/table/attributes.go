package table

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

const (
	// maxAttributes is the number of attributes of a span that can be searched for,
	// and maxAttributeValue the size of their values. Larger ones are usually
	// messages, which logs have.
	maxAttributes     = 1_000
	maxAttributeValue = 1 << 10
)

// The attributes of a span are one text, because DuckDB takes several times as
// long to store a list. Each pair stands between two pairMarks, its key and its
// value are separated by PairEnd, and zero bytes in them are escaped, so that
// neither can be taken for the other.
const (
	pairMark    = "\x00\x02"
	escapedZero = "\x00\x01"
)

// attributeTexts writes the attributes of spans as the text of a column. It
// remembers the last one: many spans share the attributes of a resource.
type attributeTexts struct {
	object []byte
	text   []byte
	count  int    // of the pairs
	value  []byte // the last one that had escapes
	parser jsontree.Parser
}

// of returns the text of an object. It is valid until the next call.
func (a *attributeTexts) of(object []byte) []byte {
	if !bytes.Equal(a.object, object) {
		a.object = object
		a.write(object)
	}
	return a.text
}

func (a *attributeTexts) write(object []byte) {
	a.text = a.text[:0]
	tree, err := a.parser.Parse(object)
	if err != nil {
		return // nothing was sent
	}
	if isFlat(tree) {
		a.writeFlat(tree)
		return
	}
	a.count = 0
	for _, p := range reqlog.Flatten(tree) {
		if a.takes(len(p.Value), p.Empty) {
			a.add([]byte(p.Key), []byte(p.Value))
		}
	}
}

// maxFlat is the number of attributes, and maxFlatBytes their size, up to which
// an object is checked for being flat.
const (
	maxFlat      = 64
	maxFlatBytes = 64 << 10
)

// isFlat reports whether an object has only simple values and names without
// escapes, each once. Almost all attributes are like this, and they need not be
// flattened, which allocates each name and each value.
func isFlat(object jsontree.Value) bool {
	if object.Kind() != jsontree.Object || object.Len() > maxFlat || len(object.Raw()) > maxFlatBytes {
		return false
	}
	var keys [maxFlat][]byte
	n := 0
	for member := range object.Fields() {
		key := member.RawKey()
		if member.Kind() >= jsontree.Array || bytes.IndexByte(key, '\\') >= 0 || containsKey(keys[:n], key) {
			return false
		}
		keys[n] = key
		n++
	}
	return true
}

func containsKey(keys [][]byte, key []byte) bool {
	for _, other := range keys {
		if bytes.Equal(other, key) {
			return true
		}
	}
	return false
}

// writeFlat writes the text of a flat object, which is that of its pairs.
func (a *attributeTexts) writeFlat(object jsontree.Value) {
	a.count = 0
	for member := range object.Fields() {
		value := a.leaf(member)
		if key := member.RawKey(); a.takes(len(value), !member.Given()) {
			a.add(key[1:len(key)-1], value)
		}
	}
}

// leaf returns the text of a simple value. It is valid until the next call.
func (a *attributeTexts) leaf(v jsontree.Value) []byte {
	switch raw := v.Raw(); {
	case v.Kind() != jsontree.String:
		return []byte(reqlog.LeafText(v))
	case bytes.IndexByte(raw, '\\') < 0:
		return raw[1 : len(raw)-1]
	}
	a.value = v.AppendStr(a.value[:0])
	return a.value
}

// takes reports whether a pair with a value of this size is written. Those
// without a value only count.
func (a *attributeTexts) takes(size int, empty bool) bool {
	if size > maxAttributeValue {
		return false
	}
	a.count++
	return a.count <= maxAttributes && !empty
}

func (a *attributeTexts) add(key, value []byte) {
	if len(a.text) == 0 {
		a.text = append(a.text, pairMark...)
	}
	a.text = append(appendEscaped(a.text, key), document.PairEnd...)
	a.text = append(appendEscaped(a.text, value), pairMark...)
}

// appendEscaped is escapeZeros into a buffer.
func appendEscaped(dst, text []byte) []byte {
	if bytes.IndexByte(text, 0) >= 0 {
		return append(dst, escapeZeros(string(text))...)
	}
	return append(dst, text...)
}

// attributePrefix is what precedes a value with this key.
func attributePrefix(key string) string { return escapeZeros(key) + document.PairEnd }

func escapeZeros(text string) string { return strings.ReplaceAll(text, "\x00", escapedZero) }

// Attribute implements logsql.Engine.
func (engine) Attribute(w logsql.Writer, column string, c query.Cond) string {
	prefix := attributePrefix(c.Key)
	has := func(text string) string { return "contains(" + column + ", " + w.Text(pairMark+text) + ")" }
	switch c.Op {
	case query.OpIsEmpty:
		return "NOT " + has(prefix)
	case query.OpKeyContains:
		value := "replace(substr(x, " + w.Int(int64(utf8.RuneCountInString(prefix)+1)) + "), " + w.Text(escapedZero) + ", " + w.Text("\x00") + ")"
		return has(prefix) + " AND len(list_filter(string_split(" + column + ", " + w.Text(pairMark) + "), x -> starts_with(x, " + w.Text(prefix) +
			") AND contains(lower(" + value + "), lower(" + w.Text(c.Texts[0]) + ")))) > 0"
	default:
		conds := make([]string, len(c.Texts))
		for i, text := range c.Texts {
			conds[i] = has(prefix + escapeZeros(text) + pairMark)
		}
		return logsql.Join(true, conds)
	}
}
