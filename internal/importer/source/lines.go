package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// lines are rows of one line each. Empty lines are no rows.
type lines struct {
	from *textReader
	text []byte
}

func (l *lines) next() ([]byte, int64, error) {
	for {
		line := l.from.line
		text, err := l.read()
		if err != nil || len(bytes.TrimSpace(text)) > 0 {
			return text, line, err
		}
	}
}

// read returns a line without its end. The rest of a line that is too long is
// skipped.
func (l *lines) read() ([]byte, error) {
	l.text = l.text[:0]
	long := false
	for {
		piece, err := l.from.ReadSlice('\n')
		if long = long || len(l.text)+len(piece) > MaxRow; !long {
			l.text = append(l.text, piece...)
		}
		switch {
		case err == nil:
			l.from.line++
		case isFull(err):
			continue
		case errors.Is(err, io.EOF) && (len(l.text) > 0 || long): // the last line needs no end
		default:
			return nil, l.from.fault(err)
		}
		if long {
			return nil, tooLarge()
		}
		// The body of a log refers to its text, which therefore cannot be used again.
		return bytes.Clone(bytes.TrimRight(l.text, "\r\n")), nil
	}
}

func tooLarge() error {
	return &refusedError{fmt.Sprintf("The row is larger than %d bytes", MaxRow)}
}
