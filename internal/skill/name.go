package skill

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
)

// maxName is the maximum number of characters of a name.
const maxName = 255

// cleanName returns a name without surrounding white space. The fault is
// BadRequest if it cannot be the name of a directory.
func cleanName(name string) (string, error) {
	clean := strings.TrimSpace(name)
	switch {
	case clean == "":
		return "", fault.BadRequestf("The name must not be empty")
	case utf8.RuneCountInString(clean) > maxName:
		return "", fault.BadRequestf("The name must not be longer than %d characters", maxName)
	case clean == "." || clean == "..":
		return "", fault.BadRequestf("The name %q is not a valid folder name", clean)
	case strings.ContainsAny(clean, `/\`) || strings.ContainsFunc(clean, unicode.IsControl) || !utf8.ValidString(clean):
		return "", fault.BadRequestf("The name must not contain slashes or control characters")
	}
	return clean, nil
}

// numbered returns alternatives to a name that is taken.
func numbered(name string) func(n int) string {
	return func(n int) string {
		if n == 1 {
			return name
		}
		suffix := "-" + strconv.Itoa(n)
		runes := []rune(name)
		return string(runes[:min(len(runes), maxName-len(suffix))]) + suffix
	}
}
