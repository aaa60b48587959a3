package step

import (
	"strconv"
	"strings"
	"unicode"
)

// translator translates a regular expression from the syntax of Python to that
// of regexp2, which numbers groups differently if one of them has a name.
// Therefore names are removed and recorded here.
type translator struct {
	text   string
	out    strings.Builder
	groups int
	names  map[string]int
}

// translate returns the pattern for regexp2 and the names of its groups. ok is
// false if the pattern is invalid in a way that regexp2 would accept.
func translate(pattern string) (t *translator, ok bool) {
	t = &translator{text: pattern, names: map[string]int{}}
	for t.text != "" {
		if !t.next() {
			return t, false
		}
	}
	return t, true
}

// take copies n bytes.
func (t *translator) take(n int) {
	n = min(n, len(t.text))
	t.out.WriteString(t.text[:n])
	t.text = t.text[n:]
}

// put writes text in place of n bytes.
func (t *translator) put(text string, n int) {
	t.out.WriteString(text)
	t.text = t.text[n:]
}

func (t *translator) next() bool {
	switch {
	case strings.HasPrefix(t.text, `\Z`):
		t.put(`\z`, 2) // the very end, even after a line feed
	case t.text[0] == '\\':
		t.take(2)
	case t.text[0] == '[':
		t.class()
	case strings.HasPrefix(t.text, "{,"):
		t.put("{0,", 2)
	case strings.HasPrefix(t.text, "(?#"):
		t.take(endOf(t.text, ")", len(t.text)))
	case t.text[0] == '(':
		return t.group()
	default:
		t.take(1)
	}
	return true
}

// class copies a character class. A bracket in it is an ordinary character,
// which regexp2 would parse as a subtracted class.
func (t *translator) class() {
	t.take(1)
	if strings.HasPrefix(t.text, "^") {
		t.take(1)
	}
	if strings.HasPrefix(t.text, "]") {
		t.put(`\]`, 1)
	}
	for t.text != "" {
		switch t.text[0] {
		case ']':
			t.take(1)
			return
		case '[':
			t.put(`\[`, 1)
		case '\\':
			t.take(2)
		default:
			t.take(1)
		}
	}
}

func (t *translator) group() bool {
	switch {
	case strings.HasPrefix(t.text, "(?P<"):
		return t.named(4)
	case strings.HasPrefix(t.text, "(?<=") || strings.HasPrefix(t.text, "(?<!"):
		t.take(4)
	case strings.HasPrefix(t.text, "(?<"):
		return t.named(3)
	case strings.HasPrefix(t.text, "(?'"):
		return false // not Python syntax for a named group
	case strings.HasPrefix(t.text, "(?P="):
		return t.backReference(4, `\k<`, ">")
	case strings.HasPrefix(t.text, "(?(") && !strings.HasPrefix(t.text, "(?(?"):
		return t.backReference(3, "(?(", ")")
	case strings.HasPrefix(t.text, "(?"):
		t.take(2)
	default:
		t.groups++
		t.take(1)
	}
	return true
}

// named removes the name of a group that begins after prefix bytes.
func (t *translator) named(prefix int) bool {
	name, _, closed := strings.Cut(t.text[prefix:], ">")
	if _, taken := t.names[name]; !closed || taken || !isIdentifier(name) {
		return false
	}
	t.groups++
	t.names[name] = t.groups
	t.put("(", prefix+len(name)+1)
	return true
}

// backReference replaces the name of a group by its number.
func (t *translator) backReference(prefix int, before, after string) bool {
	name, _, closed := strings.Cut(t.text[prefix:], ")")
	number, known := t.names[name]
	if isDigits(name) {
		n, err := strconv.Atoi(name)
		number, known = n, err == nil
	}
	if !closed || !known {
		return false
	}
	t.put(before+strconv.Itoa(number)+after, prefix+len(name)+1)
	return true
}

func isIdentifier(text string) bool {
	isPart := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	return text != "" && !isDigits(text[:1]) && strings.TrimFunc(text, isPart) == ""
}
