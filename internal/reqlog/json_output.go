package reqlog

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

const fence = "```"

// findObject returns the JSON object that is the whole text, in a code fence at
// its end, or a suffix of it, and the text before it. Each attempt takes at
// most two passes over the text.
func findObject(text string) (object jsontree.Value, before string, ok bool) {
	text = strings.TrimSpace(text)
	switch {
	case strings.HasSuffix(text, fence):
		return fencedObject(text)
	case !strings.HasSuffix(text, "}"):
		return jsontree.Value{}, "", false
	}
	if text[0] == '{' {
		if object, ok = parseObject(text); ok {
			return object, "", true
		}
	}
	return objectAtEnd(text)
}

// parseObject parses a text that starts with a brace.
func parseObject(text string) (jsontree.Value, bool) {
	v, err := jsontree.Parse([]byte(text))
	return v, err == nil
}

// fencedObject parses a text that ends with a closing fence. The object may
// contain fences in its strings, and other fenced blocks may precede it: the
// first and the last opening fence are tried.
func fencedObject(text string) (object jsontree.Value, before string, ok bool) {
	body := strings.TrimSuffix(text, fence)
	first, last := strings.Index(body, fence), strings.LastIndex(body, fence)
	for _, at := range []int{first, last} {
		if at < 0 {
			break
		}
		if object, ok = parseFenced(body[at+len(fence):]); ok {
			return object, body[:at], true
		}
	}
	return jsontree.Value{}, "", false
}

// parseFenced parses the inside of a code fence, which may begin with the name
// of the language.
func parseFenced(inside string) (jsontree.Value, bool) {
	start := strings.IndexByte(inside, '{')
	if start < 0 || strings.ContainsAny(strings.TrimSpace(inside[:start]), " \t\r\n") {
		return jsontree.Value{}, false
	}
	return parseObject(strings.TrimSpace(inside[start:]))
}

// objectAtEnd parses the object that ends at the end of the text.
func objectAtEnd(text string) (object jsontree.Value, before string, ok bool) {
	start := openingBrace(text)
	if start < 0 {
		return jsontree.Value{}, "", false
	}
	object, ok = parseObject(text[start:])
	return object, text[:start], ok
}

// openingBrace returns the index of the brace that the last byte of the text
// closes, or -1. It reads backwards, because only the end is known to be JSON:
// the prose before it may contain any quotes and braces. If an object is a
// suffix of the text, it starts there.
func openingBrace(text string) int {
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case '}':
			depth++
		case '{':
			if depth--; depth == 0 {
				return i
			}
		case '"':
			i = openingQuote(text, i)
		}
	}
	return -1
}

// openingQuote returns the index of the quote that opens the string closed at
// the index end, or -1. A quote in the string is preceded by an odd number of
// backslashes.
func openingQuote(text string, end int) int {
	for i := end - 1; i >= 0; i-- {
		if text[i] != '"' {
			continue
		}
		slashes := 0
		for slashes < i && text[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
	return -1
}
