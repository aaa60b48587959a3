package jinja

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenData
	tokenPrint    // {{
	tokenPrintEnd // }}
	tokenTag      // {%
	tokenTagEnd   // %}
	tokenName
	tokenString
	tokenInt
	tokenFloat
	tokenOperator
)

type token struct {
	kind tokenKind
	text string
}

func (t token) is(operator string) bool { return t.kind == tokenOperator && t.text == operator }
func (t token) named(name string) bool  { return t.kind == tokenName && t.text == name }

// lexer splits a template into tokens, one at a time.
type lexer struct {
	source string
	at     int
	inside tokenKind // tokenPrint or tokenTag inside a tag
	braces []byte    // expected closing brackets
	trim   bool      // the last tag ended with a minus
	queued []token
}

func (l *lexer) next() token {
	if len(l.queued) > 0 {
		first := l.queued[0]
		l.queued = l.queued[1:]
		return first
	}
	if l.inside != 0 {
		return l.expression()
	}
	return l.data()
}

// data reads text up to the next tag, and queues the tag's opening.
func (l *lexer) data() token {
	for {
		text, opening := l.upToTag()
		if l.trim {
			text = strings.TrimLeftFunc(text, unicode.IsSpace)
			l.trim = false
		}
		if strings.HasPrefix(l.source[l.at:], "-") && opening != "" {
			text = strings.TrimRightFunc(text, unicode.IsSpace)
		}
		switch opening {
		case "":
			if text == "" {
				return token{}
			}
			return token{tokenData, text}
		case "{#":
			l.comment()
		default:
			l.open(opening)
		}
		if text != "" {
			return token{tokenData, text}
		}
		if l.inside != 0 || len(l.queued) > 0 {
			return l.next()
		}
	}
}

// upToTag returns the text before the next tag and consumes the opening of the
// tag.
func (l *lexer) upToTag() (text, opening string) {
	rest := l.source[l.at:]
	for from := 0; ; {
		i := strings.IndexByte(rest[from:], '{')
		if i < 0 || from+i+1 >= len(rest) {
			l.at = len(l.source)
			return rest, ""
		}
		i += from
		if c := rest[i+1]; c == '{' || c == '%' || c == '#' {
			l.at += i + 2
			return rest[:i], rest[i : i+2]
		}
		from = i + 1
	}
}

func (l *lexer) comment() {
	end := strings.Index(l.source[l.at:], "#}")
	if end < 0 {
		fail("missing end of comment")
	}
	l.trim = end > 0 && l.source[l.at+end-1] == '-'
	l.at += end + 2
}

func (l *lexer) open(opening string) {
	if l.at < len(l.source) && (l.source[l.at] == '-' || l.source[l.at] == '+') {
		l.at++
	}
	if opening == "{%" && l.raw() {
		return
	}
	l.inside = tokenPrint
	if opening == "{%" {
		l.inside = tokenTag
	}
	l.queued = append(l.queued[:0:0], token{l.inside, opening})
}

// raw reads a raw block, if one starts here, into a data token.
func (l *lexer) raw() bool {
	after, ok := rawTag(l.source[l.at:], "raw")
	if !ok {
		return false
	}
	body := l.source[l.at+after.length:]
	for from := 0; ; {
		i := strings.Index(body[from:], "{%")
		if i < 0 {
			fail("missing end of raw block")
		}
		i += from
		sign, rest := cutSign(body[i+2:])
		end, ok := rawTag(rest, "endraw")
		if !ok {
			from = i + 2
			continue
		}
		text := body[:i]
		if after.trim {
			text = strings.TrimLeftFunc(text, unicode.IsSpace)
		}
		if sign == '-' {
			text = strings.TrimRightFunc(text, unicode.IsSpace)
		}
		l.at = len(l.source) - len(rest) + end.length
		l.trim = end.trim
		l.queued = append(l.queued[:0:0], token{tokenData, text})
		return true
	}
}

type tagEnd struct {
	length int
	trim   bool
}

// rawTag matches a word and the end of the tag at the start of s.
func rawTag(s, word string) (tagEnd, bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeftFunc(s, unicode.IsSpace), word)
	if !ok {
		return tagEnd{}, false
	}
	sign, rest := cutSign(strings.TrimLeftFunc(rest, unicode.IsSpace))
	rest, ok = strings.CutPrefix(rest, "%}")
	return tagEnd{len(s) - len(rest), sign == '-'}, ok
}

func cutSign(s string) (byte, string) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[0], s[1:]
	}
	return 0, s
}

// operators are matched in this order, longer ones first.
var operators = []string{
	"**", "//", "==", "!=", ">=", "<=",
	"+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{", "}", ">", "<", "=", ".", ":", "|", ",", ";",
}

func (l *lexer) expression() token {
	rest := l.source[l.at:]
	rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
	l.at = len(l.source) - len(rest)
	if rest == "" {
		fail("unexpected end of template")
	}
	if len(l.braces) == 0 {
		if end, ok := l.closing(rest); ok {
			return end
		}
	}
	switch first, _ := utf8.DecodeRuneInString(rest); {
	case first == '"' || first == '\'':
		return l.text(rest)
	case '0' <= first && first <= '9':
		return l.number(rest)
	case first == '_' || unicode.IsLetter(first):
		return l.name(rest)
	}
	for _, operator := range operators {
		if strings.HasPrefix(rest, operator) {
			l.balance(operator)
			l.at += len(operator)
			return token{tokenOperator, operator}
		}
	}
	fail("unexpected character %q", rest[0])
	return token{}
}

// closing reads the end of the current tag.
func (l *lexer) closing(rest string) (token, bool) {
	marker, kind := "}}", tokenPrintEnd
	if l.inside == tokenTag {
		marker, kind = "%}", tokenTagEnd
	}
	sign, after := cutSign(rest)
	if sign == '+' && l.inside == tokenPrint {
		return token{}, false
	}
	if !strings.HasPrefix(after, marker) {
		return token{}, false
	}
	l.at = len(l.source) - len(after) + len(marker)
	l.inside, l.trim = 0, sign == '-'
	return token{kind, marker}, true
}

var closers = map[string]byte{"(": ')', "[": ']', "{": '}'}

// balance keeps track of brackets: a closing brace within an expression does
// not end the tag.
func (l *lexer) balance(operator string) {
	if closer, ok := closers[operator]; ok {
		l.braces = append(l.braces, closer)
		return
	}
	if operator != ")" && operator != "]" && operator != "}" {
		return
	}
	last := len(l.braces) - 1
	if last < 0 || l.braces[last] != operator[0] {
		fail("unexpected %q", operator)
	}
	l.braces = l.braces[:last]
}

func (l *lexer) name(rest string) token {
	end := strings.IndexFunc(rest, func(c rune) bool { return !IsWord(c) })
	if end < 0 {
		end = len(rest)
	}
	l.at += end
	return token{tokenName, rest[:end]}
}

// IsWord reports whether c can be part of a name.
func IsWord(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsNumber(c) }
