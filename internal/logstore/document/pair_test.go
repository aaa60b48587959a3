package document_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// TestValueHash checks that hashes stay what they are, because tables have them, and
// that they tell fields, keys and values apart.
func TestValueHash(t *testing.T) {
	t.Parallel()
	if got := document.ValueHash(query.FieldMetadata, "user", "ann"); got != -3606689106532415243 {
		t.Errorf("the hash changed to %d: raise the version of the tables that have it", got)
	}
	seen := map[int64]string{}
	for _, field := range []query.Field{query.FieldMetadata, query.FieldOutput, query.FieldVariables} {
		for _, pair := range [][2]string{
			{"", ""}, {"a", ""}, {"", "a"}, {"a", "b"}, {"ab", ""}, {"a\x00", "b"}, {"a", "\x00b"}, {"a\x00\x00b", "c"}, {"a", "b\x00\x00c"}, {"a\x00\x01", "b"},
		} {
			name := string(field) + " " + pair[0] + "=" + pair[1]
			hash := document.ValueHash(field, pair[0], pair[1])
			if other, ok := seen[hash]; ok {
				t.Errorf("%q and %q have the same hash", name, other)
			}
			seen[hash] = name
		}
	}
}
