package catalog

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
)

// The longest texts of indexed columns, in bytes. PostgreSQL cannot index
// more than about 2,700 bytes in all, so both engines stop before that. They
// hold 512 and 128 characters of any script.
const (
	maxName   = 2048
	maxSource = 512
)

// checkText refuses what PostgreSQL cannot store, on every engine.
func checkText(text string) error {
	if !utf8.ValidString(text) {
		return fault.New(fault.Invalid, "text must be valid UTF-8")
	}
	if strings.IndexByte(text, 0) >= 0 {
		return fault.New(fault.Invalid, "text must not contain the NUL character")
	}
	return nil
}

// checkName refuses a name that nobody can see or that is too long.
func checkName(what, name string) error {
	if strings.TrimSpace(name) == "" {
		return fault.New(fault.Invalid, "%s must not be blank", what)
	}
	return checkLength(what, name, maxName)
}

// checkLength refuses an empty text and one longer than the limit in bytes.
func checkLength(what, text string, limit int) error {
	switch {
	case text == "":
		return fault.New(fault.Invalid, "%s must not be empty", what)
	case len(text) > limit:
		return fault.New(fault.Invalid, "%s must not be longer than %d bytes", what, limit)
	}
	return nil
}

// fold returns text as the case-insensitive search compares it. Two texts
// fold to the same exactly when strings.EqualFold holds: Unicode's simple
// case folding, rune by rune, in every script; ß stays apart from ss, and
// composed from decomposed accents. It is done here and not in SQL because
// the engines disagree on anything but ASCII. It never lengthens a text.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		smallest := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			smallest = min(smallest, other)
		}
		return smallest
	}, text)
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// containing returns the LIKE pattern (with \ as escape character) of the
// folded texts that contain part.
func containing(part string) string {
	return "%" + likeEscaper.Replace(fold(part)) + "%"
}
