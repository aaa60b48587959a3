package jinja

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"unicode/utf16"
)

// filterToJSON writes JSON with sorted keys that is safe within HTML.
func filterToJSON(r *run, input value, a args) value {
	b := a.to("tojson", "indent")
	w := jsonWriter{run: r}
	if b.or(0, nil) != nil {
		width := min(max(b.int(0, 0), 0), 64)
		w.indent, w.pretty = strings.Repeat(" ", int(width)), true
	}
	w.value(input, 0)
	return markup(w.out)
}

// jsonWriter writes the format of Jinja's filter, which jsontree.Writer cannot:
// sorted keys, Python's spacing and indentation, and escapes for HTML. It also
// charges its output to the limits of the run.
type jsonWriter struct {
	*run
	out    []byte
	indent string
	pretty bool
}

func (w *jsonWriter) value(v value, depth int) {
	w.descend()
	defer w.ascend()
	w.spend(1)
	start := len(w.out)
	switch v := v.(type) {
	case nil:
		w.out = append(w.out, "null"...)
	case bool:
		w.out = fmt.Appendf(w.out, "%t", v)
	case int64, *big.Int, written:
		w.out = appendNumber(w.out, v)
		w.reserve(len(w.out) - start)
	case float64:
		w.float(v)
	case string:
		w.text(v)
	case markup:
		w.text(string(v))
	case tuple:
		w.list(v, depth)
	case *list:
		w.list(w.load(v), depth)
	case *dict:
		w.dict(v, depth)
	default:
		fail("%s cannot be written as JSON", typeName(v))
	}
}

func (w *jsonWriter) float(f float64) {
	switch {
	case math.IsNaN(f):
		w.out = append(w.out, "NaN"...)
	case math.IsInf(f, 1):
		w.out = append(w.out, "Infinity"...)
	case math.IsInf(f, -1):
		w.out = append(w.out, "-Infinity"...)
	default:
		w.out = appendFloat(w.out, f)
	}
}

func (w *jsonWriter) text(s string) {
	w.reserve(2 * len(s))
	w.spend(len(s) / 16)
	w.out = append(w.out, '"')
	for _, c := range s {
		w.character(c)
	}
	w.out = append(w.out, '"')
}

var jsonEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}

func (w *jsonWriter) character(c rune) {
	if escape, ok := jsonEscapes[c]; ok {
		w.out = append(w.out, escape...)
		return
	}
	if c >= 0x20 && c < 0x7f && !strings.ContainsRune("<>&'", c) {
		w.out = append(w.out, byte(c))
		return
	}
	w.reserve(12)
	if high, low := utf16.EncodeRune(c); c > 0xffff {
		w.out = fmt.Appendf(w.out, `\u%04x\u%04x`, high, low)
		return
	}
	w.out = fmt.Appendf(w.out, `\u%04x`, c)
}

// gap writes the whitespace before an element or a closing bracket.
func (w *jsonWriter) gap(first bool, depth int) {
	if !first {
		w.out = append(w.out, ',')
	}
	switch {
	case w.pretty:
		w.reserveTimes(len(w.indent)+1, int64(depth))
		w.out = append(w.out, '\n')
		for range depth {
			w.out = append(w.out, w.indent...)
		}
	case !first:
		w.out = append(w.out, ' ')
	}
}

func (w *jsonWriter) list(items []value, depth int) {
	w.reserve(4 * len(items))
	w.out = append(w.out, '[')
	for i, item := range items {
		w.gap(i == 0, depth+1)
		w.value(item, depth+1)
	}
	w.closeWith(']', len(items), depth)
}

func (w *jsonWriter) closeWith(bracket byte, count, depth int) {
	if w.pretty && count > 0 {
		w.gap(true, depth)
	}
	w.out = append(w.out, bracket)
}

func (w *jsonWriter) dict(d *dict, depth int) {
	w.reserve(w.loadDict(d).len() * entrySize)
	entries := slices.Clone(d.entries)
	slices.SortStableFunc(entries, func(a, b entry) int { return strings.Compare(w.key(a.key), w.key(b.key)) })
	w.out = append(w.out, '{')
	for i, e := range entries {
		w.gap(i == 0, depth+1)
		w.text(w.key(e.key))
		w.out = append(w.out, ": "...)
		w.value(e.value, depth+1)
	}
	w.closeWith('}', len(entries), depth)
}

// key returns the text of a key; keys that are not strings are written as JSON.
func (w *jsonWriter) key(v value) string {
	w.spend(1)
	switch v := v.(type) {
	case string:
		return v
	case nil:
		return "null"
	case bool:
		return fmt.Sprint(v)
	}
	return w.str(v)
}
