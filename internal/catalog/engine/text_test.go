package engine_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/promptuary/promptuary/internal/catalog/engine"
)

func TestFoldAgreesWithEqualFold(t *testing.T) {
	t.Parallel()
	for r := rune(1); r <= unicode.MaxRune; r++ {
		if unicode.SimpleFold(r) == r {
			continue // it has no case
		}
		text := string(r)
		for _, other := range []string{strings.ToUpper(text), strings.ToLower(text), strings.ToTitle(text)} {
			if (engine.Fold(text) == engine.Fold(other)) != strings.EqualFold(text, other) {
				t.Errorf("%q and %q: fold and EqualFold disagree", text, other)
			}
		}
		if len(engine.Fold(text)) > len(text) {
			t.Errorf("%q grows to %q", text, engine.Fold(text))
		}
	}
}
