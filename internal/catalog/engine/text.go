package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
)

// The longest texts of indexed columns, in bytes: 512 and 128 characters of any
// script. PostgreSQL cannot index more than about 2,700 bytes in all.
const (
	MaxName   = 2048
	MaxSource = 512
)

// CheckText rejects text that PostgreSQL cannot store, on every engine.
func CheckText(text string) error {
	if !utf8.ValidString(text) {
		return fault.New(fault.Invalid, "Text must be valid UTF-8")
	}
	if strings.IndexByte(text, 0) >= 0 {
		return fault.New(fault.Invalid, "Text must not contain the NUL character")
	}
	return nil
}

// CheckName rejects a name that is blank or too long.
func CheckName(what, name string) error {
	if strings.TrimSpace(name) == "" {
		return fault.New(fault.Invalid, "%s must not be blank", what)
	}
	return CheckLength(what, name, MaxName)
}

// CheckLength rejects an empty text and one longer than limit bytes.
func CheckLength(what, text string, limit int) error {
	switch {
	case text == "":
		return fault.New(fault.Invalid, "%s must not be empty", what)
	case len(text) > limit:
		return fault.New(fault.Invalid, "%s must not be longer than %d bytes", what, limit)
	}
	return nil
}

// Fold returns text as case-insensitive search compares it: two texts fold to
// the same text exactly when strings.EqualFold reports true. This is Unicode's
// simple case folding; ß differs from ss, and composed accents differ from
// decomposed ones. It is done here and not in SQL because the engines agree on
// ASCII only. The result is never longer than text.
func Fold(text string) string {
	return strings.Map(func(r rune) rune {
		smallest := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			smallest = min(smallest, other)
		}
		return smallest
	}, text)
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// Containing returns the LIKE pattern (with \ as the escape character) that
// matches folded texts that contain part.
func Containing(part string) string {
	return "%" + likeEscaper.Replace(Fold(part)) + "%"
}
