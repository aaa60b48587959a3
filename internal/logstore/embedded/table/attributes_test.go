package table

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// TestAttributesOfFlatObjects compares the text of flat objects with that of
// their pairs.
func TestAttributesOfFlatObjects(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxAttributeValue)
	for text, flat := range map[string]bool{
		`{}`: true,
		`{"a":1,"b":-0.50,"c":1e2,"d":true,"e":null,"f":""}`:              true,
		`{"":"é","b.c":"\u0000\"\n","d":"a\u0000"}`:                       true,
		`{"long":"` + long + `","longer":"` + long + `x"}`:                true,
		`{"zeros":"` + strings.Repeat(`\u0000`, maxAttributeValue) + `"}`: true,
		`{"a":1,"b":2,"a":3}`:                                             false,
		`{"a":1,"\u0061":2}`:                                              false,
		`{"a":{"b":1},"c":[1,2]}`:                                         false,
		`{"a":[]}`:                                                        false,
		`[1]`:                                                             false,
		many(maxFlat):                                                     true,
		many(maxFlat + 1):                                                 false,
		many(maxAttributes + 1):                                           false,
	} {
		tree := jsontree.MustParse(text)
		check.Equal(t, "flat: "+text[:min(len(text), 100)], isFlat(tree), flat)
		var got attributeTexts
		got.write([]byte(text))
		check.Equal(t, "text of "+text[:min(len(text), 100)], string(got.text), pairsText(tree))
	}
}

// many returns an object with so many attributes.
func many(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"k%d":%d`, i, i)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// pairsText returns the text of the pairs of an object.
func pairsText(object jsontree.Value) string {
	text, count := "", 0
	for _, p := range reqlog.Flatten(object) {
		if len(p.Value) > maxAttributeValue {
			continue
		}
		if count++; count > maxAttributes || p.Empty {
			continue
		}
		text += escapeZeros(p.Key) + "\x00\x00" + escapeZeros(p.Value) + pairMark
	}
	if text == "" {
		return ""
	}
	return pairMark + text
}
