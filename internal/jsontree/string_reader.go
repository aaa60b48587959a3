package jsontree

import (
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// stringReader reads the text of a JSON string whose opening quote was read, up
// to its closing quote.
type stringReader struct {
	source *source
	// pending is text that did not fit.
	pending []byte
	some    bool
	ended   bool
}

// Read reads a part of the text.
func (r *stringReader) Read(p []byte) (n int, err error) {
	for n < len(p) && (!r.ended || len(r.pending) > 0) {
		if len(r.pending) == 0 {
			if err := r.fill(); err != nil {
				return n, err
			}
		}
		copied := copy(p[n:], r.pending)
		r.pending = r.pending[copied:]
		n += copied
	}
	r.some = r.some || n > 0
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// fill takes what is buffered up to the next quote or escape, or that.
func (r *stringReader) fill() error {
	if _, err := r.source.Peek(1); err != nil {
		return r.source.inString(err)
	}
	buffered, _ := r.source.Peek(r.source.Buffered())
	end := 0
	for end < len(buffered) && buffered[end] != '"' && buffered[end] != '\\' {
		if buffered[end] < 0x20 {
			return &Error{r.source.offset + end, errControl}
		}
		end++
	}
	r.pending = append(r.pending[:0], buffered[:end]...)
	if end > 0 {
		r.source.skip(end)
		return nil
	}
	if r.ended = buffered[0] == '"'; r.ended {
		r.source.skip(1)
		return nil
	}
	return r.escape()
}

// escape reads the escape sequence that is next.
func (r *stringReader) escape() error {
	sequence, err := r.source.Peek(6)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	width := escapeWidth(sequence)
	if width == 0 {
		return &Error{r.source.offset, errEscape}
	}
	if width == 6 {
		return r.codePoint(hex4(sequence[2:]))
	}
	r.pending = append(r.pending, simpleEscapes[sequence[1]])
	r.source.skip(width)
	return nil
}

// codePoint reads \u sequences that begin with the code c. Half a surrogate
// pair becomes the replacement character.
func (r *stringReader) codePoint(c rune) error {
	r.source.skip(6)
	if utf16.IsSurrogate(c) {
		pair := rune(utf8.RuneError)
		next, err := r.source.Peek(6)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(next) == 6 && next[0] == '\\' && next[1] == 'u' && escapeWidth(next) == 6 {
			pair = utf16.DecodeRune(c, hex4(next[2:]))
		}
		if c = pair; c != utf8.RuneError {
			r.source.skip(6)
		}
	}
	r.pending = utf8.AppendRune(r.pending, c)
	return nil
}
