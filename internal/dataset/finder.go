package dataset

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// finder searches for a text, ignoring case.
type finder struct{ part []byte }

func newFinder(text string) finder { return finder{bytes.ToLower([]byte(text))} }

func (f finder) in(text []byte) bool { return bytes.Contains(bytes.ToLower(text), f.part) }

// inRow reports whether a cell contains the text.
func (f finder) inRow(text string) (bool, error) {
	row := []byte(text)
	if !isEscaped(row) && !f.in(row) {
		return false, nil // cells are searched as written
	}
	tree, err := jsontree.Parse(row)
	if err != nil {
		return false, fmt.Errorf("read a row: %w", err)
	}
	for _, cell := range tree.Elems() {
		if f.inCell(cell) {
			return true, nil
		}
	}
	return false, nil
}

// isEscaped reports whether characters may be escaped.
func isEscaped(text []byte) bool { return bytes.IndexByte(text, '\\') >= 0 }

// inCell searches the text of a string, and both the JSON and the strings of
// any other value; null has no text.
func (f finder) inCell(cell jsontree.Value) bool {
	switch {
	case cell.Kind() == jsontree.Null:
		return false
	case cell.Kind() == jsontree.String:
		return f.within(cell)
	case isEscaped(cell.Raw()):
		return f.in(appendForm(nil, cell)) || f.within(cell)
	}
	return f.in(cell.Compact()) // includes the strings
}

// within searches the strings of a value.
func (f finder) within(value jsontree.Value) bool {
	if value.Kind() == jsontree.String {
		return f.in(value.AppendStr(nil))
	}
	for _, element := range value.Elems() {
		if f.within(element) {
			return true
		}
	}
	for key, member := range value.Members() {
		if f.in([]byte(key)) || f.within(member) {
			return true
		}
	}
	return false
}

// asWritten escapes the characters that JSON texts usually escape.
var asWritten = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\b", `\b`, "\f", `\f`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// appendForm appends the JSON of a value without unnecessary escapes, however
// the file wrote it. The result is searched, not parsed: unlike jsontree.Writer
// it leaves control characters without a short escape unescaped.
func appendForm(dst []byte, value jsontree.Value) []byte {
	switch value.Kind() {
	case jsontree.String:
		return appendWritten(dst, value.Str())
	case jsontree.Array:
		dst = append(dst, '[')
		for i, element := range value.Elems() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendForm(dst, element)
		}
		return append(dst, ']')
	case jsontree.Object:
		dst = append(dst, '{')
		for key, member := range value.Members() {
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			dst = append(appendWritten(dst, key), ':')
			dst = appendForm(dst, member)
		}
		return append(dst, '}')
	}
	return append(dst, value.Raw()...)
}

func appendWritten(dst []byte, text string) []byte {
	return append(append(append(dst, '"'), asWritten.Replace(text)...), '"')
}
