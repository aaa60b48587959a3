package jinja

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// str returns v as str() prints it.
func (r *run) str(v value) string {
	switch v := v.(type) {
	case string:
		return v
	case markup:
		return string(v)
	case undefined:
		return ""
	}
	return r.repr(v)
}

// repr returns v as Python prints it within a list.
func (r *run) repr(v value) string { return string(r.appendRepr(nil, v)) }

func (r *run) appendRepr(dst []byte, v value) []byte {
	r.descend()
	defer r.ascend()
	start := len(dst)
	switch v := v.(type) {
	case string:
		return r.appendQuoted(dst, v)
	case markup:
		return append(r.appendQuoted(append(dst, "Markup("...), string(v)), ')')
	case undefined:
		return append(dst, "Undefined"...)
	case tuple:
		return r.appendTuple(dst, v)
	case *list:
		return r.appendList(dst, v)
	case *dict:
		return r.appendDict(dst, v)
	case *span:
		return appendSpan(dst, v)
	case *namespace:
		return append(r.appendDict(append(dst, "<Namespace "...), v.attributes), '>')
	case *method:
		return fmt.Appendf(dst, "<function %s>", v.name)
	case *macro:
		return fmt.Appendf(dst, "<Macro %s>", AppendQuoted(nil, v.node.name))
	}
	dst = appendNumber(dst, v)
	r.reserve(len(dst) - start)
	return dst
}

// longText is the length from which the size of a literal is reserved in
// advance.
const longText = 1 << 16

// appendQuoted also reserves the size of escapes.
func (r *run) appendQuoted(dst []byte, s string) []byte {
	if len(s) > longText {
		size := 2
		var scratch [12]byte
		for _, c := range s {
			size += len(appendEscaped(scratch[:0], c, '\''))
		}
		r.spend(len(s) / 4)
		r.reserve(size)
		return AppendQuoted(slices.Grow(dst, size), s)
	}
	start := len(dst)
	dst = AppendQuoted(dst, s)
	r.reserve(len(dst) - start)
	return dst
}

func (r *run) appendItems(dst []byte, items []value) []byte {
	r.spend(len(items))
	r.reserve(2*len(items) + 2)
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = r.appendRepr(dst, item)
	}
	return dst
}

func (r *run) appendTuple(dst []byte, t tuple) []byte {
	dst = r.appendItems(append(dst, '('), t)
	if len(t) == 1 {
		dst = append(dst, ',')
	}
	return append(dst, ')')
}

func (r *run) appendList(dst []byte, l *list) []byte {
	if l.label != "" {
		dst = append(append(dst, l.label...), '(')
	}
	dst = append(r.appendItems(append(dst, '['), r.load(l)), ']')
	if l.label != "" {
		dst = append(dst, ')')
	}
	return dst
}

func (r *run) appendDict(dst []byte, d *dict) []byte {
	r.spend(r.loadDict(d).len())
	r.reserve(4*d.len() + 2)
	dst = append(dst, '{')
	for i, e := range d.entries {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(r.appendRepr(dst, e.key), ": "...)
		dst = r.appendRepr(dst, e.value)
	}
	return append(dst, '}')
}

func appendSpan(dst []byte, s *span) []byte {
	stop := s.start + s.length*s.step
	if s.step == 1 {
		return fmt.Appendf(dst, "range(%d, %d)", s.start, stop)
	}
	return fmt.Appendf(dst, "range(%d, %d, %d)", s.start, stop, s.step)
}

// appendNumber appends None, booleans and numbers.
func appendNumber(dst []byte, v value) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "None"...)
	case bool:
		if v {
			return append(dst, "True"...)
		}
		return append(dst, "False"...)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case *big.Int:
		return v.Append(dst, 10)
	case float64:
		return appendFloat(dst, v)
	case written:
		return append(dst, v.text...)
	}
	return append(dst, "<object>"...)
}

// appendFloat appends the shortest text that parses as f, in Python's format.
func appendFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	case math.IsNaN(f):
		return append(dst, "nan"...)
	}
	if size := math.Abs(f); size != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if !strings.ContainsRune(string(dst[start:]), '.') {
		dst = append(dst, ".0"...)
	}
	return dst
}

// AppendQuoted appends s as a Python string literal.
func AppendQuoted(dst []byte, s string) []byte {
	quote := byte('\'')
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		quote = '"'
	}
	dst = append(dst, quote)
	for _, c := range s {
		dst = appendEscaped(dst, c, quote)
	}
	return append(dst, quote)
}

func appendEscaped(dst []byte, c rune, quote byte) []byte {
	switch {
	case c == '\n':
		return append(dst, '\\', 'n')
	case c == '\r':
		return append(dst, '\\', 'r')
	case c == '\t':
		return append(dst, '\\', 't')
	case c == '\\' || c == rune(quote):
		return append(dst, '\\', byte(c))
	case unicode.IsPrint(c):
		return utf8.AppendRune(dst, c)
	case c < 0x100:
		return fmt.Appendf(dst, "\\x%02x", c)
	case c < 0x10000:
		return fmt.Appendf(dst, "\\u%04x", c)
	}
	return fmt.Appendf(dst, "\\U%08x", c)
}

func runeCount(s string) int { return utf8.RuneCountInString(s) }
