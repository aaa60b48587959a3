package work

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

const (
	// maxAround is how large a body may be without the member that is read
	// apart.
	maxAround = 1 << 20
	// inPlace stands for a text that was read apart and is not empty.
	inPlace = "read"
)

// readAround reads a JSON object of which one member is a text too long for
// memory: its text goes to use, and in the object that is returned another text
// stands in its place, which is empty only when the text is. Members may come in
// any order; of several with the name the last counts.
func readAround(body io.Reader, member string, use func(text io.Reader) error) (jsontree.Value, error) {
	r := &aroundReader{from: bufio.NewReaderSize(body, 64<<10), member: member, use: use}
	if err := r.read(); err != nil {
		return jsontree.Value{}, err
	}
	around, err := jsontree.Parse(r.around)
	if err != nil {
		return around, fault.BadRequestf("The request body is not valid JSON: %v", err)
	}
	if around.Kind() != jsontree.Object {
		return around, fault.BadRequestf("The request body must be a JSON object, not %v", around.Kind())
	}
	return around, nil
}

// aroundReader takes the body apart only as far as it must to find the member;
// whether what is left is JSON is checked afterwards.
type aroundReader struct {
	from   *bufio.Reader
	member string
	use    func(text io.Reader) error
	around []byte
	depth  int
	// key is the last text of the outermost object before a colon, and after
	// tells that the colon was the last sign.
	key   string
	after bool
}

func (r *aroundReader) read() error {
	r.skipMark()
	for {
		sign, err := r.from.ReadByte()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := r.take(sign); err != nil {
			return err
		}
		if len(r.around) > maxAround {
			return fault.New(fault.TooLarge, "Without %s the request body is larger than %d bytes", r.member, maxAround)
		}
	}
}

// skipMark skips a byte order mark.
func (r *aroundReader) skipMark() {
	const mark = "\xef\xbb\xbf"
	if start, _ := r.from.Peek(len(mark)); string(start) == mark {
		_, _ = r.from.Discard(len(mark))
	}
}

// take goes one sign further, or one text.
func (r *aroundReader) take(sign byte) error {
	if sign == '"' {
		if r.depth == 1 && r.after && r.key == r.member {
			r.after = false
			return r.readApart()
		}
		r.after = false
		return r.readText()
	}
	r.around = append(r.around, sign)
	switch sign {
	case '{', '[':
		r.depth++
	case '}', ']':
		r.depth--
	case ' ', '\t', '\r', '\n':
		return nil
	}
	r.after = sign == ':'
	return nil
}

// readText takes a text over as it is, and remembers it as the key that it may
// be.
func (r *aroundReader) readText() error {
	start := len(r.around)
	r.around = append(r.around, '"')
	for escaped := false; ; {
		sign, err := r.from.ReadByte()
		if err != nil {
			return unfinished(err)
		}
		if r.around = append(r.around, sign); len(r.around) > maxAround {
			return nil // it is refused there
		}
		if sign == '"' && !escaped {
			break
		}
		escaped = sign == '\\' && !escaped
	}
	if r.depth == 1 {
		r.key = keyOf(r.around[start:])
	}
	return nil
}

// keyOf returns a text without quotes and escapes, nothing when it is none.
func keyOf(quoted []byte) string {
	text, err := jsontree.Parse(bytes.Clone(quoted))
	if err != nil {
		return ""
	}
	return text.Str()
}

func unfinished(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.BadRequestf("The request body is not valid JSON: a string does not end")
	}
	return err
}

// readApart hands a text over.
func (r *aroundReader) readApart() error {
	text := &textReader{from: r.from}
	if err := r.use(text); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, text); err != nil {
		return err
	}
	stand := ""
	if text.some {
		stand = inPlace
	}
	r.around = jsontree.AppendQuoted(r.around, stand)
	return nil
}

// textReader reads a JSON string up to its closing quote and gives its text.
type textReader struct {
	from *bufio.Reader
	// pending is text of an escape that did not fit.
	pending []byte
	some    bool
	ended   bool
}

// Read gives a part of the text.
func (t *textReader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(t.pending) == 0 {
			if t.ended {
				break
			}
			if err := t.next(); err != nil {
				return n, err
			}
			continue
		}
		copied := copy(p[n:], t.pending)
		t.pending = t.pending[copied:]
		n += copied
	}
	t.some = t.some || n > 0
	if n == 0 && t.ended && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// next takes what is there up to the next quote or escape, or one of these.
func (t *textReader) next() error {
	if _, err := t.from.Peek(1); err != nil {
		return unfinished(err)
	}
	there, _ := t.from.Peek(t.from.Buffered())
	end := bytes.IndexAny(there, "\"\\")
	if end < 0 {
		end = len(there)
	}
	if at := bytes.IndexFunc(there[:end], func(r rune) bool { return r < ' ' }); at >= 0 {
		return fault.BadRequestf("The request body is not valid JSON: a string has a control character")
	}
	t.pending = append(t.pending[:0], there[:end]...)
	if _, err := t.from.Discard(end); err != nil || end > 0 {
		return err
	}
	sign, _ := t.from.ReadByte() // it was looked at
	if t.ended = sign == '"'; t.ended {
		return nil
	}
	return t.escape()
}

// escapes are the signs after a backslash that stand for one character.
var escapes = map[byte]string{
	'"': `"`, '\\': `\`, '/': "/", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t",
}

func (t *textReader) escape() error {
	sign, err := t.from.ReadByte()
	if err != nil {
		return unfinished(err)
	}
	if plain, ok := escapes[sign]; ok {
		t.pending = append(t.pending, plain...)
		return nil
	}
	digits := make([]byte, 4)
	if sign == 'u' {
		if _, err := io.ReadFull(t.from, digits); err != nil {
			return unfinished(err)
		}
	}
	code, err := strconv.ParseUint(string(digits), 16, 16)
	if sign != 'u' || err != nil {
		return fault.BadRequestf("The request body is not valid JSON: a string has an escape that is none")
	}
	// Halves of a pair become replacement characters; no base64 has any.
	t.pending = utf8.AppendRune(t.pending, rune(code))
	return nil
}
