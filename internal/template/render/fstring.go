package render

import (
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/template/render/jinja"
)

// fields is a parsed f-string: pieces of text and the fields between them.
type fields struct {
	pieces []piece
	// names are the distinct names of the fields as written.
	names []string
}

// piece is literal text followed by a field. A field that is not a variable is
// part of the literal.
type piece struct {
	literal string
	field   int // index into names, -1 for none
}

// parseFields parses a text by the rules of Python's string.Formatter. ok is
// false for a text that Python rejects.
func parseFields(text string) (f *fields, ok bool) {
	b := fieldsBuilder{fields: &fields{}, index: map[string]int{}}
	for text != "" {
		at := strings.IndexAny(text, "{}")
		if at < 0 {
			b.literal.WriteString(text)
			break
		}
		b.literal.WriteString(text[:at])
		brace := text[at]
		text = text[at+1:]
		if strings.HasPrefix(text, string(brace)) {
			b.literal.WriteByte(brace)
			text = text[1:]
			continue
		}
		if brace == '}' {
			return nil, false
		}
		name, length := field(text)
		if length < 0 {
			return nil, false
		}
		b.add(name, text[:length])
		text = text[length:]
	}
	b.end()
	return b.fields, true
}

// fieldsBuilder collects the result of parseFields.
type fieldsBuilder struct {
	*fields
	index   map[string]int // of the names
	literal strings.Builder
}

// add adds a field, given its name and the source after its opening brace.
func (b *fieldsBuilder) add(name, written string) {
	if _, seen := b.index[name]; name != "" && !seen {
		b.index[name] = len(b.names)
		b.names = append(b.names, name)
	}
	if !identifier(name) {
		b.literal.WriteByte('{')
		b.literal.WriteString(written)
		return
	}
	b.pieces = append(b.pieces, piece{b.literal.String(), b.index[name]})
	b.literal.Reset()
}

func (b *fieldsBuilder) end() {
	if b.literal.Len() > 0 {
		b.pieces = append(b.pieces, piece{b.literal.String(), -1})
	}
}

// field parses a field after its opening brace. It returns the name and the
// length including the closing brace, or -1 if the field is malformed.
func field(text string) (name string, length int) {
	end := nameEnd(text)
	if end < 0 {
		return "", -1
	}
	name = text[:end]
	switch text[end] {
	case '}':
		return name, end + 1
	case '!':
		return name, afterConversion(text, end+1)
	default:
		return name, afterSpec(text, end+1)
	}
}

// nameEnd returns the position of the character that ends the name of a field,
// or -1. Characters within square brackets do not end it.
func nameEnd(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{':
			return -1
		case '}', ':', '!':
			return i
		case '[':
			closing := strings.IndexByte(text[i:], ']')
			if closing < 0 {
				return -1
			}
			i += closing
		}
	}
	return -1
}

// afterConversion parses the single character of a conversion and what follows
// it.
func afterConversion(text string, at int) int {
	_, width := utf8.DecodeRuneInString(text[at:])
	at += width
	switch {
	case width == 0 || at >= len(text):
		return -1
	case text[at] == '}':
		return at + 1
	case text[at] == ':':
		return afterSpec(text, at+1)
	}
	return -1
}

// afterSpec finds the brace that ends a format specification, which may contain
// nested fields.
func afterSpec(text string, at int) int {
	for open := 1; at < len(text); at++ {
		switch text[at] {
		case '{':
			open++
		case '}':
			if open--; open == 0 {
				return at + 1
			}
		}
	}
	return -1
}

// render fills in the fields. It formats each variable once and charges the
// meter for the length before it builds the result.
func (f *fields) render(values *Values, meter *jinja.Meter) (Result, error) {
	if err := meter.Stopped(); err != nil {
		return Result{}, err
	}
	var result Result
	texts := make([]string, len(f.names))
	for i, name := range f.names {
		text, ok := values.text(name)
		if !ok && identifier(name) {
			result.Undefined = append(result.Undefined, name)
		}
		texts[i] = text
	}
	size := 0
	for _, p := range f.pieces {
		n := len(p.literal)
		if p.field >= 0 {
			n += len(texts[p.field])
		}
		if err := meter.Emit(n); err != nil {
			return Result{}, err
		}
		size += n
	}
	result.Text = f.fill(texts, size)
	return result, nil
}

func (f *fields) fill(texts []string, size int) string {
	var out strings.Builder
	out.Grow(size)
	for _, p := range f.pieces {
		out.WriteString(p.literal)
		if p.field >= 0 {
			out.WriteString(texts[p.field])
		}
	}
	return out.String()
}
