package jsontree

import (
	"bufio"
	"errors"
	"io"
)

// Extracted replaces an extracted, non-empty string in the tree.
const Extracted = "extracted"

// ErrTooLarge means that a text is too large without what is extracted.
var ErrTooLarge = errors.New("the text is too large")

// ParseExtracting is Parse for a stream with a string that is too long for
// memory: the string member of the outermost object with that name. Its text
// goes to use, which need not read all of it, and may be invalid UTF-8. The
// tree has Extracted in its place, or "" when it is empty. Of several such
// members each goes to use, and the last counts. The rest of the text may have
// limit bytes.
//
// An error is an *Error, ErrTooLarge, or one of the stream or of use.
func ParseExtracting(from io.Reader, member string, limit int, use func(text io.Reader) error) (Value, error) {
	x := &extractor{source: source{Reader: bufio.NewReaderSize(from, 64<<10)}, member: member, limit: limit, use: use}
	if err := x.run(); err != nil {
		return Value{}, err
	}
	v, err := Parse(x.rest)
	var syntax *Error
	if errors.As(err, &syntax) {
		syntax.Offset = x.sourceOffset(syntax.Offset)
	}
	return v, err
}

// source counts the bytes that were read from a stream.
type source struct {
	*bufio.Reader
	offset int
}

func (s *source) next() (byte, error) {
	c, err := s.ReadByte()
	if err == nil {
		s.offset++
	}
	return c, err
}

func (s *source) skip(n int) {
	_, _ = s.Discard(n) // they were peeked at
	s.offset += n
}

// inString turns the end of the stream into an error: a string has no end.
func (s *source) inString(err error) error {
	if errors.Is(err, io.EOF) {
		return &Error{s.offset, errString}
	}
	return err
}

// extractor looks at a text only as far as it must to find the member. Whether
// the rest is JSON is checked afterwards.
type extractor struct {
	source
	member string
	limit  int
	use    func(text io.Reader) error

	rest  []byte // the text without the extracted strings
	cuts  []cut
	depth int
	// key is the last string of the outermost object, and afterColon says that
	// nothing but a colon came after it.
	key        string
	afterColon bool
}

// cut is where the rest continues after a string that was extracted.
type cut struct{ rest, source int }

// sourceOffset returns where in the source a byte of the rest was.
func (x *extractor) sourceOffset(offset int) int {
	last := cut{}
	for _, c := range x.cuts {
		if c.rest <= offset {
			last = c
		}
	}
	return last.source + offset - last.rest
}

func (x *extractor) run() error {
	for {
		c, err := x.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = x.take(c)
		}
		if err != nil {
			return err
		}
		if len(x.rest) > x.limit {
			return ErrTooLarge
		}
	}
}

// take consumes one byte, or one string that begins with it.
func (x *extractor) take(c byte) error {
	if c == '"' {
		wanted := x.depth == 1 && x.afterColon && x.key == x.member
		x.afterColon = false
		if wanted {
			return x.extract()
		}
		return x.copyString()
	}
	x.rest = append(x.rest, c)
	switch c {
	case '{', '[':
		x.depth++
	case '}', ']':
		x.depth--
	case ' ', '\t', '\r', '\n':
		return nil
	}
	x.afterColon = c == ':'
	return nil
}

// copyString takes a string over as it is, and remembers it in case it is a
// key.
func (x *extractor) copyString() error {
	start := len(x.rest)
	x.rest = append(x.rest, '"')
	for escaped := false; ; {
		c, err := x.next()
		if err != nil {
			return x.inString(err)
		}
		if x.rest = append(x.rest, c); len(x.rest) > x.limit {
			return nil // the caller refuses it
		}
		if c == '"' && !escaped {
			break
		}
		escaped = c == '\\' && !escaped
	}
	if x.depth == 1 {
		text, _ := Parse(x.rest[start:]) // a broken key is no key
		x.key = text.Str()
	}
	return nil
}

// extract hands a string over.
func (x *extractor) extract() error {
	text := &stringReader{source: &x.source}
	if err := x.use(text); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, text); err != nil {
		return err
	}
	placeholder := ""
	if text.some {
		placeholder = Extracted
	}
	x.rest = AppendQuoted(x.rest, placeholder)
	x.cuts = append(x.cuts, cut{len(x.rest), x.offset})
	return nil
}
