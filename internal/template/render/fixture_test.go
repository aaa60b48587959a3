package render

import (
	"testing"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// valuesOf parses variables from JSON.
func valuesOf(t testing.TB, json string) *Values {
	t.Helper()
	object, err := jsontree.Parse([]byte(json))
	if err != nil {
		t.Fatal(err)
	}
	return NewValues(object)
}
