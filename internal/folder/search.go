package folder

import (
	"strings"
	"unicode"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// templateOf returns the template in the body of a prompt's version.
func templateOf(body []byte) jsontree.Value {
	parsed, err := jsontree.Parse(body)
	if err != nil {
		return jsontree.Value{} // a version that cannot be read matches nothing
	}
	return parsed.Get("prompt_template")
}

// needle is a text to search for, ignoring case.
type needle struct{ folded string }

func newNeedle(text string) needle { return needle{fold(text)} }

// isIn reports whether a text of a template contains the needle. An empty
// needle is never contained.
func (n needle) isIn(v jsontree.Value) bool {
	switch v.Kind() {
	case jsontree.Object:
		for key, member := range v.Members() {
			if member.Kind() == jsontree.String && key == "text" && n.matches(member.Str()) || n.isIn(member) {
				return true
			}
		}
	case jsontree.Array:
		for _, element := range v.Elems() {
			if n.isIn(element) {
				return true
			}
		}
	}
	return false
}

func (n needle) matches(text string) bool {
	return n.folded != "" && strings.Contains(fold(text), n.folded)
}

// fold returns the case-folded text. Texts that are equal under
// strings.EqualFold have the same fold, like names in the catalog.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII {
			if 'a' <= r && r <= 'z' {
				return r - 'a' + 'A'
			}
			return r
		}
		smallest := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			smallest = min(smallest, other)
		}
		return smallest
	}, text)
}
