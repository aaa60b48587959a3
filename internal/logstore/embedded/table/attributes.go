package table

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog"
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
	tree, err := jsontree.Parse(object)
	if err != nil {
		return // nothing was sent
	}
	count := 0
	for _, p := range reqlog.Flatten(tree) {
		if len(p.Value) > maxAttributeValue {
			continue
		}
		if count++; count > maxAttributes {
			return
		}
		if !p.Empty {
			a.add(p)
		}
	}
}

func (a *attributeTexts) add(p reqlog.Pair) {
	if len(a.text) == 0 {
		a.text = append(a.text, pairMark...)
	}
	for _, part := range [...]string{escapeZeros(p.Key), document.PairEnd, escapeZeros(p.Value), pairMark} {
		a.text = append(a.text, part...)
	}
}

// attributePrefix is what precedes a value with this key.
func attributePrefix(key string) string { return escapeZeros(key) + document.PairEnd }

func escapeZeros(text string) string { return strings.ReplaceAll(text, "\x00", escapedZero) }

// Attribute implements logsql.Engine.
func (engine) Attribute(w logsql.Writer, column string, c reqlog.Cond) string {
	prefix := attributePrefix(c.Key)
	has := func(text string) string { return "contains(" + column + ", " + w.Text(pairMark+text) + ")" }
	switch c.Op {
	case reqlog.OpIsEmpty:
		return "NOT " + has(prefix)
	case reqlog.OpKeyContains:
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
