package source

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/promptuary/promptuary/internal/fault"
)

func isFull(err error) bool { return errors.Is(err, bufio.ErrBufferFull) }

// array splits a JSON array into its elements, without parsing them.
type array struct {
	from *textReader
	text []byte
	// open says that the opening bracket was read, and ended the closing one.
	open, ended bool
}

func newArray(from *textReader) *array { return &array{from: from} }

func (a *array) next() ([]byte, int64, error) {
	if a.ended {
		return nil, 0, a.afterEnd()
	}
	first, err := a.begin()
	if err != nil {
		return nil, 0, err
	}
	line := a.from.line
	if a.ended {
		return nil, 0, a.afterEnd()
	}
	text, err := a.element(first)
	return text, line, err
}

// begin skips what is before an element and returns its first byte.
func (a *array) begin() (byte, error) {
	for {
		c, err := a.from.ReadByte()
		switch {
		case err != nil:
			return 0, a.cutOff(err)
		case c == '\n':
			a.from.line++
		case c == ' ' || c == '\t' || c == '\r':
		case !a.open: // the bracket that made this an array
			a.open = true
		case c == ',': // that several of them are no JSON does not matter
		case c == ']':
			a.ended = true
			return c, nil
		default:
			return c, nil
		}
	}
}

// element reads the rest of an element. That of one that is too large is skipped.
func (a *array) element(first byte) ([]byte, error) {
	s := scan{text: a.text[:0]}
	s.add(first)
	for {
		c, err := a.from.ReadByte()
		if err != nil {
			return nil, a.cutOff(err)
		}
		if s.depth == 0 && !s.quoted && (c == ',' || c == ']') {
			a.ended = c == ']'
			break
		}
		if c == '\n' {
			a.from.line++
		}
		s.add(c)
	}
	a.text = s.text
	if s.long {
		return nil, tooLarge()
	}
	return bytes.Clone(bytes.TrimSpace(s.text)), nil
}

// scan is an element that is being read.
type scan struct {
	text            []byte
	depth           int
	quoted, escaped bool
	long            bool
}

func (s *scan) add(c byte) {
	switch {
	case s.escaped:
		s.escaped = false
	case s.quoted && c == '\\':
		s.escaped = true
	case c == '"':
		s.quoted = !s.quoted
	case s.quoted:
	case c == '{' || c == '[':
		s.depth++
	case c == '}' || c == ']':
		s.depth--
	}
	if s.long = s.long || len(s.text) >= MaxRow; !s.long {
		s.text = append(s.text, c)
	}
}

// afterEnd returns the error for what follows the array.
func (a *array) afterEnd() error {
	for {
		c, err := a.from.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return err
		case err != nil:
			return a.from.fault(err)
		case c == '\n':
			a.from.line++
		case c != ' ' && c != '\t' && c != '\r':
			return fault.BadRequestf("Line %d: there is something after the end of the JSON array", a.from.line)
		}
	}
}

// cutOff returns the fault for an array without an end.
func (a *array) cutOff(err error) error {
	if errors.Is(err, io.EOF) {
		return fault.BadRequestf("Line %d: the JSON array has no end", a.from.line)
	}
	return a.from.fault(err)
}
