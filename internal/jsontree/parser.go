package jsontree

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"unicode/utf16"
	"unicode/utf8"
)

// parser walks the text once. Its recursion is bounded by maxDepth.
type parser struct {
	doc      *document
	text     []byte
	pos      int
	maxDepth int
	pause    int // the position at which others may run first
}

// pauseBytes is the size of a text that is read in some tenths of a millisecond.
const pauseBytes = 64 << 10

func (p *parser) skipSpace() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// value reads the value at pos and appends its node, then its children's.
func (p *parser) value(depth int) error {
	if p.pos >= len(p.text) {
		return errEnd
	}
	if len(p.doc.nodes) >= MaxValues {
		return ErrTooMany
	}
	at := len(p.doc.nodes)
	start := p.pos
	p.doc.nodes = append(p.doc.nodes, node{start: int32(start)})
	kind, escaped := Null, false
	var err error
	switch c := p.text[p.pos]; {
	case c == '{':
		kind, err = Object, p.object(at, depth+1)
	case c == '[':
		kind, err = Array, p.array(at, depth+1)
	case c == '"':
		kind = String
		escaped, err = p.str()
	case c == '-' || isDigit(c):
		kind, err = Number, p.number()
	case c == 't':
		kind, err = Bool, p.literal("true")
	case c == 'f':
		kind, err = Bool, p.literal("false")
	case c == 'n':
		err = p.literal("null")
	default:
		err = errCharacter
	}
	n := &p.doc.nodes[at]
	n.kind, n.escaped, n.end = kind, escaped, int32(p.pos)
	return err
}

func (p *parser) object(at, depth int) error {
	return p.container(at, depth, '}', func() (node, error) {
		var key node
		if err := p.expect('"'); err != nil {
			return key, err
		}
		key.keyStart = int32(p.pos)
		escaped, err := p.str()
		if err != nil {
			return key, err
		}
		key.keyEnd, key.keyEscaped = int32(p.pos), escaped
		p.skipSpace()
		if err := p.expect(':'); err != nil {
			return key, err
		}
		p.pos++
		p.skipSpace()
		return key, nil
	})
}

func (p *parser) array(at, depth int) error {
	return p.container(at, depth, ']', nil)
}

// container reads the comma-separated children up to closing and chains them;
// key, if given, reads the key before each child's value.
func (p *parser) container(at, depth int, closing byte, key func() (node, error)) error {
	if depth > p.maxDepth {
		return ErrTooDeep
	}
	p.pos++
	p.skipSpace()
	if p.pos < len(p.text) && p.text[p.pos] == closing {
		p.pos++
		return nil
	}
	last := -1
	for {
		var named node
		if key != nil {
			var err error
			if named, err = key(); err != nil {
				return err
			}
		}
		if p.pos >= p.pause {
			runtime.Gosched() // so that short requests are not delayed
			p.pause = p.pos + pauseBytes
		}
		child := len(p.doc.nodes)
		if err := p.value(depth); err != nil {
			return err
		}
		c := &p.doc.nodes[child]
		c.keyStart, c.keyEnd, c.keyEscaped = named.keyStart, named.keyEnd, named.keyEscaped
		if last < 0 {
			p.doc.nodes[at].child = int32(child)
		} else {
			p.doc.nodes[last].next = int32(child)
		}
		p.doc.nodes[at].count++
		last = child
		p.skipSpace()
		if p.pos >= len(p.text) {
			return errEnd
		}
		switch p.text[p.pos] {
		case ',':
			p.pos++
			p.skipSpace()
		case closing:
			p.pos++
			return nil
		default:
			return errCharacter
		}
	}
}

// expect returns an error unless the byte c is next.
func (p *parser) expect(c byte) error {
	switch {
	case p.pos >= len(p.text):
		return errEnd
	case p.text[p.pos] != c:
		return errCharacter
	}
	return nil
}

func (p *parser) literal(word string) error {
	if !bytes.HasPrefix(p.text[p.pos:], []byte(word)) {
		return errCharacter
	}
	p.pos += len(word)
	return nil
}

// str reads a string and reports whether it holds an escape. It skips plain text
// eight bytes at a time.
func (p *parser) str() (escaped bool, err error) {
	for i := p.pos + 1; i < len(p.text); {
		for i+8 <= len(p.text) && plainWord(binary.LittleEndian.Uint64(p.text[i:])) {
			i += 8
		}
		for end := min(i+8, len(p.text)); i < end; i++ {
			switch c := p.text[i]; {
			case c == '"':
				p.pos = i + 1
				return escaped, nil
			case c == '\\':
				escaped = true
				width := escapeWidth(p.text[i:])
				if width == 0 {
					p.pos = i
					return false, errEscape
				}
				i += width - 1
			case c < 0x20:
				p.pos = i
				return false, errControl
			}
		}
	}
	p.pos = len(p.text)
	return false, errString
}

// escapeWidth returns the length of the escape at the head of b, 0 if broken.
func escapeWidth(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(b) >= 6 && hex4(b[2:6]) >= 0 {
			return 6
		}
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (p *parser) digits() bool {
	from := p.pos
	for p.pos < len(p.text) && isDigit(p.text[p.pos]) {
		p.pos++
	}
	return p.pos > from
}

func (p *parser) number() error {
	if p.text[p.pos] == '-' {
		p.pos++
	}
	if p.pos < len(p.text) && p.text[p.pos] == '0' {
		p.pos++
	} else if !p.digits() {
		return errNumber
	}
	if p.pos < len(p.text) && p.text[p.pos] == '.' {
		p.pos++
		if !p.digits() {
			return errNumber
		}
	}
	if p.pos < len(p.text) && p.text[p.pos]|0x20 == 'e' {
		p.pos++
		if p.pos < len(p.text) && (p.text[p.pos] == '+' || p.text[p.pos] == '-') {
			p.pos++
		}
		if !p.digits() {
			return errNumber
		}
	}
	return nil
}

// hex4 returns the value of four hex digits, -1 if one is not.
func hex4(b []byte) rune {
	var r rune
	for _, c := range b[:4] {
		switch {
		case isDigit(c):
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

var simpleEscapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// unquote decodes the inside of a string that the parser has accepted. Half a
// surrogate pair becomes the replacement character, as in encoding/json.
func unquote(inner []byte) string {
	return string(appendUnquoted(make([]byte, 0, len(inner)), inner))
}

// appendUnquoted is unquote into a buffer of the caller's.
func appendUnquoted(out, inner []byte) []byte {
	for i := 0; i < len(inner); {
		if inner[i] != '\\' {
			run := bytes.IndexByte(inner[i:], '\\')
			if run < 0 {
				run = len(inner) - i
			}
			out = append(out, inner[i:i+run]...)
			i += run
			continue
		}
		if inner[i+1] != 'u' {
			out = append(out, simpleEscapes[inner[i+1]])
			i += 2
			continue
		}
		r := hex4(inner[i+2:])
		i += 6
		if utf16.IsSurrogate(r) {
			pair := rune(-1)
			if i+6 <= len(inner) && inner[i] == '\\' && inner[i+1] == 'u' {
				pair = utf16.DecodeRune(r, hex4(inner[i+2:]))
			}
			if pair > 0 && pair != utf8.RuneError {
				i += 6
				r = pair
			} else {
				r = utf8.RuneError
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}
