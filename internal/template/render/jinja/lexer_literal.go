package jinja

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// number reads an integer or a float; underscores may group its digits.
func (l *lexer) number(rest string) token {
	if len(rest) > 2 && rest[0] == '0' && strings.IndexByte("xXoObB", rest[1]) >= 0 {
		end := 2 + digits(rest[2:], "0123456789abcdefABCDEF_")
		l.at += end
		return token{tokenInt, rest[:end]}
	}
	end := digits(rest, "0123456789_")
	kind := tokenInt
	if end+1 < len(rest) && rest[end] == '.' && isDigit(rest[end+1]) {
		kind = tokenFloat
		end += 1 + digits(rest[end+1:], "0123456789_")
	}
	if exponent := exponentLength(rest[end:]); exponent > 0 {
		kind = tokenFloat
		end += exponent
	}
	l.at += end
	return token{kind, strings.ReplaceAll(rest[:end], "_", "")}
}

func digits(s, of string) int {
	n := 0
	for n < len(s) && strings.IndexByte(of, s[n]) >= 0 {
		n++
	}
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func exponentLength(s string) int {
	if s == "" || s[0]|0x20 != 'e' {
		return 0
	}
	sign := 0
	if len(s) > 1 && (s[1] == '+' || s[1] == '-') {
		sign = 1
	}
	n := digits(s[1+sign:], "0123456789_")
	if n == 0 {
		return 0
	}
	return 1 + sign + n
}

// text reads a quoted string with Python's escapes.
func (l *lexer) text(rest string) token {
	quote := rest[0]
	end := 1
	for ; end < len(rest) && rest[end] != quote; end++ {
		if rest[end] == '\\' {
			end++
		}
	}
	if end >= len(rest) {
		fail("unterminated string")
	}
	l.at += end + 1
	inner := rest[1:end]
	if strings.IndexByte(inner, '\\') >= 0 {
		inner = unescape(inner)
	}
	return token{tokenString, inner}
}

var simpleEscapes = map[byte]string{
	'\n': "", '\\': "\\", '\'': "'", '"': "\"", 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

func unescape(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			out.WriteByte(s[i])
			continue
		}
		i++
		if plain, ok := simpleEscapes[s[i]]; ok {
			out.WriteString(plain)
			continue
		}
		i += unescapeCode(&out, s[i:])
	}
	return out.String()
}

var hexWidth = map[byte]int{'x': 2, 'u': 4, 'U': 8}

// unescapeCode writes the character of a numeric escape and returns the number
// of remaining bytes of the escape.
func unescapeCode(out *strings.Builder, s string) int {
	if width, ok := hexWidth[s[0]]; ok {
		if len(s) <= width {
			fail("invalid escape sequence in string")
		}
		code, err := strconv.ParseUint(s[1:1+width], 16, 32)
		if err != nil || code > utf8.MaxRune {
			fail("invalid escape sequence in string")
		}
		out.WriteRune(rune(code))
		return width
	}
	n := min(digits(s, "01234567"), 3)
	if n == 0 {
		out.WriteByte('\\')
		out.WriteByte(s[0])
		return 0
	}
	code, _ := strconv.ParseUint(s[:n], 8, 32)
	out.WriteRune(rune(code))
	return n - 1
}
